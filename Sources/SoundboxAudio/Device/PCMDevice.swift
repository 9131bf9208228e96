/// A sound device as the engine needs it; ``PCM`` is the real one, and tests have one that fails at will.
///
/// Only the audio thread calls these, and none of them but opening blocks: what cannot be done now gives EAGAIN.
protocol PCMDevice: ~Copyable {
    /// Opens the device that ALSA knows by this name, ready to be written to, at the rate nearest to `rate`.
    ///
    /// - Parameter known: what opening it found out before, which need not be found out again.
    static func open(_ name: UnsafePointer<CChar>, rate: Int, known: PCMFormat?) throws(PCMError) -> Self
    /// What was agreed, and what the device can do.
    var format: PCMFormat { get }
    /// How many frames can be written, and how many frames from now the last written one is heard. Of a device that runs
    /// freely there is more room than its buffer has, and the delay is negative, once it plays silence of its own.
    func status() throws(PCMError) -> (available: Int, delay: Int)
    /// Writes frames in the agreed format and returns how many were taken. The first write starts the device.
    func write(_ frames: UnsafeRawPointer, count: Int) throws(PCMError) -> Int
    /// Takes back frames that were written last and not played, and returns how many it were.
    func rewind(_ count: Int) throws(PCMError) -> Int
    /// Leaves out so many frames, and returns how many it were. Silence is there where the device runs freely.
    func forward(_ count: Int) throws(PCMError) -> Int
    /// Makes the device ready to be written to, after it stopped.
    func prepare() throws(PCMError)
    /// Stops at once; what was not heard is discarded.
    func drop() throws(PCMError)
    /// Goes on after the machine was suspended.
    func resume() throws(PCMError)
}
