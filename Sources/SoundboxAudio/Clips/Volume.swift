import Glibc

/// Software volume: what a step of 0…100 does to a sample.
///
/// The steps are even in decibels, as the ear hears them: 100 is unity and leaves every bit alone, each step below
/// takes 0.4 dB away (50 is −20 dB, 1 is −39.6 dB), and 0 is silence. The gain is fixed point, so that the same plan
/// gives the same samples on every machine.
struct Volume {
    /// Gain with ``fractionBits`` bits behind the point.
    let gain: Int32
    static let fractionBits: Int32 = 16
    static let unity: Int32 = 1 << fractionBits
    static let decibelsPerStep = 0.4

    /// A step outside 0…100 counts as the nearest inside.
    init(_ step: Int) {
        gain =
            switch step {
            case ...0: 0
            case 100...: Self.unity
            default: Int32((Double(Self.unity) * pow(10, Double(step - 100) * Self.decibelsPerStep / 20)).rounded())
            }
    }

    /// The sample at a gain of at most unity, rounded to the nearest. Never louder than it was, so it needs no saturation.
    static func scale(_ sample: Int16, _ gain: Int32) -> Int16 {
        let half: Int32 = 1 << (fractionBits - 1)
        return Int16(truncatingIfNeeded: (Int32(sample) * gain + half) >> fractionBits)
    }
}
