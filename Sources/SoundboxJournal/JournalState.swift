import Glibc
import SoundboxCore
import SoundboxPlatform
import Synchronization

/// What other threads and the journal thread hand each other, and the thread's body.
final class JournalState: Sendable {
    private struct State {
        /// Rows that wait for a commit, and those of the commit that is under way.
        var queued = Backlog()
        var committing = Backlog()
        var tickets: [UInt64] = []
        var now = Timestamp(milliseconds: 0)
        var isStopping = false
        /// What a reader has found wrong with the file.
        var damage: JournalError?
    }

    private let path: String
    private let limits: Journal.Limits
    private let handler: @Sendable (JournalEvent) -> Void
    private let state = Mutex(State())
    private let reader: Mutex<Reader?>
    let heartbeat = Atomic<UInt64>(0)
    private let wakeEvent: EventDescriptor
    private let endEvent: EventDescriptor

    init(
        path: String, limits: Journal.Limits, handler: @escaping @Sendable (JournalEvent) -> Void
    ) throws(JournalError) {
        self.path = path
        self.limits = limits
        self.handler = handler
        reader = Mutex(nil)
        do throws(SystemError) {
            wakeEvent = try EventDescriptor()
            endEvent = try EventDescriptor()
        } catch {
            throw JournalError(errno: "create eventfd")
        }
    }

    // MARK: - Any thread

    func wake() {
        wakeEvent.signal()
    }

    func record(_ notice: NoticeRecord) {
        state.withLock { $0.queued.record(notice, limit: limits.backlog) }
    }

    func record(_ command: CommandRecord) {
        state.withLock { $0.queued.record(command, limit: limits.commands) }
    }

    func commit(ticket: UInt64, now: Timestamp) {
        state.withLock { state in
            state.tickets.append(ticket)
            state.now = now
        }
        wake()
    }

    func stop(within milliseconds: Int32) -> Bool {
        state.withLock { $0.isStopping = true }
        wake()
        let hasEnded = endEvent.wait(milliseconds: milliseconds)
        // Given back for whoever stops it a second time.
        if hasEnded { endEvent.signal() }
        return hasEnded
    }

    /// A row that waits for its commit, newest first.
    func pending(id: String) -> NoticeRecord? {
        state.withLock { $0.queued.notice(id: id) ?? $0.committing.notice(id: id) }
    }

    /// What the file holds; nil where there is none to read. Damage is mended at the next commit.
    func read<Found: Sendable>(_ body: (Reader) throws(JournalError) -> Found) -> Found? {
        let result = reader.withLock { reader -> Result<Found, JournalError>? in
            guard let reader else { return nil }
            do throws(JournalError) {
                return .success(try body(reader))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let found): return found
        case .failure(let error) where error.isDamage:
            state.withLock { $0.damage = error }
            return nil
        case .failure, nil: return nil
        }
    }

    // MARK: - The journal thread

    /// Opens the file and says where a damaged one went.
    func open() throws(JournalError) -> (writer: Writer, replaced: String?) {
        do {
            return (try openConnections(), nil)
        } catch {
            guard error.isDamage else { throw error }
            return try replace(because: error)
        }
    }

    private func openConnections() throws(JournalError) -> Writer {
        let writer = try Writer(path: path)
        let path = path
        let failure = reader.withLock { reader -> JournalError? in
            do throws(JournalError) {
                reader = try Reader(path: path)
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
        return writer
    }

    private func replace(because error: JournalError) throws(JournalError) -> (writer: Writer, replaced: String?) {
        reader.withLock { $0 = nil }
        let name = try JournalFile.moveAside(path)
        return (try openConnections(), "\(error): moved to \(name)")
    }

    /// The thread's body: commits until it is told to stop.
    func run(_ writer: inout Writer?) {
        var isStopping = false
        while !isStopping {
            heartbeat.add(1, ordering: .relaxed)
            wakeEvent.wait(milliseconds: -1)
            let (tickets, now, damage) = state.withLock { state in
                isStopping = state.isStopping
                defer {
                    state.tickets = []
                    state.damage = nil
                }
                return (state.tickets, state.now, state.damage)
            }
            guard !tickets.isEmpty || isStopping else { continue }
            let failure = commit(with: &writer, now: now, damage: damage)
            for ticket in tickets { handler(.committed(ticket: ticket, failure: failure)) }
        }
        // The last connection to close writes the log into the file, which a reader cannot.
        reader.withLock { $0 = nil }
        writer = nil
        endEvent.signal()
    }

    /// Commits all rows that wait; those of a commit that failed wait again.
    private func commit(with writer: inout Writer?, now: Timestamp, damage: JournalError?) -> JournalError? {
        var rows = state.withLock { state in
            state.committing = state.queued
            state.queued = Backlog()
            return state.committing
        }
        let failure: JournalError?
        do throws(JournalError) {
            if let damage { try replace(&writer, because: damage) }
            do throws(JournalError) {
                try write(rows, with: &writer, now: now)
            } catch {
                guard error.isDamage else { throw error }
                try replace(&writer, because: error)
                try write(rows, with: &writer, now: now)
            }
            failure = nil
        } catch {
            failure = error
        }
        // Given back before the merge, which would otherwise copy what both hold.
        rows = Backlog()
        state.withLock { state in
            if failure != nil {
                let newer = state.queued
                swap(&state.queued, &state.committing)
                for key in newer.noticeOrder {
                    if let notice = newer.notices[key] { state.queued.record(notice, limit: limits.backlog) }
                }
                for key in newer.commandOrder {
                    if let command = newer.commands[key] { state.queued.record(command, limit: limits.commands) }
                }
            }
            state.committing = Backlog()
        }
        return failure
    }

    private func write(_ rows: Backlog, with writer: inout Writer?, now: Timestamp) throws(JournalError) {
        if writer == nil {
            let (opened, replaced) = try open()
            writer = opened
            if let replaced { handler(.replaced(replaced)) }
        }
        if !rows.isEmpty { try writer?.commit(rows, now: now, limits: limits) }
    }

    private func replace(_ writer: inout Writer?, because error: JournalError) throws(JournalError) {
        writer = nil
        let (opened, replaced) = try replace(because: error)
        writer = opened
        if let replaced { handler(.replaced(replaced)) }
    }
}
