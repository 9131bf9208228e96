import Foundation
import SoundboxAudio
import SoundboxCore
import TestBroker
import Testing

/// The command line as a person and a shell see it.
@Suite(.timeLimit(.minutes(5)))
struct CommandLineTests {
    private let zh = "Resources/Clips/zh-CN"

    @Test(
        "What cannot be understood is a usage error: status 2, one line of why",
        arguments: [
            ([], "a command is missing"), (["dance"], "dance: no such command"), (["plan"], "AMOUNT is missing"),
            (["plan", "1", "2"], "2: only one AMOUNT is taken"), (["plan", "1", "--loud"], "--loud: no such option"),
            (["plan", "1", "--currency"], "--currency: an argument is missing"),
            (["plan", "1", "--currency", "XYZ"], "--currency XYZ: not a currency of ISO 4217"),
            (["plan", "1e3"], "1e3: not an amount of CNY: amount-exponent"),
            (["plan", "1.234"], "1.234: not an amount of CNY: amount-too-precise"),
            (["render", "1"], "render: --out FILE is missing"), (["config", "show"], "config: 'check FILE' is wanted"),
            (["pack"], "pack: 'check DIR' or 'list [DIR]' is wanted"),
            (["pack", "check"], "pack check: one DIR is wanted"),
            (["plan", "--stdin", "--explain"], "plan --stdin takes neither AMOUNT nor --json nor --explain"),
            (["plan", "1", "--json", "--explain"], "plan takes one of --json and --explain"),
            (["run", "--log-level", "all"], "--log-level all: debug, info, notice, warning or error is wanted"),
            (["render", "1", "--out", "x", "--rate", "1"], "--rate 1: a whole number from 8000 to 192000 is wanted"),
        ] as [([String], String)])
    func usage(arguments: [String], why: String) throws {
        let packed = arguments.first == "plan" ? arguments + ["--pack", zh] : arguments
        let result = try run(packed.count == arguments.count || arguments.last == "--currency" ? arguments : packed)
        #expect(result.status == 2)
        #expect(result.errors == "soundbox: \(why)\nTry 'soundbox --help'.\n")
        #expect(result.output.isEmpty)
    }

