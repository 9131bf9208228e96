import Glibc

/// Changes the rate of a clip, any stretch of it at a time: the clips stay in memory as they were recorded, and become the
/// device's on their way to it.
///
/// A Kaiser-windowed sinc over 64 neighbours, one set of taps for each place between two samples that can occur: flat to
/// 0.0002 dB, and images 95 dB down, up to 90 % of the band. In the last tenth (10.8 to 12 kHz of a 24 kHz clip at 48 kHz)
/// it leaves an image above the band. At twice the rate every second sample is one of the clip, untouched.
///
/// Each sample is computed from the same neighbours in the same order, whatever it is asked for with, so that the samples
/// are the same on every machine.
struct Resampler: Sendable {
    /// Neighbours on either side of a rate that is not lowered.
    private static let reach = 32
    /// More places between two samples than this are not told apart: no card's rate needs them, and the taps lie in memory.
    /// The rate is then off by a few millionths.
    private static let mostPlaces = 1024

    /// Kaiser's β for 96 dB, and the window's height before it is scaled to 1.
    private static let beta = 9.6
    private static let peak = bessel(beta)

    private let sourceRate: Int
    private let rate: Int
    /// From one sample to the next it goes on by `step` of `places`.
    private let places: Int
    private let step: Int
    private let reach: Int
    /// For each place the taps of the neighbours, from the first to the last.
    private let taps: [Float]

    init(from sourceRate: Int, to rate: Int) {
        self.sourceRate = sourceRate
        self.rate = rate
        (places, step) = Self.fraction(rate, sourceRate, most: Self.mostPlaces)
        // Where the rate is lowered, what is above the new band must go.
        let band = min(1, Double(rate) / Double(sourceRate))
        reach = (Int((Double(Self.reach) / band).rounded(.up)) + 3) / 4 * 4
        var taps: [Float] = []
        taps.reserveCapacity(places * 2 * reach)
        for place in 0..<places {
            for neighbour in 1 - reach...reach {
                taps.append(Self.tap(Double(neighbour) - Double(place) / Double(places), band: band, reach: reach))
            }
        }
        self.taps = taps
    }

    /// How many samples a clip has at the other rate, rounded to the nearest.
    func count(_ count: Int) -> Int {
        max(1, (count * rate + sourceRate / 2) / sourceRate)
    }

    /// Computes the samples from `start` on. Silence is in front of the clip and behind it.
    func read(_ clip: UnsafeBufferPointer<Int16>, from start: Int, into result: UnsafeMutableBufferPointer<Int16>) {
        taps.withUnsafeBufferPointer { taps in
            for index in 0..<result.count {
                let (position, place) = ((start + index) * step).quotientAndRemainder(dividingBy: places)
                if place == 0, reach == Self.reach {
                    result[index] = position < clip.count ? clip[position] : 0
                } else {
                    let sum = sum(clip, at: position + 1 - reach, taps, at: place * 2 * reach)
                    result[index] = Int16(clamping: Int(sum.rounded(.toNearestOrEven)))
                }
            }
        }
    }

    /// The neighbours from `first` on with their taps, eight at a time.
    private func sum(
        _ clip: UnsafeBufferPointer<Int16>, at first: Int, _ taps: UnsafeBufferPointer<Float>, at tap: Int
    ) -> Float {
        var sums = SIMD8<Float>.zero
        if first >= 0, first + 2 * reach <= clip.count {
            let samples = UnsafeRawBufferPointer(clip)
            let taps = UnsafeRawBufferPointer(taps)
            for index in stride(from: 0, to: 2 * reach, by: 8) {
                let neighbours = samples.loadUnaligned(fromByteOffset: 2 * (first + index), as: SIMD8<Int16>.self)
                let factors = taps.loadUnaligned(fromByteOffset: 4 * (tap + index), as: SIMD8<Float>.self)
                sums += SIMD8<Float>(neighbours) * factors
            }
        } else {
            for index in max(0, -first)..<max(0, -first, min(2 * reach, clip.count - first)) {
                sums[index % 8] += Float(clip[first + index]) * taps[tap + index]
            }
        }
        return sums.sum()
    }

    /// A tap's value at a distance in samples.
    static func tap(_ distance: Double, band: Double, reach: Int) -> Float {
        let fraction = distance / Double(reach)
        guard abs(fraction) < 1 else { return 0 }
        let window = bessel(beta * sqrt(1 - fraction * fraction)) / peak
        let angle = Double.pi * distance * band
        return Float((angle == 0 ? 1 : sin(angle) / angle) * band * window)
    }

    /// The modified Bessel function of the first kind, of order 0.
    private static func bessel(_ x: Double) -> Double {
        var sum = 1.0
        var term = 1.0
        for index in 1...40 {
            term *= (x / 2 / Double(index)) * (x / 2 / Double(index))
            sum += term
        }
        return sum
    }

    /// The fraction with the best denominators up to `most` that is next to `numerator / denominator`: continued fractions.
    private static func fraction(_ numerator: Int, _ denominator: Int, most: Int) -> (Int, Int) {
        var (above, below) = (numerator, denominator)
        var (last, this) = ((0, 1), (1, 0))
        while below != 0 {
            let (quotient, rest) = above.quotientAndRemainder(dividingBy: below)
            let next = (quotient * this.0 + last.0, quotient * this.1 + last.1)
            if max(next.0, next.1) > most { break }
            (last, this) = (this, next)
            (above, below) = (below, rest)
        }
        return this
    }
}
