import Foundation
import Testing

@testable import SoundboxAudio

@Suite struct ResamplerTests {
    private func tone(_ frequency: Double, rate: Double, count: Int) -> [Int16] {
        (0..<count).map { Int16((16_384 * sin(2 * .pi * frequency * Double($0) / rate)).rounded()) }
    }

    private func resample(_ clip: [Int16], from sourceRate: Int, to rate: Int) -> [Int16] {
        let resampler = Resampler(from: sourceRate, to: rate)
        var result = [Int16](repeating: 99, count: clip.isEmpty ? 0 : resampler.count(clip.count))
        clip.withUnsafeBufferPointer { clip in
            result.withUnsafeMutableBufferPointer { resampler.read(clip, from: 0, into: $0) }
        }
        return result
    }

    /// The level of one frequency in decibels, through a window whose own side lobes are below −90 dB.
    private func level(_ samples: [Int16], _ frequency: Double, rate: Double) -> Double {
        let span = 1000..<samples.count - 1000
        var (real, imaginary, weight) = (0.0, 0.0, 0.0)
        for index in span {
            let phase = 2 * Double.pi * Double(index - span.lowerBound) / Double(span.count)
            let window = 0.355768 - 0.487396 * cos(phase) + 0.144232 * cos(2 * phase) - 0.012604 * cos(3 * phase)
            let angle = 2 * Double.pi * frequency * Double(index) / rate
            real += window * Double(samples[index]) / 32_768 * cos(angle)
            imaginary += window * Double(samples[index]) / 32_768 * sin(angle)
            weight += window
        }
        return 20 * log10(2 * (real * real + imaginary * imaginary).squareRoot() / weight + 1e-12)
    }

    @Test("Up to 90 % of the band the gain is 1 and the image is 90 dB down")
    func imagesAreGone() {
        for frequency in stride(from: 300.0, through: 10_800, by: 300) {
            let doubled = resample(tone(frequency, rate: 24_000, count: 4_000), from: 24_000, to: 48_000)
            let own = level(doubled, frequency, rate: 48_000)
            #expect(abs(own - 20 * log10(0.5)) < 0.01, "\(frequency) Hz: \(own) dB")
            let image = level(doubled, 24_000 - frequency, rate: 48_000) - own
            #expect(image < -90, "\(frequency) Hz: \(image) dB")
        }
    }

    @Test("Every second sample is one of the clip; the edges come out whole")
    func inputStays() {
        for count in [1, 2, 31, 32, 33, 64, 65, 1_000] {
            let input = tone(440, rate: 24_000, count: count)
            let doubled = resample(input, from: 24_000, to: 48_000)
            #expect(doubled.count == 2 * count)
            #expect(stride(from: 0, to: doubled.count, by: 2).map { doubled[$0] } == input)
        }
    }

    @Test("44.1 kHz: the gain is 1, images are gone, and what the lower band cannot hold too")
    func otherRates() {
        for (source, rate) in [(24_000, 44_100), (22_050, 48_000), (48_000, 44_100)] {
            let band = min(source, rate) / 2
            for frequency in stride(from: 500, through: band * 9 / 10, by: 1_700) {
                let clip = tone(Double(frequency), rate: Double(source), count: 8_000)
                let result = resample(clip, from: source, to: rate)
                let own = level(result, Double(frequency), rate: Double(rate))
                #expect(abs(own - 20 * log10(0.5)) < 0.01, "\(source) to \(rate), \(frequency) Hz: \(own) dB")
                let image = source - frequency
                guard image * 2 < rate else { continue }
                let level = level(result, Double(image), rate: Double(rate)) - own
                #expect(level < -90, "\(source) to \(rate), image of \(frequency) Hz: \(level) dB")
            }
        }
        let high = resample(tone(7_000, rate: 48_000, count: 48_000), from: 48_000, to: 8_000)
        #expect(high.dropFirst(200).dropLast(200).allSatisfy { abs($0) <= 1 })
    }
}