    private func run(_ arguments: [String]) throws -> (status: Int32, output: String, errors: String) {
        switch arguments.count {
        case 0: try soundbox()
        case 1: try soundbox(arguments[0])
        case 2: try soundbox(arguments[0], arguments[1])
        case 3: try soundbox(arguments[0], arguments[1], arguments[2])
        case 4: try soundbox(arguments[0], arguments[1], arguments[2], arguments[3])
        case 5: try soundbox(arguments[0], arguments[1], arguments[2], arguments[3], arguments[4])
        default: try soundbox(arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5])
        }
    }

    @Test(
        "Help and version work everywhere",
        arguments: [
            "", "run", "plan", "render", "say", "pay", "status", "history", "total", "config", "pack", "doctor",
            "fleet",
        ])
    func help(command: String) throws {
        for option in ["--help", "--version", "--vers"] {
            let result = command.isEmpty ? try soundbox(option) : try soundbox(command, option)
            #expect(result.status == 0 && result.errors.isEmpty)
            #expect(result.output.hasPrefix(option == "--help" ? "Usage: soundbox" : "soundbox "))
        }
    }

    @Test("Plan prints the words, then the clips")
    func plan() throws {
        let result = try soundbox("plan", "--pack", zh, "100.65", "--channel=alipay")
        #expect(result.status == 0)
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 2 && lines[0] == "支付宝到账，一百点六五元")
        #expect(lines[1].split(separator: " ").allSatisfy { $0.hasSuffix(".flac") })
        #expect(try soundbox("plan", "--pack", zh, "100.65", "--style", "jiaofen").output.hasPrefix("一百元六角五分\n"))
        let json = try JSON(
            parsing: try soundbox("plan", "--pack", zh, "8", "--json").output.trimmingCharacters(in: .newlines))
        #expect(json["text"] == "八元")
        #expect(
            try soundbox("plan", "--pack", "Resources/Clips/en", "105.65").output.hasPrefix(
                "one hundred five yuan and sixty-five fen\n"))
    }

    @Test("Plan reads amounts from its input, a line each, and a bad line keeps its place")
    func planLines() throws {
        let result = try soundbox("plan", "--stdin", "--pack", zh, input: "0.05\nx\n10010\n1e3\n1000000000000.00\n2")
        #expect(result.status == 1)
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 6)
        #expect(lines.first == "零点零五元" && lines[1] == "error: amount-malformed" && lines[2] == "一万零一十元")
        #expect(lines[3] == "error: amount-exponent" && lines[4].hasPrefix("error: ") && lines[5] == "两元")
    }

    @Test("Render writes what the daemon's engine would play, at the rate asked for")
    func render() throws {
        let folder = try temporaryFolder("render")
        defer { try? FileManager.default.removeItem(at: folder) }
        for rate in [24000, 44100] {
            let file = folder.appendingPathComponent("\(rate).wav")
            let result = try soundbox("render", "8.88", "--pack", zh, "--out", file.path, "--rate", "\(rate)")
            #expect(result.status == 0 && result.output == "八点八八元\n", "\(result)")
            let data = try Data(contentsOf: file)
            #expect(data.prefix(4) == Data("RIFF".utf8))
            #expect(data.count > rate)
        }
        let nowhere = try soundbox("render", "8.88", "--pack", zh, "--out", "/nowhere/x.wav")
        #expect(nowhere.status == 1 && nowhere.errors.contains("/nowhere/x.wav"), "\(nowhere)")
    }

    @Test("Say plays on a device without a daemon, and names one that is not there")
    func say() throws {
        let folder = try temporaryFolder("say")
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("said.raw").path
        let result = try soundbox("say", "0.05", "--pack", zh, "--device", "file:FILE=\(file),FORMAT=raw")
        #expect(result.status == 0 && result.output == "零点零五元\n", "\(result)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)).contains { $0 != 0 })
        let missing = try soundbox("say", "1", "--pack", zh, "--device", "nosuchcard")
        #expect(missing.status == 1 && missing.errors.hasPrefix("soundbox: say: nosuchcard: "), "\(missing)")
    }

    @Test("A broken voice pack stops the start and names the file")
    func brokenPack() throws {
        let broken: [(String, (URL) throws -> Void)] = [
            ("pack.json", { try FileManager.default.removeItem(at: $0.appendingPathComponent("pack.json")) }),
            ("grammar.rbnf", { try FileManager.default.removeItem(at: $0.appendingPathComponent("grammar.rbnf")) }),
            ("pack.json", { try Data("{".utf8).write(to: $0.appendingPathComponent("pack.json")) }),
            (
                "grammar.rbnf",
                { try Data("%n:\n0: =%missing=;\n".utf8).write(to: $0.appendingPathComponent("grammar.rbnf")) }
            ),
            ("zero.wav", { try FileManager.default.removeItem(at: $0.appendingPathComponent("clips/zero.wav")) }),
            ("zero.wav", { try Data("not sound".utf8).write(to: $0.appendingPathComponent("clips/zero.wav")) }),
            (
                "zero.wav",
                { try WAVFile.write([1, 2, 3], rate: 8000, to: $0.appendingPathComponent("clips/zero.wav").path) }
            ),
            ("zero.wav", { try WAVFile.write([], rate: 48000, to: $0.appendingPathComponent("clips/zero.wav").path) }),
        ]
        for (file, damage) in broken {
            let daemon = try Daemon(port: 1)
            try damage(daemon.folder.appendingPathComponent("test"))
            try daemon.start()
            #expect(daemon.wait() == 1)
            let last = daemon.log.split(separator: "\n").last ?? ""
            #expect(last.hasPrefix("soundbox: cannot start: ") && last.contains("/\(file)"), "\(daemon.log)")
        }
    }

    @Test("A configuration is checked, with its drop-ins")
    func config() throws {
        let daemon = try Daemon(port: 1, settings: ["colour = red"])
        let good = try soundbox("config", "check", daemon.configuration)
        #expect(good.status == 0 && good.output == "\(daemon.configuration): ok\n")
        #expect(good.errors.contains("unknown key audio.colour"))
        let bad = try Daemon(port: 1, settings: ["volume = loud"])
        let result = try soundbox("config", "check", bad.configuration)
        #expect(result.status == 1)
        #expect(result.errors.hasPrefix("soundbox: configuration: \(bad.configuration):"), "\(result)")
        try bad.start()
        #expect(bad.wait() == 1)
    }

    @Test("A broker that is not there is said by name")
    func noBroker() throws {
        let daemon = try Daemon(port: try freePort())
        let result = try soundbox("pay", "1", "--config", daemon.configuration)
        #expect(result.status == 1 && result.errors.hasPrefix("soundbox: broker 127.0.0.1:"), "\(result)")
    }
}
