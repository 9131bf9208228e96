import Foundation
import SoundboxCore
import TestSupport
import TestVoice
import Testing

@testable import SoundboxAudio

/// Small packs of tones, whole and broken in each way that the check is for.
@Suite struct PackCheckTests {
    private static let rate = 8_000
    private static let length = 8_000

    /// A second of a tone with faded ends; loud enough that sentences of it have −16 LUFS.
    private static func tone(gain: Double = 1) -> [Double] {
        (0..<length).map { index in
            let fade = min(1, Double(min(index, length - 1 - index)) / 40)
            return 0.2285 * gain * fade * sin(2 * .pi * 1_000 * Double(index) / Double(rate))
        }
    }

    /// A pack in a folder of its own.
    private final class Pack {
        let folder: TemporaryFolder
        var manifest: [JSON.Member]

        init(gain: Double = 1, extra: [String] = []) throws {
            folder = try TemporaryFolder()
            manifest = try #require(TestVoice.manifest(extra: extra).members)
            set("rate", JSON(PackCheckTests.rate))
            try folder.write("grammar.rbnf", TestVoice.grammar)
            try FileManager.default.createDirectory(atPath: "\(folder.path)/clips", withIntermediateDirectories: true)
            let sound = tone(gain: gain)
            for word in manifest.first(where: { $0.key == "clips" })?.value.members ?? [] { try write(word.key, sound) }
            try save()
        }

        func set(_ key: String, _ value: JSON) {
            if let index = manifest.firstIndex(where: { $0.key == key }) { manifest[index].value = value }
        }

        func removeClip(_ word: String) {
            let clips = manifest.first { $0.key == "clips" }?.value.members ?? []
            set("clips", .object(clips.filter { $0.key != word }))
        }

        func save() throws {
            try folder.write("pack.json", JSON.object(manifest).text)
        }

        func write(_ word: String, _ sound: [Double], rate: Int = PackCheckTests.rate, channels: Int = 1) throws {
            let samples = sound.map { Int16(max(-32_768, min(32_767, ($0 * 32_768).rounded()))) }
            try folder.write("clips/\(word).wav", samples, rate: rate, channels: channels)
        }

        /// The findings that are not ok, as `level check file`.
        func findings() -> [String] {
            let check = PackCheck(folder: folder.path)
            #expect(check.findings.allSatisfy { !$0.text.isEmpty && !$0.file.isEmpty })
            return check.findings.filter { $0.level != .ok }.map { "\($0.level) \($0.check) \($0.file)" }
        }
    }

