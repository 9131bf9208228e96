/// Decides everything: what is said and when, what is recorded, what the backend is told.
///
/// A pure state machine: it does no I/O, has no clock and no thread. The runtime's control thread owns it, hands it
/// what happened with ``handle(_:at:)``, ends each turn with ``endTurn(at:)``, and performs the effects in their order.
/// So whatever can be wrong about money, order and duplicates shows in a test without a device.
public struct Speaker {
    /// A notice between being taken and being done with.
    struct OpenNotice {
        var record: NoticeRecord
        var receivedAt: UInt64
        /// Where the journal has it, for one that was read back from there.
        var place: Int64?
        /// How old it was at a monotonic time, once that could be told.
        var age: (milliseconds: Int64, at: UInt64)?
        /// Why something else than the amount is said: its receipt's reason.
        var substitute: String?
        var playedAt: UInt64?
        var beganAt: UInt64?
        /// Receipts that must not overtake `accepted`; nil once that is out.
        var held: [Receipt]? = []
    }

    /// What waits for one commit.
    struct Turn {
        var notices: [String] = []
        var batch: UInt64?
        var hasRecords = false
    }

    var settings: Settings
    var planner: Planner
    let ports: Ports
    let clock: BelievedClock
    var kept: Kept
    /// Whether it is night, and when that changes.
    var isNight = false
    var nightDue: UInt64 = .max
    /// What the audio engine was last told.
    var toldVolume: Int

    var open = TableByText<OpenNotice>()
    /// In the order in which they will be said.
    var waiting: [Announcement] = []
    var current: Announcement?
    /// By the id of the announcement that says it.
    var summaries: [UInt64: Summary] = [:]
    var offline = OfflineSummaries()
    var overflow = Overflow()
    /// What came to its end in this call, of which the journal does not know yet.
    var closed = TableByText<Bool>()
    var settlements: [Settlement] = []
    /// The commit that the next batch of a settlement waits for.
    var settling: UInt64?
    var repetition: Repetition?
    var announcements: UInt64 = 0
    var cardIsPresent = false
    var isStopping = false

    var commands: CommandMemory
    var reloading = false

    var turn = Turn()
    var uncommitted: [UInt64: Turn] = [:]
    var ticket: UInt64 = 0

    var isConnected = false
    var reports: Reports
    var panel = PanelState()
    private var effects: [Effect] = []

    /// A speaker with a voice, with what an earlier life left: what it kept, the commands already answered, and the notices
    /// recorded and not yet heard, which it asks for through its ports.
    public init(
        settings: Settings, planner: Planner, ports: Ports, kept: Kept? = nil, commands: [CommandRecord] = [],
        at now: Now
    ) {
        self.settings = settings
        self.planner = planner
        self.ports = ports
        self.commands = CommandMemory(commands)
        self.kept = kept ?? Kept(volume: settings.volume)
        clock = BelievedClock(startedAt: now.monotonic, floor: kept?.trustedAt)
        toldVolume = self.kept.volume
        reports = Reports(startedAt: now.monotonic)
        panel.offlineSince = now.monotonic
        lookAtTheHour(clock.read(now))
        gather(at: clock.read(now))
    }

    /// The monotonic time at which ``Event/tick`` is due.
    public var deadline: UInt64 {
        if overflow.hasMore, canSpeak { return 0 }
        return min(reports.telemetryDue, reports.statusDue ?? .max, offlineDue, nightDue, panel.offlineDue)
    }

