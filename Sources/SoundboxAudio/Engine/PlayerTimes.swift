/// The lengths that a ``Player`` works with, in frames of its device.
struct PlayerTimes: BitwiseCopyable {
    /// A gap up to this long, in milliseconds, is a stumble; after a longer one the word is said again.
    static let stumble = 30
    /// A change of volume takes so many milliseconds: too slow to click, too fast to be heard as a fade.
    static let rampTime = 20

    /// How far ahead of the hardware an announcement enters, and how far ahead what follows can be taken back: what
    /// the thread needs to wake up and write, and what the card may be further than it says.
    let lead: Int
    /// How much sound the device is given. All that it holds where it can be taken back; else as much as may be heard
    /// after a stop.
    let depth: Int
    let fade: Int
    let ramp: Int
    let stumble: Int
    /// Silence in front of the first frame of a device that stood still.
    let leadIn: Int
    /// Silence in front of the first frame after the amplifier was switched on.
    let amplifierLead: Int

    init(_ settings: AudioSettings, _ format: PCMFormat) {
        lead = min(format.frames(milliseconds: 10) + (format.isBatch ? format.period : 0), format.buffer / 2)
        fade = format.frames(milliseconds: settings.fade)
        ramp = format.frames(milliseconds: Self.rampTime)
        stumble = format.frames(milliseconds: Self.stumble)
        leadIn = format.frames(milliseconds: settings.leadIn)
        amplifierLead = format.frames(milliseconds: settings.amplifier?.lead ?? 0)
        let isDeep = format.runsFree && format.rewinds
        // Room for a fade stays where nothing can be taken back.
        depth =
            isDeep
            ? format.buffer : max(format.period, min(format.frames(milliseconds: 100), format.buffer - fade))
    }
}
