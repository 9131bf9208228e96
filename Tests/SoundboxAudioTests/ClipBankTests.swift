import CSndFile
import Foundation
import SoundboxCore
import TestSupport
import Testing

@testable import SoundboxAudio

@Suite struct ClipBankTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test(arguments: [
        ("a.wav", SF_FORMAT_WAV | SF_FORMAT_PCM_16), ("a.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_16),
        ("b.flac", SF_FORMAT_FLAC | SF_FORMAT_PCM_24),
    ])
    func sixteenBitsPassUnchanged(file: String, format: Int) throws {
        let samples = (-26_000...26_000).map { Int16($0) }
        try folder.write(file, samples, format: format)
        let bank = try ClipBank(folder: folder.path, files: [file], sourceRate: 48000, rate: 48000)
        #expect(try bank.render(ClipPlan(.clip(0)), volume: 100) == samples)
    }

    @Test func readsLossyFormats() throws {
        let tone = (0..<24000).map { Int16(10000 * sin(2 * Double.pi * 440 * Double($0) / 48000)) }
        for (file, format) in [
            ("a.ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS), ("a.opus", SF_FORMAT_OGG | SF_FORMAT_OPUS),
        ] {
            try folder.write(file, tone, format: format)
            let bank = try ClipBank(folder: folder.path, files: [file], sourceRate: 48000, rate: 48000)
            let read = try bank.render(ClipPlan(.clip(0)), volume: 100)
            #expect(read.count == tone.count, "\(file)")
            #expect(signalToNoise(read, tone, skipping: 2000) > 20, "\(file)")
        }
    }

    @Test func roundsAndSaturates() {
        let cases: [(Float, Int16)] = [
            (0, 0), (1, 32767), (-1, -32768), (2, 32767), (-2, -32768), (1.4 / 32768, 1), (1.6 / 32768, 2),
            (-1.4 / 32768, -1), (-1.6 / 32768, -2), (32766.6 / 32768, 32767), (.infinity, 32767),
        ]
        var samples = [Int16](repeating: 99, count: cases.count)
        samples.withUnsafeMutableBufferPointer { ClipBank.convert(cases.map(\.0), to: $0, at: 0) }
        #expect(samples == cases.map(\.1))
    }

    @Test(arguments: [(24000, 48000), (24000, 44100), (22050, 48000), (48000, 44100), (48000, 8000), (16000, 44100)])
    func readsAtTheDevicesRate(source: Int, rate: Int) throws {
        func tone(_ rate: Int) -> [Int16] {
            (0..<rate / 2).map { Int16((12000 * sin(2 * Double.pi * 1000 * Double($0) / Double(rate))).rounded()) }
        }
        let bank = try folder.bank([tone(source), tone(source)], sourceRate: source, rate: rate)
        let expected = tone(rate)
        #expect(try bank.at(rate: source).render(ClipPlan(.clip(1)), volume: 100) == tone(source))
        for clip in 0..<2 {
            let read = try bank.render(ClipPlan(.clip(clip)), volume: 100)
            #expect(read.count == expected.count)
            // A frame too early or too late would already be below 20 dB.
            #expect(signalToNoise(read, expected, skipping: 1000) > 80)
        }
    }

    @Test func refusesWithTheFileAndTheReason() throws {
        let noise = [Int16].noise(100, seed: 1)
        try folder.write("stereo.wav", noise, channels: 2)
        try folder.write("slow.wav", noise, rate: 16000)
        try folder.write("empty.wav", [])
        try folder.write("long.wav", [Int16](repeating: 0, count: 61 * 8000), rate: 8000)
        try Data("no sound at all".utf8).write(to: URL(filePath: "\(folder.path)/text.flac"))
        try folder.write("whole.flac", .noise(9000, seed: 2), format: SF_FORMAT_FLAC | SF_FORMAT_PCM_16)
        let whole = try Data(contentsOf: URL(filePath: "\(folder.path)/whole.flac"))
        try whole.prefix(whole.count / 2).write(to: URL(filePath: "\(folder.path)/cut.flac"))
        let cases = [
            ("stereo.wav", 48000, "has 2 channels; a clip must be mono"),
            ("slow.wav", 48000, "has 16000 Hz; the pack says 48000 Hz"), ("empty.wav", 48000, "is empty"),
            ("long.wav", 8000, "lasts 61 s; a clip may last 60 s"), ("text.flac", 48000, "Format not recognised"),
            ("cut.flac", 48000, "lost sync"),
            ("missing.flac", 48000, "No such file or directory"),
        ]
        for (file, rate, reason) in cases {
            let text = refusal { () throws(ClipError) in
                _ = try ClipBank(folder: folder.path, files: [file], sourceRate: rate, rate: rate)
            }
            #expect(text.hasPrefix("\(folder.path)/\(file): ") && text.contains(reason), "\(text)")
            #expect(!text.contains("\n") && text.count > folder.path.count + file.count + 5, "\(text)")
        }
    }

    @Test func joinsClipsAndPausesToTheFrame() throws {
        let clips = [[Int16].noise(1000, seed: 3), .noise(777, seed: 4), .noise(1, seed: 5)]
        let bank = try folder.bank(clips, sourceRate: 44100, rate: 44100)
        let plan = ClipPlan(
            .clip(0), .clip(1), .pause(1), .clip(2), .pause(1), .clip(0), .pause(-5), .pause(0), .pause(298))
        // 1 ms is 44.1 frames, 2 ms are 88.2 and 300 ms are 13230.
        func silence(_ count: Int) -> [Int16] { [Int16](repeating: 0, count: count) }
        let expected = clips[0] + clips[1] + silence(44) + clips[2] + silence(44) + clips[0] + silence(13230 - 88)
        #expect(try bank.render(plan, volume: 100) == expected)
        #expect(try bank.frames(of: plan) == expected.count)
    }

    @Test func pausesDoNotDrift() throws {
        let bank = try folder.bank([[1]], sourceRate: 44100, rate: 44100)
        let plan = ClipPlan(text: "", steps: (0..<1000).flatMap { _ in [.clip(0), .pause(1)] })
        #expect(try bank.frames(of: plan) == 1000 + 44100)
        #expect(try bank.render(plan, volume: 100).count == 1000 + 44100)
    }

    @Test func readsInPiecesWhatItRendersAtOnce() throws {
        var generator = SeededGenerator()
        let clips = try folder.bank([.noise(500, seed: 6), .noise(3, seed: 7), .noise(81, seed: 8)], sourceRate: 24000)
        for life in 0..<200 {
            let bank = clips.at(rate: [24000, 48000, 44100, 16000][life % 4])
            let plan = ClipPlan(
                text: "",
                steps: (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                    Bool.random(using: &generator)
                        ? .clip(.random(in: 0..<3, using: &generator)) : .pause(.random(in: 0...9, using: &generator))
                })
            var reader = try PlanReader(plan, bank: bank)
            var pieces: [Int16] = []
            while !reader.isAtEnd {
                var piece = [Int16](repeating: 99, count: .random(in: 1...300, using: &generator))
                let count = piece.withUnsafeMutableBufferPointer { reader.read(into: $0) }
                pieces += piece[..<count]
            }
            #expect(try pieces == bank.render(plan, volume: 100), "seed \(generator.seed)")
        }
    }

    @Test func aPlanOfAnotherPackIsRefused() throws {
        let bank = try folder.bank([[1, 2, 3]])
        for index in [-1, 1, Int.max] {
            #expect(throws: ClipError(file: "", problem: .unknownClip(index))) {
                try bank.render(ClipPlan(.clip(0), .clip(index)), volume: 100)
            }
        }
    }

    @Test func volumeIsEvenInDecibels() throws {
        let bank = try folder.bank([[20000, -20000, 12345, -12345, 1]])
        func render(_ volume: Int) throws -> [Int16] { try bank.render(ClipPlan(.clip(0)), volume: volume) }
        #expect(try render(100) == [20000, -20000, 12345, -12345, 1])
        #expect(try render(130) == render(100))
        #expect(try render(50) == [2000, -2000, 1235, -1235, 0])  // −20 dB
        #expect(try render(75) == [6324, -6324, 3904, -3904, 0])  // −10 dB
        #expect(try render(0) == [0, 0, 0, 0, 0])
        #expect(try render(-1) == render(0))
        let levels = try (1...100).map { try render($0)[0] }
        #expect(zip(levels, levels.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test func writesWhatItRead() throws {
        let samples = [Int16].noise(4800, seed: 9)
        try WAVFile.write(samples, rate: 48000, to: "\(folder.path)/out.wav")
        let bank = try ClipBank(folder: folder.path, files: ["out.wav"], sourceRate: 48000, rate: 48000)
        #expect(try bank.render(ClipPlan(.clip(0)), volume: 100) == samples)
        let text = refusal { () throws(ClipError) in
            try WAVFile.write(samples, rate: 48000, to: "\(folder.path)/no/such/folder.wav")
        }
        #expect(text.contains("No such file or directory"))
        #expect(throws: ClipError.self) { try WAVFile.write(samples, rate: 48000, to: "/dev/full") }
    }

    private func refusal(_ body: () throws(ClipError) -> Void) -> String {
        do throws(ClipError) {
            try body()
            return ""
        } catch {
            return error.description
        }
    }

    /// In decibels; the edges, where there is nothing to interpolate from, are left out.
    private func signalToNoise(_ samples: [Int16], _ expected: [Int16], skipping edge: Int) -> Double {
        var signal = 0.0
        var noise = 0.0
        for index in edge..<min(samples.count, expected.count) - edge {
            signal += pow(Double(expected[index]), 2)
            noise += pow(Double(samples[index]) - Double(expected[index]), 2)
        }
        return 10 * log10(signal / max(noise, 1e-9))
    }
}
