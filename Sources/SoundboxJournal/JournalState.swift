import Glibc
import SoundboxCore
import SoundboxPlatform
import Synchronization

/// What other threads and the journal thread hand each other.
final class JournalState: Sendable {
    struct State {
        /// Rows whose commit is not asked for yet, those that wait for it, and those of the one that is under way. What
        /// was recorded between two commits goes to the disk in one transaction, or not at all.
        var recorded = Backlog()
        var queued = Backlog()
        var committing = Backlog()
        var tickets: [UInt64] = []
        /// The newest time that was worth believing, and what notices are too old by.
        var trustedTime: Timestamp?
        var isStopping = false
        /// What a reader has found wrong with the file.
        var damage: JournalError?
        /// The number of the receipt that was recorded last, and what is to be added to a number for the file's: its
        /// highest one when it was opened first.
        var lastReceipt: Int64 = 0
        var receiptBase: Int64?
        /// Receipts that the broker has, and that the next commit deletes.
        var delivered: Set<Int64> = []
        /// Receipts that were given up for want of space in memory.
        var lostReceipts = 0
    }

    let path: String
    let limits: Journal.Limits
    let handler: @Sendable (JournalEvent) -> Void
    let state = Mutex(State())
    let reader: Mutex<Reader?>
    let heartbeat = Atomic<UInt64>(0)
    let wakeEvent: EventDescriptor
    let endEvent: EventDescriptor

    /// Deletions never ask for a commit of their own, until there are so many.
    static let deliveredLimit = 100

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

    func wake() {
        wakeEvent.signal()
    }

    // MARK: - Recording

    func record(_ notice: NoticeRecord) {
        state.withLock { $0.recorded.record(notice, limit: limits.backlog) }
    }

    func record(_ command: CommandRecord) {
        state.withLock { $0.recorded.record(command, limit: limits.commands) }
    }

    func record(topic: String, payload: String) {
        state.withLock { state in
            state.lastReceipt += 1
            let receipt = KeptReceipt(number: state.lastReceipt, topic: topic, payload: payload)
            if state.recorded.record(receipt, limit: limits.backlog) { state.lostReceipts += 1 }
        }
    }

    func keep(_ key: String, _ value: String) {
        state.withLock { $0.recorded.keep(key, value) }
    }

    func commit(ticket: UInt64, trustedTime: Timestamp?) -> Int64 {
        defer { wake() }
        return state.withLock { state in
            state.lostReceipts += state.queued.add(state.recorded, limits: limits)
            state.recorded = Backlog()
            state.tickets.append(ticket)
            state.trustedTime = trustedTime ?? state.trustedTime
            return state.lastReceipt
        }
    }

    func delivered(receipt number: Int64) {
        let isDue = state.withLock { state in
            // What is not on its way to the disk need not go there.
            guard !state.queued.remove(receipt: number) else { return false }
            state.delivered.insert(number)
            return state.delivered.count % JournalState.deliveredLimit == 0
        }
        if isDue { wake() }
    }

    func stop(within milliseconds: Int32) -> Bool {
        state.withLock { $0.isStopping = true }
        wake()
        let hasEnded = endEvent.wait(milliseconds: milliseconds)
        // Given back for whoever stops it a second time.
        if hasEnded { endEvent.signal() }
        return hasEnded
    }

    // MARK: - Reading

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

    /// A row that is not on the disk yet, the newest.
    func pending(id: String) -> NoticeRecord? {
        state.withLock { state in
            state.recorded.notice(id: id) ?? state.queued.notice(id: id) ?? state.committing.notice(id: id)
        }
    }

    /// Of the rows that are not on the disk yet the newest of each id, where it is wanted, in the order in which they came.
    private func pending(where isWanted: (NoticeRecord) -> Bool) -> [NoticeRecord] {
        state.withLock { state in
            var rows = state.committing
            _ = rows.add(state.queued, limits: limits)
            _ = rows.add(state.recorded, limits: limits)
            return rows.noticeOrder.compactMap { rows.notices[$0] }.filter(isWanted)
        }
    }

    func spokenPayment(back: Int) -> NoticeRecord? {
        // What is not on the disk yet was spoken after all that is. A row may be there by now, too: it counts once.
        let pending = self.pending { $0.state == .spoken && $0.kind == .payment }
        guard back >= pending.count else { return pending.dropLast(max(0, back)).last }
        let known = Set(pending.map { Array($0.id.utf8) })
        return read { reader throws(JournalError) in
            try reader.spokenPayment(back: back - pending.count, except: known)
        } ?? nil
    }

    func totals(since: Timestamp) -> [Total] {
        let pending = self.pending { notice in
            (notice.kind == .payment || notice.kind == .refund) && notice.spokenAt.map { $0 >= since } ?? false
        }
        var sums = Sums()
        let found = read { reader throws(JournalError) in try reader.sums(since: since, with: pending) }
        if let found {
            sums = found
        } else {
            for notice in pending { sums.add(notice) }
        }
        return sums.totals
    }

    func kept(_ key: String) -> String? {
        let pending = state.withLock { state in
            state.recorded.settings[key] ?? state.queued.settings[key] ?? state.committing.settings[key]
        }
        return pending ?? read { reader throws(JournalError) in try reader.setting(key) } ?? nil
    }

    func receipts(after: Int64, through: Int64, limit: Int) -> [KeptReceipt] {
        let (pending, base, delivered) = state.withLock { state in
            let rows = [state.committing.receipts, state.queued.receipts].joined()
            let wanted = rows.lazy.filter { $0.number > after && $0.number <= through }.prefix(limit)
            return (Array(wanted), state.receiptBase ?? 0, state.delivered)
        }
        // A row that was pending a moment ago may be on the disk by now, never the other way round.
        let deleted = delivered.count { $0 > after && $0 <= through }
        let stored = read { reader throws(JournalError) in
            try reader.receipts(after: after + base, through: through + base, limit: limit + deleted)
        }
        var found = (stored ?? []).map { receipt in
            KeptReceipt(number: receipt.number - base, topic: receipt.topic, payload: receipt.payload)
        }
        let last = found.last?.number ?? after
        found += pending.filter { $0.number > last }
        return Array(found.lazy.filter { !delivered.contains($0.number) }.prefix(limit))
    }
}
