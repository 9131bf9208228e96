import Glibc
import SoundboxCore
import SoundboxPlatform
import Synchronization

/// What the journal thread reports.
public enum JournalEvent: Sendable {
    /// Everything that was recorded before `commit(ticket:now:)` is on the disk, or `failure` says why not. Then the
    /// rows are kept and tried again with the next commit.
    case committed(ticket: UInt64, failure: JournalError?)
    /// The file was damaged and a new one was started; says what was wrong and where the old one is.
    case replaced(String)
}

/// The durable record of notices and commands: an SQLite file with a write-ahead log, synced at each commit, written on
/// a thread of its own so that a slow card stalls nobody.
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

    /// Adds a notice, or replaces the one with its id. On the disk after the next commit; any thread, never blocks.
    public func record(_ notice: NoticeRecord) {
        state.record(notice)
    }

    /// Adds a command and its reply, of which the newest 256 are kept. As with a notice.
    public func record(_ command: CommandRecord) {
        state.record(command)
    }

    /// Has all that was recorded so far put on the disk in one transaction, together with what others asked for in the
    /// meantime, and then reports the ticket. Any thread, never blocks.
    ///
    /// - Parameter now: what notices are too old by.
    public func commit(ticket: UInt64, now: Timestamp) {
        state.commit(ticket: ticket, now: now)
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

    /// The commands on the disk, the oldest first. Any thread.
    public func commands() -> [CommandRecord] {
        state.read { reader throws(JournalError) in try reader.commands() } ?? []
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
