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
    /// Where clips and pauses begin in the ring. What does not fit is left out: a broken word is then said again from an
    /// earlier one on.
    let marks = Mailbox<Int>(capacity: 1024)
    /// A play, a cut and a volume for each announcement fit, and one `forget`.
    let commands = Mailbox<AudioCommand>(capacity: 4 * AudioShared.announcementLimit)
    let events = Mailbox<AudioEvent>(capacity: 8 * AudioShared.announcementLimit)
    let toAudio: EventDescriptor
    let toControl: EventDescriptor

    let isQuitting = Atomic<Bool>(false)
    /// The control thread has frames that did not fit into the ring.
    let isHungry = Atomic<Bool>(false)
    let heartbeat = Atomic<Int>(0)
    /// Times that the sound broke, and frames that were said again for it.
    let gaps = Atomic<Int>(0)
    let replayed = Atomic<Int>(0)
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

extension AudioShared {
    /// Tells the control thread, and wakes it. Audio thread only.
    func tell(_ event: AudioEvent) {
        _ = events.push(event)
        toControl.signal()
    }

    /// Nothing before this position will be heard any more. Audio thread only.
    func forgetMarks(before position: Int) {
        while let mark = marks.peek(0), mark < position { _ = marks.pop() }
    }
}
