/// Keeps a clip's true peak at or below full scale, the wave between the samples too: what is above would be clipped by a
/// resampler or by the card's converter, and crackle.
///
/// A clip that fits passes untouched, bit for bit. In another one the gain goes down ahead of each peak and comes up behind
/// it, within 1.5 ms; nothing is cut off. The volume only ever lowers what the limiter let pass.
enum Limiter {
    /// −0.1 dB: where a clip does not fit, it fits with something to spare.
    private static let ceiling: Float = 0.988
    /// Neighbours on either side that the wave between two samples is computed from.
    private static let reach = 12
    /// For a quarter, the half and three quarters of the way from one sample to the next.
    private static let taps: [[Float]] = (1...3).map { quarter in
        (1 - reach...reach).map { Resampler.tap(Double($0) - Double(quarter) / 4, band: 1, reach: reach) }
    }

    /// Limits in place. Any thread.
    static func limit(_ samples: inout [Float], rate: Int) {
        let reach = max(1, rate * 3 / 2000)
        // The change of the gain moves the peaks a little; a second round then has next to nothing to do.
        for _ in 0..<4 {
            let peaks = peaks(samples)
            guard peaks.contains(where: { $0 > 1 }) else { return }
            let wanted = peaks.map { min(1, ceiling / $0) }
            // The lowest gain around each sample, and the mean of these around it: it is never above what is wanted.
            let lowest = around(wanted, reach) { $0.min() ?? 1 }
            let gains = around(lowest, reach) { $0.reduce(0, +) / Float($0.count) }
            for index in samples.indices { samples[index] *= gains[index] }
        }
    }

    /// The highest magnitude at each sample and halfway to its neighbours.
    static func peaks(_ samples: [Float]) -> [Float] {
        var peaks = samples.map { abs($0) }
        samples.withUnsafeBufferPointer { samples in
            for index in 0..<max(0, samples.count - 1) {
                // Between two samples under half of full scale no wave of speech is above it.
                guard max(abs(samples[index]), abs(samples[index + 1])) > 0.5 else { continue }
                let first = index + 1 - reach
                for taps in taps {
                    var sum: Float = 0
                    for tap in max(0, -first)..<min(2 * reach, samples.count - first) {
                        sum += samples[first + tap] * taps[tap]
                    }
                    peaks[index] = max(peaks[index], abs(sum))
                    peaks[index + 1] = max(peaks[index + 1], abs(sum))
                }
            }
        }
        return peaks
    }

    private static func around(_ values: [Float], _ reach: Int, _ body: (ArraySlice<Float>) -> Float) -> [Float] {
        values.indices.map { body(values[max(0, $0 - reach)...min(values.count - 1, $0 + reach)]) }
    }
}
