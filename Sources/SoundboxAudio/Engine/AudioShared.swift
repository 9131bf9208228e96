import SoundboxPlatform
import Synchronization

/// Everything that control and audio thread share: atomics, and memory that one of them owns at a time.
///
/// It lies behind one pointer, so that the audio thread counts no references.
struct AudioShared: ~Copyable {
    /// Announcements that may be on their way at once; the boxes are large enough for all that can come of them.
    static let announcementLimit = 64
    /// 11 s at 48 kHz.
    static let ringCapacity = 1 << 19

    let settings: AudioSettings
    let ring = SampleRing(capacity: AudioShared.ringCapacity)
    /// At most a play and a cut for each announcement, and one `forget`.
    let commands = Mailbox<AudioCommand>(capacity: 4 * AudioShared.announcementLimit)
    let events = Mailbox<AudioEvent>(capacity: 8 * AudioShared.announcementLimit)
    let toAudio: EventDescriptor
    let toControl: EventDescriptor

    let isQuitting = Atomic<Bool>(false)
    /// The control thread has frames that did not fit into the ring.
    let isHungry = Atomic<Bool>(false)
    let heartbeat = Atomic<Int>(0)
    let underruns = Atomic<Int>(0)
    /// Times the audio thread woke up, and frames and calls of writing: what an idle box must not have.
    let wakeUps = Atomic<Int>(0)
    let writes = Atomic<Int>(0)
    /// errno of the wish for real-time scheduling; 0 where it was granted.
    let schedulingError = Atomic<Int32>(0)

    init(_ settings: AudioSettings, toAudio: consuming EventDescriptor, toControl: consuming EventDescriptor) {
        self.settings = settings
        self.toAudio = toAudio
        self.toControl = toControl
    }
}

/// What does not change while the engine runs.
struct AudioSettings {
    /// ALSA's name of the device.
    var device: String
    /// The wanted rate in Hz.
    var rate: Int
    /// Nanoseconds between attempts to open the device: the first, and what it doubles up to.
    var retryAfter = 1_000_000_000
    var retryLimit = 10_000_000_000
    /// As `ps -L` shows it.
    var threadName = "audio"
}
