import Foundation
import Testing

@testable import SoundboxAudio

@Suite struct DoublerTests {
    private func tone(_ frequency: Double, rate: Double, count: Int) -> [Float] {
        (0..<count).map { Float(0.5 * sin(2 * .pi * frequency * Double($0) / rate)) }
    }

    /// The level of one frequency in decibels, through a window whose own side lobes are below −90 dB.
    private func level(_ samples: [Float], _ frequency: Double, rate: Double) -> Double {
        let span = 1000..<samples.count - 1000
        var (real, imaginary, weight) = (0.0, 0.0, 0.0)
        for index in span {
            let phase = 2 * Double.pi * Double(index - span.lowerBound) / Double(span.count)
            let window = 0.355768 - 0.487396 * cos(phase) + 0.144232 * cos(2 * phase) - 0.012604 * cos(3 * phase)
            let angle = 2 * Double.pi * frequency * Double(index) / rate
            real += window * Double(samples[index]) * cos(angle)
            imaginary += window * Double(samples[index]) * sin(angle)
            weight += window
        }
        return 20 * log10(2 * (real * real + imaginary * imaginary).squareRoot() / weight + 1e-12)
    }

    @Test("Up to 90 % of the band the gain is 1 and the image is 90 dB down")
    func imagesAreGone() {
        for frequency in stride(from: 300.0, through: 10_800, by: 300) {
            let doubled = Doubler.double(tone(frequency, rate: 24_000, count: 4_000))
            let own = level(doubled, frequency, rate: 48_000)
            #expect(abs(own - 20 * log10(0.5)) < 0.01, "\(frequency) Hz: \(own) dB")
            let image = level(doubled, 24_000 - frequency, rate: 48_000) - own
            #expect(image < -90, "\(frequency) Hz: \(image) dB")
        }
    }

    @Test("Every second sample is one of the input; lengths around a block of the filter come out whole")
    func inputStays() {
        for count in [0, 1, 2, 31, 64, 255, 256, 257, 1_000] {
            let input = tone(440, rate: 24_000, count: count)
            let doubled = Doubler.double(input)
            #expect(doubled.count == 2 * count)
            #expect(stride(from: 0, to: doubled.count, by: 2).map { doubled[$0] } == input)
        }
        let (long, doubled) = (
            tone(440, rate: 48_000, count: 2_000), Doubler.double(tone(440, rate: 24_000, count: 1_000))
        )
        #expect((100..<1_900).allSatisfy { abs(long[$0] - doubled[$0]) < 1e-4 })
    }
}
