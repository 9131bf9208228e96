/// What the audio thread tells the control thread. The events of one announcement come in order.
public enum AudioEvent: Equatable, Sendable, BitwiseCopyable {
    /// The first sample of the announcement is heard: at the device, at this time of CLOCK_MONOTONIC.
    case began(id: UInt64, nanoseconds: UInt64)
    /// The last sample of the announcement was heard.
    case ended(id: UInt64)
    /// ``AudioEngine/stop()`` cut the announcement, or kept it from beginning.
    case stopped(id: UInt64)
    /// The sound broke within this announcement, which then went on, or was said again from the clip in which it broke:
    /// so many times, and so many frames said again, since the start.
    case underrun(id: UInt64, count: Int, replayed: Int)
    /// The device failed, or is not there. What was accepted and not ended is forgotten: the caller says it again,
    /// from its beginning, once the device is ``opened(_:)``.
    case lost(PCMError)
    /// The device is ready. Clips have to be at its rate.
    case opened(PCMFormat)
}

/// What the control thread tells the audio thread, in order.
enum AudioCommand: BitwiseCopyable {
    /// An announcement from one position of the ring to another; its frames may still be on their way.
    case play(Announcement)
    /// What is said, and what follows, gets this gain.
    case volume(Int32)
    /// Nothing before this position is to be heard any more.
    case cut(Int)
    /// The control thread knows of the loss: nothing before this position counts.
    case forget(Int)
}

/// An announcement in the ring.
struct Announcement: BitwiseCopyable {
    var id: UInt64
    /// Position of its first frame.
    var start: Int
    /// Position behind its last frame.
    var end: Int
    /// As ``Volume/gain``.
    var gain: Int32 = Volume.unity
    var began = false
}
