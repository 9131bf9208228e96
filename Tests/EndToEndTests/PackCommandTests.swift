import Foundation
import SoundboxAudio
import SoundboxCore
import TestBroker
import Testing

/// `soundbox pack`, `plan --explain` and `render --plot`, as a person and a build see them.
@Suite(.timeLimit(.minutes(5)))
struct PackCommandTests {
    private let zh = "Resources/Clips/zh-CN"

    @Test("A pack with an error is refused: status 1, in text and in JSON")
    func check() throws {
        let folder = try temporaryFolder("pack")
        defer { try? FileManager.default.removeItem(at: folder) }
        let pack = folder.appendingPathComponent("zh-CN")
        try FileManager.default.copyItem(at: Daemon.root.appendingPathComponent(zh), to: pack)
        try WAVFile.write([1, 2, 3], rate: 8000, to: pack.appendingPathComponent("clips/wan4.flac").path)
        let text = try soundbox("pack", "check", pack.path)
        #expect(text.status == 1 && text.errors.isEmpty)
        #expect(text.output.contains("error    format     clips/wan4.flac: has 8000 Hz; the pack says 24000 Hz\n"))
        #expect(text.output.contains("ok       coverage   pack.json: "))
        #expect(text.output.hasSuffix("\(pack.path): 1 errors, 0 warnings\n"), "\(text.output)")
        let json = try JSON(
            parsing: try soundbox("pack", "check", "--json", pack.path).output.trimmingCharacters(in: .newlines))
        #expect(json["id"] == "zh-CN" && json["level"] == "error")
        guard case .array(let findings) = json["findings"] else {
            Issue.record("no findings: \(json)")
            return
        }
        let wrong = findings.filter { $0["level"] == "error" }
        #expect(wrong.count == 1 && wrong[0]["file"] == "clips/wan4.flac" && wrong[0]["check"] == "format")
        #expect(findings.contains { $0["check"] == "size" && $0["value"] != nil && $0["limit"] != nil })
    }

    @Test("A folder without a pack is an error that names what is missing")
    func nothing() throws {
        let result = try soundbox("pack", "check", "/nowhere")
        #expect(result.status == 1 && result.output.contains("open /nowhere/pack.json: No such file"), "\(result)")
    }

    @Test("The packs of a folder are listed, and a broken one is named")
    func list() throws {
        let result = try soundbox("pack", "list", "Resources/Clips")
        #expect(result.status == 0 && result.errors.isEmpty)
        let line = try #require(result.output.split(separator: "\n").first { $0.hasPrefix("zh-CN") })
        #expect(line.contains(" kB  decimal (CNY), jiaofen (CNY)"))
        let json = try JSON(
            parsing: try soundbox("pack", "list", "Resources/Clips", "--json").output.trimmingCharacters(in: .newlines))
        guard case .array(let packs) = json else {
            Issue.record("no array: \(json)")
            return
        }
        let zh = packs.first { $0["id"] == "zh-CN" }
        #expect(zh?["licence"] == "Apache-2.0" && zh?["styles"]?["jiaofen"] == .array(["CNY"]))

        let daemon = try Daemon(port: 1)
        try Data("{".utf8).write(to: daemon.folder.appendingPathComponent("test/pack.json"))
        let broken = try soundbox("pack", "list", "--config", daemon.configuration)
        #expect(broken.status == 1 && broken.errors.contains("test/pack.json: "), "\(broken)")
        #expect(try soundbox("pack", "list", "/nowhere").errors.hasPrefix("soundbox: pack list: open /nowhere: "))
    }

    @Test("Explain shows phrase, words and each step with its time")
    func explain() throws {
        let result = try soundbox("plan", "100.65", "--channel", "alipay", "--pack", zh, "--explain")
        #expect(result.status == 0)
        let lines = result.output.split(separator: "\n")
        #expect(lines.count > 8)
        #expect(lines[0] == "phrase  payment.alipay: 支付宝到账，{amount}" && lines[1] == "words   支付宝到账，一百点六五元")
        #expect(lines[2].hasPrefix("     0 ") && lines[2].hasSuffix(".flac  支付宝到账"))
        #expect(lines[3].hasSuffix("    120 ms  pause"))
        // Each step starts where the one before it ended.
        let steps = lines[2..<lines.count - 1].map { $0.split(separator: " ").prefix(2).compactMap { Int($0) } }
        var time = 0
        for step in steps {
            #expect(step.first == time)
            time += step.last ?? 0
        }
        #expect(lines.last?.hasSuffix("\(time) ms in all") == true)
        #expect(try soundbox("plan", "1", "--pack", zh, "--explain").output.hasPrefix("words   一元\n"))
    }

    @Test("The plot is well-formed XML with a name and two joins for each clip")
    func plot() throws {
        let folder = try temporaryFolder("plot")
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("a.svg")
        let result = try soundbox("render", "2.80", "--channel", "wechat", "--pack", zh, "--plot", file.path)
        #expect(result.status == 0 && result.output == "微信收款，二点八元\n", "\(result)")
        let text = try String(contentsOf: file, encoding: .utf8)
        let parsed = Process()
        parsed.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        parsed.arguments = ["python3", "-c", "import sys, xml.dom.minidom as m; m.parse(sys.argv[1])", file.path]
        try parsed.run()
        parsed.waitUntilExit()
        #expect(parsed.terminationStatus == 0)
        let clips = text.components(separatedBy: ".flac</text>").count - 1
        #expect(clips >= 4 && text.components(separatedBy: "stroke-dasharray").count - 1 == 2 * clips)
        #expect(text.contains(">元$</text>") && text.contains(">120 ms</text>") && text.contains(">0.5 s</text>"))
        #expect(text.utf8.count < 100_000)
        let nowhere = try soundbox("render", "1", "--pack", zh, "--plot", "/nowhere/x.svg")
        #expect(nowhere.status == 1 && nowhere.errors.contains("/nowhere/x.svg"), "\(nowhere)")
    }
}
