import Glibc
import SoundboxCore
import SoundboxPlatform
import Synchronization

/// What the journal thread reports.
public enum JournalEvent: Sendable {
    /// Everything that was recorded before `commit(ticket:trustedTime:)` is on the disk, or `failure` says why not. Then
    /// the rows are kept and tried again with the next commit.
    case committed(ticket: UInt64, failure: JournalError?)
    /// The file, which could not be opened at the start, is there now, with what earlier processes left.
    case opened
    /// So many receipts were given up: there is room for 200,000, and for 10,000 that cannot be written.
    case receiptsLost(Int)
    /// The file was damaged and a new one was started; says what was wrong and where the old one is.
    case replaced(String)
}

/// The durable record of notices, commands, settings and receipts on their way: an SQLite file with a write-ahead log,
/// synced at each commit, written on a thread of its own so that a slow card stalls nobody.
///
/// A file that cannot be opened or written, for want of space or permission, stops nothing: the newest 10,000 rows are
/// kept in memory, each commit says that it failed, and the next one tries again.
public final class Journal: Sendable {
    /// How much is kept.
    struct Limits {
        /// Rows of notices, and milliseconds after which one goes.
        var notices = 200_000
        var age: Int64 = 30 * 86_400_000
        var commands = 256
        var receipts = 200_000
        /// How many of the oldest notices a commit looks at.
        var pruneStep = 200
        /// Rows in memory that could not be written.
        var backlog = 10_000
    }

    /// What was wrong with a file that was damaged, and where it is now; a new one was started.
    public let recovered: String?
    /// Why there is no file. Each commit tries again.
    public let openFailure: JournalError?
    private let state: JournalState

    /// Opens the file, or makes it with mode 0600, checks it, and starts the thread `journal`. The check reads the whole
    /// file, so this may take a second or two.
    ///
    /// - Parameter handler: called on the journal thread, in order. It may call everything here but `stop`.
    /// - Throws: for a file of a later version of this program, which is left as it is.
    public convenience init(
        path: String, handler: @escaping @Sendable (JournalEvent) -> Void
    ) throws(JournalError) {
        try self.init(path: path, limits: Limits(), handler: handler)
    }

    init(path: String, limits: Limits, handler: @escaping @Sendable (JournalEvent) -> Void) throws(JournalError) {
        state = try JournalState(path: path, limits: limits, handler: handler)
        var writer: Writer?
        do {
            (writer, recovered) = try state.open()
            openFailure = nil
        } catch {
            guard error.code != JournalError.futureSchema else { throw error }
            recovered = nil
            openFailure = error
        }
        let context = ThreadContext(state, writer)
        do throws(SystemError) {
            try NamedThread("journal") { context.run() }.detach()
        } catch {
            errno = error.code
            throw JournalError(errno: "start thread")
        }
    }

    deinit {
        _ = state.stop(within: 0)
    }

    /// Adds a notice, or replaces the one with its id. On the disk after the next commit, together with all else that is
    /// recorded until then, or not at all; any thread, never blocks.
    public func record(_ notice: NoticeRecord) {
        state.record(notice)
    }

    /// Adds a command and its reply, of which the newest 256 are kept. As with a notice.
    public func record(_ command: CommandRecord) {
        state.record(command)
    }

    /// Adds a receipt that is kept until it is `delivered`. As with a notice.
    public func record(receipt payload: String, topic: String) {
        state.record(topic: topic, payload: payload)
    }

    /// Sets a setting that must survive a restart. As with a notice.
    public func keep(_ key: String, _ value: String) {
        state.keep(key, value)
    }

    /// Has all that was recorded so far put on the disk in one transaction, together with what others asked for in the
    /// meantime, and then reports the ticket. Any thread, never blocks.
    ///
    /// - Parameter trustedTime: now, what notices are too old by; nil while the clock is not to be believed.
    /// - Returns: the number of the last receipt that was recorded so far.
    @discardableResult
    public func commit(ticket: UInt64, trustedTime: Timestamp?) -> Int64 {
        state.commit(ticket: ticket, trustedTime: trustedTime)
    }

    /// The receipts behind a number, up to another one that a `commit` returned, in their order, and no more than `limit`
    /// of them. Those that cannot be written are among them. Any thread.
    public func receipts(after: Int64, through: Int64, limit: Int) -> [KeptReceipt] {
        state.receipts(after: after, through: through, limit: limit)
    }

    /// The broker has a receipt: it is deleted with one of the next commits. That costs no commit of its own, and where
    /// the process dies before, the receipt is sent a second time. Any thread, never blocks.
    public func delivered(receipt number: Int64) {
        state.delivered(receipt: number)
    }

    /// The notice with this id, also when it is not committed yet. Any thread; microseconds.
    public func notice(id: String) -> NoticeRecord? {
        state.pending(id: id) ?? state.read { reader throws(JournalError) in try reader.notice(id: id) } ?? nil
    }

    /// The notices on the disk that were accepted and not heard, in the order in which they came: those behind a place, at
    /// most so many. Any thread.
    public func unspoken(after place: Int64 = 0, limit: Int = .max) -> [FiledNotice] {
        state.read { reader throws(JournalError) in try reader.unspoken(after: place, limit: limit) } ?? []
    }

    /// The payment that was spoken last for 0, the one before it for 1, and so on, in the order in which they came in;
    /// also when it is not committed yet. Any thread.
    public func spokenPayment(back: Int) -> NoticeRecord? {
        state.spokenPayment(back: back)
    }

    /// Counts and sums of what was spoken from a time on, also when it is not committed yet, in the order of the
    /// currencies' codes. A sum that leaves 64 bits stays at their end. Any thread.
    public func totals(since: Timestamp) -> [Total] {
        state.totals(since: since)
    }

    /// A setting that was kept, also when it is not committed yet. Any thread.
    public func kept(_ key: String) -> String? {
        state.kept(key)
    }

    /// The commands on the disk, the oldest first. Any thread.
    public func commands() -> [CommandRecord] {
        state.read { reader throws(JournalError) in try reader.commandRecords() } ?? []
    }

    /// Commits what is left, closes the file and ends the thread; false where that took longer than `milliseconds`. Not
    /// from the handler.
    @discardableResult
    public func stop(within milliseconds: Int = 1000) -> Bool {
        state.stop(within: Int32(clamping: milliseconds))
    }

    /// Advances with every turn of the thread: after a `poke` it has moved on once the commit that is under way is
    /// through, or the thread hangs. Any thread.
    public var heartbeat: UInt64 { state.heartbeat.load(ordering: .relaxed) }

    /// Makes the thread turn once. Any thread.
    public func poke() {
        state.wake()
    }
}

/// Carries the writer to its thread, which alone touches it from then on: therefore unchecked.
private final class ThreadContext: @unchecked Sendable {
    private let state: JournalState
    private var writer: Writer?

    init(_ state: JournalState, _ writer: Writer?) {
        self.state = state
        self.writer = writer
    }

    func run() {
        state.run(&writer)
    }
}
