/// A random generator whose run can be repeated from its seed, which the test prints. SplitMix64.
public struct SeededGenerator: RandomNumberGenerator {
    /// What it started from.
    public let seed: UInt64
    private var state: UInt64

    /// A generator from a seed, or from one that is drawn.
    public init(seed: UInt64 = .random(in: 0 ... .max)) {
        self.seed = seed
        state = seed
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
