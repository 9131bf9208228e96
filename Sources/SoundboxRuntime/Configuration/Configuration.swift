import SoundboxCore
import SoundboxGPIO

/// The settings of one box, as `soundbox.conf` and its drop-ins give them.
public struct Configuration: Equatable, Sendable {
    /// `[box]`: who this is.
    public struct Box: Equatable, Sendable {
        /// `id`, the MQTT client id and one level of its topics.
        public var id = ""
        /// `name`, for people.
        public var name = ""
        /// `state_dir`, where the journal is.
        public var stateDirectory = "/var/lib/soundbox"
        /// `groups`, whose commands it takes.
        public var groups: [String] = []
        /// `timezone`, a name of the IANA's; nil for the machine's own.
        public var timeZone: String?
    }

    /// `[broker]`: whom it listens to.
    public struct Broker: Equatable, Sendable {
        /// `host`, a name or an address.
        public var host = "localhost"
        /// Nil for the protocol's own: 1883, or 8883 with TLS.
        public var port: Int?
        /// `username`; nil to log in without.
        public var username: String?
        /// `password_file`, whose first line is the password.
        public var passwordFile: String?
        /// `ca_file`, PEM; it turns TLS on.
        public var caFile: String?
        /// `cert_file`, PEM.
        public var certificateFile: String?
        /// `key_file`, PEM.
        public var keyFile: String?
        /// `topic_root`, the first level of every topic.
        public var topicRoot = "soundbox"
        /// Seconds.
        public var keepalive = 30
        /// `discovery`, whether it announces itself to Home Assistant.
        public var announcesToHomeAssistant = false
    }

    /// `[voice]`: what it says things with.
    public struct Voice: Equatable, Sendable {
        /// `pack`, a name or a path.
        public var pack: String
        /// `packs_dir`, where names are looked up.
        public var packsDirectory: String
        /// Nil for the pack's own.
        public var style: String?

        /// The default voice.
        public init(pack: String = "zh-CN", packsDirectory: String = "/usr/share/soundbox/clips", style: String? = nil)
        {
            self.pack = pack
            self.packsDirectory = packsDirectory
            self.style = style
        }

        /// The pack's folder: a name is looked up in the packs' folder, a path is taken as it is.
        public var folder: String { pack.contains("/") ? pack : "\(packsDirectory)/\(pack)" }
    }

    /// `[audio]`: what it speaks through.
    public struct Audio: Equatable, Sendable {
        /// `device`, as ALSA names it.
        public var device: String
        /// `volume`, 0 to 100.
        public var volume: Int
        /// `idle`: what becomes of the device while there is nothing to say.
        public var idle = Idle.warm
        /// `standby_after`, in seconds.
        public var standbyAfter = 60
        /// `lead_in`, in milliseconds.
        public var leadIn = 0

        /// `mixer`, the element of the card's mixer that is the volume; nil for the samples' own.
        public var mixer: String?
        /// `mixer_card`, the card that has it, as ALSA names controls.
        public var mixerCard = "default"

        /// What becomes of the device while there is nothing to say.
        public enum Idle: String, Sendable, CaseIterable {
            /// It plays silence, where it can.
            case warm
            /// It is closed.
            case standby
        }

        /// `night_from`, minutes since midnight; nil without a night.
        public var nightFrom: Int?
        /// `night_to`, minutes since midnight; nil without a night.
        public var nightTo: Int?
        /// `night_volume`, the loudest in between.
        public var nightVolume = 40

        /// The default device.
        public init(device: String = "default", volume: Int = 80) {
            self.device = device
            self.volume = volume
        }

        /// When the volume is capped; nil for never.
        public var night: Speaker.Night? {
            guard let nightFrom, let nightTo else { return nil }
            return Speaker.Night(from: nightFrom, to: nightTo, volume: nightVolume)
        }
    }

    /// `[policy]`: what it takes on.
    public struct Policy: Equatable, Sendable {
        /// `late_after`, in milliseconds.
        public var lateAfter = 60_000
        /// `expire_after`, in milliseconds.
        public var expireAfter = 1_800_000
        /// `merge_after`, how many notices may wait to be said one by one; 0 for any number.
        public var mergeAfter = 5
        /// `queue_limit`, how many notices may wait in memory.
        public var queueLimit = 1000

        /// `require_signature`
        public var requiresSignature = false

        /// From what age a notice is late.
        public var lateness: Lateness { Lateness(lateAfter: Int64(lateAfter), expireAfter: Int64(expireAfter)) }
    }

    /// `[panel]`: what it shows and what can be pressed.
    public struct Panel: Equatable, Sendable {
        /// `chip`, the GPIO chip's label, name or path; empty to look for it.
        public var chip = ""
        /// `led_power`, `led_network`, `led_payment`, `led_error`
        public var lights: [Lights.Role: LightSetting] = [:]
        /// `button_repeat`, `button_up`, `button_down`, `button_mute`
        public var buttons: [Buttons.Role: ButtonSetting] = [:]
        /// `amp_enable`, the line that switches the amplifier on.
        public var amplifier: GPIOSetting?
        /// `amp_lead`, milliseconds that it needs for it.
        public var amplifierLead = 5
        /// `button_reset`, whether ten seconds on the repeat button reset the box.
        public var allowsReset = true
        /// `brightness`, percent.
        public var brightness = 100
        /// `night_brightness`, percent, in the hours of `[audio] night_from` and `night_to`.
        public var nightBrightness = 20
        /// `prompts`, what the box says of itself.
        public var prompts = Set(Prompt.allCases)
    }

    /// `[trust]`: whom it believes.
    public struct Trust: Equatable, Sendable {
        /// `notice_keys`, a folder of JSON Web Keys; nil for none.
        public var noticeKeys: String?
    }

    /// `[box]`
    public var box = Box()
    /// `[broker]`
    public var broker = Broker()
    /// `[voice]`
    public var voice = Voice()
    /// `[audio]`
    public var audio = Audio()
    /// `[policy]`
    public var policy = Policy()
    /// `[panel]`
    public var panel = Panel()
    /// `[trust]`
    public var trust = Trust()

    /// The topics of this box.
    public var topics: Topics { Topics(root: broker.topicRoot, box: box.id, groups: box.groups) }

    /// The journal, below the state directory.
    public var journalFile: String { "\(box.stateDirectory)/journal.db" }

    /// The port to connect to.
    public var brokerPort: Int { broker.port ?? (broker.caFile == nil ? 1883 : 8883) }
}
