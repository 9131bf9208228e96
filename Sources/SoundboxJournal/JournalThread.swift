import SoundboxCore
import Synchronization

// The journal thread's part: it opens the file, and commits until it is told to stop.

extension JournalState {
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
        let result = reader.withLock { reader -> Result<Int64, JournalError> in
            do throws(JournalError) {
                let opened = try Reader(path: path)
                let last = try opened.lastReceipt()
                reader = opened
                return .success(last)
            } catch {
                return .failure(error)
            }
        }
        let last = try result.get()
        state.withLock { $0.receiptBase = $0.receiptBase ?? last }
        return writer
    }

    private func replace(because error: JournalError) throws(JournalError) -> (writer: Writer, replaced: String?) {
        reader.withLock { $0 = nil }
        let name = try JournalFile.moveAside(path)
        return (try openConnections(), "\(error): moved to \(name)")
    }

    /// The thread's body.
    func run(_ writer: inout Writer?) {
        var isStopping = false
        while !isStopping {
            heartbeat.add(1, ordering: .relaxed)
            wakeEvent.wait(milliseconds: -1)
            let (tickets, damage, isDeletionDue) = state.withLock { state in
                isStopping = state.isStopping
                if isStopping {
                    state.lostReceipts += state.queued.add(state.recorded, limits: limits)
                    state.recorded = Backlog()
                }
                defer {
                    state.tickets = []
                    state.damage = nil
                }
                return (state.tickets, state.damage, state.delivered.count >= JournalState.deliveredLimit)
            }
            guard !tickets.isEmpty || isDeletionDue || isStopping else { continue }
            let failure = commit(with: &writer, damage: damage)
            for ticket in tickets { handler(.committed(ticket: ticket, failure: failure)) }
            let lost = state.withLock { state in
                defer { state.lostReceipts = 0 }
                return state.lostReceipts
            }
            if lost > 0 { handler(.receiptsLost(lost)) }
        }
        // The last connection to close writes the log into the file, which a reader cannot.
        reader.withLock { $0 = nil }
        writer = nil
        endEvent.signal()
    }

    /// Commits all rows that wait; those of a commit that failed wait again.
    private func commit(with writer: inout Writer?, damage: JournalError?) -> JournalError? {
        var batch = state.withLock { state in
            state.committing = state.queued
            state.queued = Backlog()
            return Writer.Batch(
                rows: state.committing, delivered: state.delivered, receiptBase: state.receiptBase ?? 0,
                trustedTime: state.trustedTime)
        }
        let failure: JournalError?
        do throws(JournalError) {
            if let damage { try replace(&writer, because: damage) }
            do throws(JournalError) {
                try write(&batch, with: &writer)
            } catch {
                guard error.isDamage else { throw error }
                try replace(&writer, because: error)
                try write(&batch, with: &writer)
            }
            failure = nil
        } catch {
            failure = error
        }
        // Given back before the merge, which would otherwise copy what both hold.
        batch.rows = Backlog()
        state.withLock { state in
            if failure == nil {
                state.delivered.subtract(batch.delivered)
            } else {
                let newer = state.queued
                swap(&state.queued, &state.committing)
                state.lostReceipts += state.queued.add(newer, limits: limits)
                // What the broker got in the meantime need not be written any more.
                for number in state.delivered where state.queued.remove(receipt: number) {
                    state.delivered.remove(number)
                }
            }
            state.committing = Backlog()
        }
        return failure
    }

    private func write(_ batch: inout Writer.Batch, with writer: inout Writer?) throws(JournalError) {
        if writer == nil {
            let isFirst = state.withLock { $0.receiptBase == nil }
            let (opened, replaced) = try open()
            writer = opened
            if let replaced { handler(.replaced(replaced)) }
            if isFirst {
                batch.receiptBase = state.withLock { $0.receiptBase ?? 0 }
                handler(.opened)
            }
        }
        guard !batch.isEmpty, let writer else { return }
        let dropped = try writer.commit(batch, limits: limits)
        state.withLock { $0.lostReceipts += dropped }
    }

    private func replace(_ writer: inout Writer?, because error: JournalError) throws(JournalError) {
        writer = nil
        let (opened, replaced) = try replace(because: error)
        writer = opened
        if let replaced { handler(.replaced(replaced)) }
    }
}
