/// What the engine is to do, and with which device. It does not change while the engine runs.
public struct AudioSettings: Sendable {
    /// ALSA's name of the device: `default`, `plughw:CARD=Device`, …
    public var device: String
    /// The wanted rate in Hz; ``AudioEngine/format`` tells what the device has.
    public var rate: Int
    /// Seconds without an announcement after which the device is closed, so that card and amplifier may sleep. Nil keeps it
    /// awake on silence where it can: no pop, and no first syllable cut.
    public var standbyAfter: Int?
    /// Milliseconds of silence in front of the first sample of a device that stood still: some swallow 50 to 300 ms.
    public var leadIn = 0
    /// The amplifier that is to be on while something is said.
    public var amplifier: Amplifier?

    /// Milliseconds of the fade at a cut, and where a broken word begins again.
    var fade = 5
    /// Nanoseconds between attempts to open the device: the first, and what it doubles up to.
    var retryAfter = 1_000_000_000
    var retryLimit = 10_000_000_000
    /// As `ps -L` shows it.
    var threadName = "audio"

    /// Settings with the defaults of `soundbox.conf`.
    public init(device: String, rate: Int = 48_000) {
        self.device = device
        self.rate = rate
    }
}
