import Foundation
import SoundboxGPIO
import TestSupport
import Testing

@testable import SoundboxRuntime

struct ConfigurationTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// The first error of a text, without the file's name.
    private func failure(_ text: String) throws -> String {
        let file = try folder.write("soundbox.conf", text)
        do {
            _ = try Configuration.load(file)
            return "accepted"
        } catch {
            return error.description.replacingOccurrences(of: file, with: "FILE")
        }
    }

    @Test("With a box's id and a broker's host alone everything has a default")
    func defaults() throws {
        let file = try folder.write("soundbox.conf", "[box]\nid = b1\n[broker]\nhost = mqtt.example\n")
        let (configuration, warnings) = try Configuration.load(file)
        #expect(warnings.isEmpty)
        #expect(configuration.brokerPort == 1883 && configuration.broker.topicRoot == "soundbox")
        #expect(configuration.box.stateDirectory == "/var/lib/soundbox")
        #expect(configuration.voice.folder == "/usr/share/soundbox/clips/zh-CN")
        #expect(configuration.audio.device == "default" && configuration.policy.queueLimit == 1000)
        #expect(configuration.topics.subscriptions == ["soundbox/b1/pay", "soundbox/b1/cmd", "soundbox/all/cmd"])
    }

    @Test("Every key of the table can be set, and is")
    func everyKey() throws {
        let values: [String: String] = [
            "box.id": "b7", "box.name": "柜台一", "box.state_dir": "/tmp/x", "box.groups": "east  vip",
            "box.timezone": "Asia/Shanghai",
            "broker.host": "10.0.0.1",
            "broker.port": "2883", "broker.username": "u", "broker.password_file": "/run/p", "broker.ca_file": "/ca",
            "broker.cert_file": "/c", "broker.key_file": "/k", "broker.topic_root": "pay", "broker.keepalive": "2m",
            "broker.discovery": "homeassistant",
            "voice.pack": "./packs/en", "voice.packs_dir": "/p", "voice.style": "jiaofen",
            "audio.device": "plughw:CARD=0,DEV=0",
            "audio.idle": "standby", "audio.standby_after": "90s", "audio.lead_in": "300ms",
            "audio.mixer": "PCM", "audio.mixer_card": "hw:Device",
            "audio.volume": "55", "audio.night_from": "22:30", "audio.night_to": "07:00", "audio.night_volume": "20",
            "policy.queue_limit": "10", "policy.late_after": "90s", "policy.expire_after": "2h",
            "policy.merge_after": "0", "policy.require_signature": "yes", "trust.notice_keys": "/keys",
            "panel.chip": "pinctrl-rp1", "panel.led_power": "4", "panel.led_network": "!GPIO5",
            "panel.led_payment": "/sys/class/leds/payment", "panel.led_error": "6 open-drain",
            "panel.button_repeat": "!GPIO17", "panel.button_up": "27 pull-up",
            "panel.button_down": "/dev/input/event0 KEY_VOLUMEDOWN", "panel.button_mute": "BUTTON",
            "panel.amp_enable": "!12", "panel.amp_lead": "20ms", "panel.button_reset": "no", "panel.brightness": "90",
            "panel.night_brightness": "0",
            "panel.prompts": "offline nothing-yet",
        ]
        var text = ""
        for key in ConfigurationKey.all {
            let value = try #require(
                values["\(key.section).\(key.name)"], "\(key.section).\(key.name) has no value here")
            text += "[\(key.section)]\n\(key.name) = \(value)\n"
        }
        let (configuration, warnings) = try Configuration.load(try folder.write("all.conf", text))
        #expect(warnings.isEmpty)
        var expected = Configuration()
        expected.box = .init(
            id: "b7", name: "柜台一", stateDirectory: "/tmp/x", groups: ["east", "vip"], timeZone: "Asia/Shanghai")
        expected.broker = .init(
            host: "10.0.0.1", port: 2883, username: "u", passwordFile: "/run/p", caFile: "/ca", certificateFile: "/c",
            keyFile: "/k", topicRoot: "pay", keepalive: 120,
            announcesToHomeAssistant: true)
        expected.voice = .init(pack: "./packs/en", packsDirectory: "/p", style: "jiaofen")
        expected.audio = .init(device: "plughw:CARD=0,DEV=0", volume: 55)
        expected.audio.idle = .standby
        expected.audio.standbyAfter = 90
        expected.audio.leadIn = 300
        expected.audio.mixer = "PCM"
        expected.audio.mixerCard = "hw:Device"
        expected.audio.nightFrom = 22 * 60 + 30
        expected.audio.nightTo = 7 * 60
        expected.audio.nightVolume = 20
        expected.policy = .init(lateAfter: 90_000, expireAfter: 7_200_000, mergeAfter: 0, queueLimit: 10)
        expected.policy.requiresSignature = true
        expected.trust.noticeKeys = "/keys"
        expected.panel.chip = "pinctrl-rp1"
        expected.panel.lights = [
            .power: .gpio(.init(line: "4")), .network: .gpio(.init(line: "GPIO5", isActiveLow: true)),
            .payment: .led("/sys/class/leds/payment"), .error: .gpio(.init(line: "6", drive: .openDrain)),
        ]
        expected.panel.buttons = [
            .repeat: .gpio(.init(line: "GPIO17", isActiveLow: true, bias: .pullUp)),
            .up: .gpio(.init(line: "27", bias: .pullUp)), .down: .key(device: "/dev/input/event0", code: 114),
            .mute: .gpio(.init(line: "BUTTON", bias: .pullDown)),
        ]
        expected.panel.amplifier = GPIOSetting(line: "12", isActiveLow: true)
        expected.panel.amplifierLead = 20
        expected.panel.allowsReset = false
        expected.panel.brightness = 90
        expected.panel.nightBrightness = 0
        expected.panel.prompts = [.offline, .nothingYet]
        #expect(configuration == expected)
        #expect(configuration.voice.folder == "./packs/en")
    }

    @Test("A drop-in wins over the file, a later drop-in over an earlier one, and other files are left alone")
    func dropIns() throws {
        let file = try folder.write("soundbox.conf", "[box]\nid = a\nname = file\n[audio]\nvolume = 1\n")
        try folder.write("soundbox.conf.d/20-late.conf", "[audio]\nvolume = 3\n")
        try folder.write("soundbox.conf.d/10-early.conf", "[audio]\nvolume = 2\n[box]\nid = b\n")
        try folder.write("soundbox.conf.d/note.txt", "nonsense")
        let (configuration, _) = try Configuration.load(file)
        #expect(configuration.audio.volume == 3 && configuration.box.id == "b" && configuration.box.name == "file")
    }

    @Test("An unknown key is a warning with file and line, and nothing else happens")
    func unknownKey() throws {
        let file = try folder.write("soundbox.conf", "[box]\nid = a\ncolour = red\n; comment\n[disco]\nid = 1\n")
        let (_, warnings) = try Configuration.load(file)
        #expect(warnings == ["\(file):3: unknown key box.colour", "\(file):6: unknown key disco.id"])
    }

    private static let refused = [
        (
            "[panel]\nled_power = 4 pull-up\n",
            "FILE:2: panel.led_power = 4 pull-up: [!]LINE, a GPIO line's name or number, with open-drain or open-source "
                + "behind it, or /sys/class/leds/NAME is wanted"
        ),
        (
            "[panel]\nbutton_up = /dev/input/event0\n",
            "FILE:2: panel.button_up = /dev/input/event0: [!]LINE, a GPIO line's name or number, with pull-up, "
                + "pull-down, no-bias or as-is behind it, or /dev/input/… KEY is wanted"
        ),
        ("[panel]\nbutton_reset = maybe\n", "FILE:2: panel.button_reset = maybe: yes or no is wanted"),
        (
            "[panel]\nprompts = started shouted\n",
            "FILE:2: panel.prompts = started shouted: none, or some of started online offline volume muted nothing-yet "
                + "is wanted"
        ),
        (
            "[box]\nid = a\n\n[audio]\nvolume = loud\n",
            "FILE:5: audio.volume = loud: a whole number from 0 to 100 is wanted"
        ),
        (
            "[box]\nid = a\n[audio]\nvolume = 101\n",
            "FILE:4: audio.volume = 101: a whole number from 0 to 100 is wanted"
        ),
        ("[box]\nid = a\n[audio]\nvolume =\n", "FILE:4: audio.volume = : a whole number from 0 to 100 is wanted"),
        ("[box]\nid = a\n[audio]\nidle = hot\n", "FILE:4: audio.idle = hot: warm or standby is wanted"),
        (
            "[box]\nid = a\n[audio]\nlead_in = 2s\n",
            "FILE:4: audio.lead_in = 2s: a duration from 0ms to 1000ms, like 250ms is wanted"
        ),
        (
            "[box]\nid = a/b\n",
            "FILE:2: box.id = a/b: 1 to 64 bytes without / + # (it becomes one level of a topic) is wanted"
        ),
        (
            "[box]\nid = a\n[broker]\nport = 0\n",
            "FILE:4: broker.port = 0: a whole number from 1 to 65535 is wanted"
        ),
        (
            "[box]\nid = a\n[broker]\nkeepalive = 30\n",
            "FILE:4: broker.keepalive = 30: a duration from 5s to 3600s, like 30s or 5m is wanted"
        ),
        (
            "[box]\nid = a\n[broker]\nhost = mqtt://x\n",
            "FILE:4: broker.host = mqtt://x: a host name or an address, without a scheme is wanted"
        ),
        ("[box]\nname = x\n", "FILE: box.id is not set: give the box a name of its own"),
        ("[box]\nid = a\n[broker]\ncert_file = /c\n", "FILE: broker.cert_file and broker.key_file go together"),
        (
            "[box]\nid = a\n[broker]\ncert_file = /c\nkey_file = /k\n",
            "FILE: broker.cert_file needs broker.ca_file, which turns TLS on"
        ),
        ("[box]\nid = a\nnonsense\n", "FILE:3: neither a [section] nor a setting"),
        ("[box\nid = a\n", "FILE:1: neither a [section] nor a setting"),
        ("[box]\nid = \(String(repeating: "x", count: 300))\n", "FILE:2: the line is too long"),
    ]

    @Test("A bad value stops the start with file, line, key and what is allowed", arguments: refused)
    func refusals(text: String, message: String) throws {
        #expect(try failure(text) == message)
    }

    @Test("A file that is no text, or is not there, is refused by name")
    func files() throws {
        let file = "\(folder.path)/binary.conf"
        #expect(FileManager.default.createFile(atPath: file, contents: Data([0x5B, 0xFF, 0x00])))
        #expect { try Configuration.load(file) } throws: { "\($0)" == "\(file): not a text file in UTF-8" }
        #expect { try Configuration.load("/nowhere.conf") } throws: {
            "\($0)" == "/nowhere.conf: No such file or directory"
        }
    }

    @Test("Random bytes never trap")
    func randomBytes() throws {
        var random = SeededGenerator()
        print("seed \(random.seed)")
        let alphabet = Array("[]=;#\n\r\t box.id voice audio 0123456789é\u{FEFF}".utf8) + [0, 0xFF]
        for _ in 0..<500 {
            let bytes = (0..<200).map { _ in alphabet.randomElement(using: &random) ?? 0 }
            let file = "\(folder.path)/random.conf"
            #expect(FileManager.default.createFile(atPath: file, contents: Data(bytes)))
            _ = try? Configuration.load(file)
        }
    }

    @Test("The sample that is the manual loads, and shows every key with its default")
    func sample() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("config/soundbox.conf"), encoding: .utf8)
        var section = ""
        var shown: Set<String> = []
        var uncommented = ""
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("[") { section = String(line.dropFirst().prefix { $0 != "]" }) }
            // A setting that is commented out: `#volume = 80`, without a space behind the mark.
            let setting =
                line.hasPrefix("#") && !line.hasPrefix("# ") && line.contains("=") ? line.dropFirst() : line[...]
            if setting.contains("="), !setting.hasPrefix("#") {
                shown.insert("\(section).\(setting.prefix { $0 != "=" }.trimmingCharacters(in: .whitespaces))")
            }
            uncommented += line.hasPrefix("#") ? "\n" : "\(line)\n"
        }
        #expect(shown == Set(ConfigurationKey.all.map { "\($0.section).\($0.name)" }))
        let (configuration, warnings) = try Configuration.load(try folder.write("sample.conf", uncommented))
        #expect(warnings.isEmpty)
        #expect(!configuration.box.id.isEmpty)
    }
}