    /// Takes one event. The effects are to be performed at once and in order.
    public mutating func handle(_ event: Event, at now: Now) -> [Effect] {
        let now = clock.read(now)
        lookAtTheHour(now)
        switch event {
        case .notice(let payload, let retained, let receivedAt):
            take(notice: payload, retained: retained, receivedAt: receivedAt, at: now)
        case .oversizedNotice(let size): reject(oversized: size, at: now)
        case .command(let payload, let retained): take(command: payload, retained: retained, at: now)
        case .batch(let batch): turn.batch = batch
        case .committed(let ticket, let failure): committed(ticket, failure: failure, at: now)
        case .journalReplaced(let text): journalReplaced(text)
        case .journalOpened: overflow.isBehind = true
        case .journalFailed(let reason): journalFailed(reason)
        case .began(let id, let time): began(id, heardAt: time, at: now)
        case .ended(let id): ended(id, at: now)
        case .stopped(let id): givenUp(id, reason: "stopped", at: now)
        case .unplayable(let id, let why):
            log(.error, "cannot be played: \(why)", notice: current?.notice)
            givenUp(id, reason: "unplayable", at: now)
        case .cardOpened(let description): cardOpened(description)
        case .cardLost(let reason): cardLost(reason)
        case .underruns(let count): reports.underruns = count
        case .connected: connected()
        case .disconnected(let reason): disconnected(reason, at: now)
        case .refused(let reason):
            reports.problems["broker"] = reason
            log(.error, "broker refused: \(reason)")
        case .subscribed: reports.problems["broker"] = nil
        case .reloaded(let result, let command): reloaded(result, command: command, at: now)
        case .button(let action): press(action, at: now)
        case .line(let key, let problem): line(key, problem: problem)
        case .wasHung: panel.wasHung = true
        case .stopping: isStopping = true
        case .tick: break
        }
        sayOffline(at: now)
        releaseOffline(at: now)
        playNext(at: now)
        return takeEffects()
    }

    /// Ends a turn: commits what its events recorded, and tells what changed.
    public mutating func endTurn(at now: Now) -> [Effect] {
        let now = clock.read(now)
        settle(at: now)
        keepTime(now)
        if turn.hasRecords {
            ticket += 1
            uncommitted[ticket] = turn
            perform(.commit(ticket))
        } else if let batch = turn.batch {
            // It may repeat a notice whose commit is not through: a broker that was told so early would forget it.
            if let last = uncommitted.keys.max() {
                uncommitted[last]?.batch = batch
            } else {
                perform(.acknowledge(batch))
            }
        }
        turn = Turn()
        report(at: now)
        return takeEffects()
    }

    /// Whether the journal still owes an answer.
    public var isCommitting: Bool { !uncommitted.isEmpty }

    /// The last words of a clean stop.
    public func farewell() -> Publication {
        Publication(
            topic: settings.topics.status, payload: status("offline").text, qos: 1, retained: true)
    }

    /// What the broker says of this box when it vanishes.
    public static func will(topics: Topics) -> Publication {
        let status: JSON = .object([.init("state", "lost"), .init("box", .string(topics.box))])
        return Publication(topic: topics.status, payload: status.text, qos: 1, retained: true)
    }

    // MARK: - For the speaker's other parts

    mutating func perform(_ effect: Effect) {
        effects.append(effect)
    }

    mutating func log(_ level: LogLevel, _ text: String, notice: String? = nil) {
        perform(.log(level, text, notice: notice))
    }

    mutating func record(_ record: NoticeRecord) {
        turn.hasRecords = true
        perform(.record(record))
    }

    private mutating func takeEffects() -> [Effect] {
        defer {
            effects = []
            closed = TableByText()
        }
        return effects
    }

    // MARK: - The journal's answer

    private mutating func committed(_ ticket: UInt64, failure: String?, at now: Now) {
        if settling == ticket { settling = nil }
        if let failure {
            journalFailed(failure)
        } else {
            reports.problems["journal"] = nil
        }
        // One that was called failed because it took too long may still come to its end.
        guard let turn = uncommitted.removeValue(forKey: ticket) else { return }
        for id in turn.notices { accepted(id, isDurable: failure == nil, at: now) }
        if let batch = turn.batch { perform(.acknowledge(batch)) }
    }

    private mutating func journalReplaced(_ text: String) {
        log(.error, "journal: \(text)")
        forgetPlaces()
    }

    private mutating func journalFailed(_ reason: String) {
        if reports.problems["journal"] != reason { log(.error, "journal: \(reason)") }
        reports.problems["journal"] = reason
    }
}
