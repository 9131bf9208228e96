/// Now, on both clocks.
public struct Now: Equatable, Sendable {
    /// Nanoseconds of a clock that never jumps (CLOCK_MONOTONIC): what everything is timed by.
    public var monotonic: UInt64
    /// The wall clock: what people and receipts are told.
    public var wall: Timestamp
    /// Whether the wall clock has been synchronised since boot.
    public var wallIsTrusted: Bool

    /// One reading of both clocks.
    public init(monotonic: UInt64, wall: Timestamp, wallIsTrusted: Bool) {
        self.monotonic = monotonic
        self.wall = wall
        self.wallIsTrusted = wallIsTrusted
    }
}

/// What an ``Announcement`` is for, and so what it gives way to: a payment is said before any prompt, and a prompt before
/// any tick or chime.
public enum Priority: Int, Comparable, Sendable {
    case chime, prompt, payment

    /// A payment is above a prompt, a prompt above a chime.
    public static func < (left: Priority, right: Priority) -> Bool {
        left.rawValue < right.rawValue
    }
}

/// One thing that will be said, whole and without another over it.
public struct Announcement: Equatable, Sendable {
    /// Counts up; the audio engine reports by it.
    public var id: UInt64
    /// What is said, from which another voice makes a plan of its own.
    public var utterance: Utterance
    /// The clips and pauses that say it.
    public var plan: ClipPlan
    /// What it gives way to.
    public var priority: Priority
    /// The notice that it says, where it says a single one for the first time.
    public var notice: String?
    /// Said even while muted: the answer to being muted or not.
    public var ignoresMute = false
}

/// Something that happened, for ``Speaker/handle(_:at:)``.
public enum Event: Sendable {
    /// A message on the pay topic, read from the network at this monotonic time in nanoseconds.
    case notice(payload: [UInt8], retained: Bool, receivedAt: UInt64)
    /// A message on the pay topic of so many bytes that it was not even kept.
    case oversizedNotice(Int)
    /// A message on a command topic.
    case command(payload: [UInt8], retained: Bool)
    /// All messages up to here arrived together; the broker waits for their acknowledgement.
    case batch(UInt64)
    /// Everything recorded before ``Effect/commit(_:)`` with this ticket is in the journal, or could not be.
    case committed(UInt64, failure: String?)
    /// The journal's file was damaged and a new one was started: what only it had is gone.
    case journalReplaced(String)
    /// The journal's file is there only now, with what an earlier life left in it.
    case journalOpened
    /// The journal cannot be written, for this reason; a commit that succeeds ends it.
    case journalFailed(String)
    /// The first sample of an announcement is at the device, at this monotonic time in nanoseconds.
    case began(UInt64, at: UInt64)
    /// The last sample of an announcement was played.
    case ended(UInt64)
    /// An announcement was cut.
    case stopped(UInt64)
    /// The audio engine cannot play an announcement, for this reason.
    case unplayable(UInt64, String)
    /// The sound card opened, as this line says.
    case cardOpened(String)
    /// The sound card is away, for this reason. What was being said is said again from its beginning.
    case cardLost(String)
    /// So many gaps in the sound since the start.
    case underruns(Int)
    /// The broker has us; every subscription was sent.
    case connected
    /// The connection ended, or could not be made.
    case disconnected(String)
    /// The broker refused us: a login or a subscription.
    case refused(String)
    /// All subscriptions were granted.
    case subscribed
    /// A new voice, or why there is none; the answer to ``Effect/reload(command:)`` where a command asked.
    case reloaded(Result<Speaker.Voice, ReloadError>, command: String?)
    /// A button was used.
    case button(Buttons.Action)
    /// A light or a button, by its key, cannot be used for this reason, or can be again.
    case line(String, problem: String?)
    /// The watchdog ended the life before this one.
    case wasHung
    /// The program ends: nothing more is said. What was not heard to its end stays accepted, for the next start.
    case stopping
    /// Time passed: ``Speaker/deadline``.
    case tick
}

/// Why the voice or the settings could not be read anew; the old ones stay.
public struct ReloadError: Error, Equatable, Sendable {
    /// The file, and why; for the log and the reply.
    public var text: String

    /// The new one cannot be used, for this reason.
    public init(_ text: String) {
        self.text = text
    }
}

/// Something to be done about it, in this order, by the runtime.
public enum Effect: Equatable, Sendable {
    /// Hand an announcement to the audio engine, at a volume from 1 to 100.
    case play(Announcement, volume: Int)
    /// Cut what the audio engine plays.
    case stop
    /// Let a light show that a press was felt.
    case answer
    /// The volume from now on, 0 to 100, also of what is being said.
    case setVolume(Int)
    /// Write to the journal with the next commit.
    case record(NoticeRecord)
    case recordCommand(CommandRecord)
    /// Keep this over a restart, with the next commit.
    case keep(Speaker.Kept)
    /// Commit all that was recorded; answered by ``Event/committed(_:failure:)``.
    case commit(UInt64)
    /// Let the broker's acknowledgements up to this batch go out.
    case acknowledge(UInt64)
    case publish(Publication)
    /// The box's own figures, to be joined by the machine's and published.
    case telemetry([JSON.Member])
    /// Read the voice pack and the settings anew; answered by ``Event/reloaded(_:command:)``.
    case reload(command: String)
    case setLogLevel(LogLevel)
    case log(LogLevel, String, notice: String?)
}

/// One MQTT message to be sent.
public struct Publication: Equatable, Sendable {
    /// The full topic, root and box included.
    public var topic: String
    /// JSON.
    public var payload: String
    /// 0 or 1.
    public var qos: Int
    /// Whether the broker keeps it for those who subscribe later.
    public var retained: Bool
    /// Whether the journal keeps it, from the turn's commit until the broker has it; it is sent after that commit.
    public var isKept: Bool

    /// A message that neither the broker nor the journal keeps, unless they are told to.
    public init(topic: String, payload: String, qos: Int, retained: Bool = false, isKept: Bool = false) {
        self.topic = topic
        self.payload = payload
        self.qos = qos
        self.retained = retained
        self.isKept = isKept
    }
}
