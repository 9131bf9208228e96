import Foundation
import SoundboxCore
import TestSupport
import Testing

@testable import SoundboxAudio

@Suite struct LimiterTests {
    /// A burst of a tone whose samples, at an angle to its peaks, are below what it reaches between them.
    private func burst(_ amplitude: Double, _ frequency: Double = 6_000, phase: Double = .pi / 4) -> [Float] {
        (0..<12_000).map { index in
            let envelope = min(1, Double(index) / 500, Double(11_999 - index) / 500)
            return Float(envelope * amplitude * sin(2 * .pi * frequency * Double(index) / 24_000 + phase))
        }
    }

    /// In dBTP, by another's meter.
    private func truePeak(_ samples: [Float]) throws -> Double {
        guard let meter = LoudnessMeter(rate: 24_000, truePeak: true), meter.add(samples) else {
            throw ClipError(file: "", problem: .empty)
        }
        return 20 * log10(meter.truePeak)
    }

    @Test func whatFitsPassesUntouched() throws {
        for amplitude in [0.0, 0.3, 0.7, 0.99] {
            let clip = burst(amplitude)
            var limited = clip
            Limiter.limit(&limited, rate: 24_000)
            #expect(limited == clip, "\(amplitude)")
        }
        for clip in [[Float](), [0.9], [-1, 1]] {
            var limited = clip
            Limiter.limit(&limited, rate: 24_000)
            #expect(limited == clip || clip.count == 2)
        }
    }

    /// Up to 6 dB too high, where the samples alone would look as if they fitted, too.
    @Test func whatIsAboveFullScaleIsTurnedDownAndNotCutOff() throws {
        for amplitude in [1.05, 1.3, 2.0] {
            for (frequency, phase) in [(6_000.0, Double.pi / 4), (1_000, 0), (4_321, 1)] {
                let clip = burst(amplitude, frequency, phase: phase)
                #expect(try truePeak(clip) > 0.2)
                var limited = clip
                Limiter.limit(&limited, rate: 24_000)
                #expect(try truePeak(limited) <= 0)
                // Within a decibel of full scale, and no sample but with the gain of its neighbours.
                #expect(try truePeak(limited) > -1)
                let gains = zip(limited, clip).compactMap { abs($1) > 0.05 ? $0 / $1 : nil }
                let changes = zip(gains, gains.dropFirst()).map { abs($0 - $1) }
                #expect(changes.allSatisfy { $0 < 0.05 }, "\(amplitude), \(frequency): \(changes.max() ?? 0)")
                #expect(gains.first.map { $0 > 0.99 } == true)
            }
        }
    }

    /// A file of floats above full scale, all the way to the card: nothing saturates.
    @Test func theBankHoldsWhatFits() throws {
        let folder = try TemporaryFolder()
        let hot = (0..<24_000).map { 1.6 * sin(2 * Double.pi * 997 * Double($0) / 24_000) }
        try folder.write("hot.wav", floats: hot, rate: 24_000)
        let bank = try ClipBank(folder: folder.path, files: ["hot.wav"], sourceRate: 24_000, rate: 48_000)
        let samples = try bank.render(ClipPlan(.clip(0)), volume: 100)
        #expect(samples.allSatisfy { abs(Int($0)) < 32_767 })
        #expect(samples.contains { abs(Int($0)) > 30_000 })
    }
}
