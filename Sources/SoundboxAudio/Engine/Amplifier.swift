/// The enable line of an amplifier, which is off while nothing is said: no hiss, and no pop when the card starts.
///
/// It comes up before the first sample and goes down after the last. The audio thread switches it itself, so that no other
/// thread's delay can cut a syllable: a C function and its context, since a closure would have its references counted.
public struct Amplifier: @unchecked Sendable {
    /// Called on the audio thread with the context, and true for on. It must neither block nor allocate; an ioctl on a
    /// GPIO line does neither.
    public typealias Switch = @convention(c) (UnsafeMutableRawPointer?, Bool) -> Void

    /// Milliseconds that the amplifier needs from being switched on until it passes sound on.
    public var lead: Int
    let context: UnsafeMutableRawPointer?
    let function: Switch

    /// - Parameters:
    ///   - lead: milliseconds; a MAX98357A needs 2.
    ///   - context: must be valid until the engine is closed.
    public init(lead: Int = 5, context: UnsafeMutableRawPointer?, switch function: @escaping Switch) {
        self.lead = lead
        self.context = context
        self.function = function
    }
}