    @Test func aGoodPackIsGood() throws {
        let pack = try Pack()
        let check = PackCheck(folder: pack.folder.path)
        #expect(check.level == .ok, "\(check.findings.filter { $0.level != .ok })")
        #expect(
            check.findings.map(\.check) == [
                "licence", "coverage", "amounts", "amounts", "unused", "size", "format", "dc", "clipping", "true-peak",
                "silence", "click", "level", "loudness", "sentence",
            ])
        let loudness = try #require(check.findings.first { $0.check == "loudness" }?.value)
        #expect(abs(loudness) < 0.5)
        #expect(check.pack?.id == "test")
    }

    private typealias Damage = @Sendable (Pack) throws -> Void

    private static func sound(_ change: @escaping @Sendable (inout [Double]) -> Void) -> Damage {
        { pack in
            var sound = tone()
            change(&sound)
            try pack.write("seven", sound)
        }
    }

    private static let kinds: [(finding: String, damage: Damage)] = [
        ("error coverage pack.json", { $0.removeClip("seven") }),
        (
            "error coverage grammar.rbnf",
            {
                let grammar = TestVoice.grammar.replacingOccurrences(of: "0: zero;\n1: one;\n", with: "1: one;\n")
                try $0.folder.write("grammar.rbnf", grammar)
            }
        ),
        (
            "error amounts grammar.rbnf",
            {
                let grammar = TestVoice.grammar.replacingOccurrences(of: "10000000000000:", with: "10000000:")
                try $0.folder.write("grammar.rbnf", grammar)
            }
        ),
        (
            "error coverage grammar.rbnf",
            {
                let grammar = TestVoice.grammar.replacingOccurrences(of: "10000000000000:", with: "1000:")
                try $0.folder.write("grammar.rbnf", grammar)  // 16:40 is minute 1000
            }
        ),
        ("error pack grammar.rbnf", { try $0.folder.write("grammar.rbnf", "%n:\n0: <;\n") }),
        ("error pack pack.json", { $0.set("voice", 1) }), ("error licence pack.json", { $0.set("licence", "NONE") }),
        ("error licence pack.json", { $0.set("licence", "all rights reserved") }),
        ("error format clips/seven.wav", { try $0.write("seven", tone(), rate: 16_000) }),
        ("error format clips/seven.wav", { try $0.write("seven", tone(), channels: 2) }),
        ("error format clips/seven.wav", { try $0.write("seven", []) }),
        ("error format clips/seven.wav", { try $0.folder.write("clips/seven.wav", "not sound") }),
        (
            "error format clips/seven.wav",
            { try FileManager.default.removeItem(atPath: "\($0.folder.path)/clips/seven.wav") }
        ),
        ("error dc clips/seven.wav", sound { for index in $0.indices { $0[index] += 0.005 } }),
        ("warning dc clips/seven.wav", sound { for index in $0.indices { $0[index] += 0.002 } }),
        ("error clipping clips/seven.wav", sound { for index in 4_000..<4_004 { $0[index] = 1 } }),
        // Samples of ±0.71, and a wave of 1 between them.
        (
            "error true-peak clips/seven.wav",
            sound { for index in 4_000..<4_100 { $0[index] = 0.71 * (index % 4 < 2 ? 1 : -1) } }
        ),
        ("error silence clips/seven.wav", sound { $0 = [Double](repeating: 0, count: 200) + $0 }),
        ("error silence clips/seven.wav", sound { $0 += [Double](repeating: 0, count: 200) }),
        ("error click clips/seven.wav", sound { $0[0] = 0.05 }),
        ("error click clips/seven.wav", sound { $0[$0.count - 1] = -0.05 }),
        ("warning click clips/seven.wav", sound { $0[0] = 0.005 }),
        ("error level clips/seven.wav", { try $0.write("seven", tone(gain: 0.3)) }),
        ("warning level clips/seven.wav", { try $0.write("seven", tone(gain: 0.5)) }),
        ("error level clips/seven.wav", { try $0.write("seven", tone(gain: 0)) }),
        ("warning files clips/old.wav", { try $0.folder.write("clips/old.wav", "") }),
        (
            "error size .",
            { try $0.folder.write("clips/old.wav", String(repeating: " ", count: PackLimits.size)) }
        ),
    ]

    @Test(arguments: kinds.indices) func findsWhatIsBroken(_ index: Int) throws {
        let (finding, damage) = Self.kinds[index]
        let pack = try Pack()
        try damage(pack)
        try pack.save()
        let findings = pack.findings()
        #expect(findings.contains(finding), "\(findings)")
    }

    @Test func findsSentencesThatAreTooLoudOrTooSoft() throws {
        for (gain, level) in [
            (0.9, "error loudness"), (1.12, "error loudness"), (0.8, "warning sentence"), (0.6, "error sentence"),
        ] {
            let findings = try Pack(gain: gain).findings()
            #expect(findings.contains { $0.hasPrefix(level) }, "\(gain): \(findings)")
        }
    }

    @Test func aClipThatNothingUsesIsAWarning() throws {
        let pack = try Pack(extra: ["eleven"])
        #expect(pack.findings() == ["warning unused clips/eleven.wav"])
    }

    @Test(arguments: [
        ("Apache-2.0", true), ("CC-BY-4.0 OR MIT", true), ("(MIT AND CC0-1.0) OR GPL-2.0-only WITH x-exception", true),
        ("LicenseRef-Studio", true), ("", false), ("NONE", false), ("NOASSERTION", false), ("MIT AND", false),
        ("AND MIT", false), ("(MIT", false), ("MIT)", false), ("MIT MIT", false), ("my own", false), ("()", false),
    ])
    func licences(_ text: String, _ isGood: Bool) {
        #expect(Licence.isExpression(text) == isGood)
    }

    @Test(
        arguments: [
            (0, 0, "0"), (1.25, 1, "1.3"), (-0.04, 1, "0.0"), (-1.005, 2, "-1.00"), (12.0, 2, "12.00"),
            (0.0456, 3, "0.046"),
            (.infinity, 1, "∞"), (-.infinity, 1, "-∞"),
        ] as [(Double, Int, String)])
    func writesNumbers(_ value: Double, _ digits: Int, _ text: String) {
        #expect(value.text(digits) == text)
    }
}
