@testable import SoundboxCore

/// The journal of a test: what was recorded, and what of it is in the file.
final class TestShelf {
    private(set) var file: [FiledNotice] = []
    private(set) var commands: [CommandRecord] = []
    private(set) var kept: Speaker.Kept?
    private var placeOf = TableByText<Int>()
    private var newest = TableByText<NoticeRecord>()
    private var spoken: [String] = []
    private var recorded: [Effect] = []
    private var batches: [(ticket: UInt64, effects: [Effect])] = []

    /// What an earlier life left in the file.
    init(_ records: [NoticeRecord] = [], commands: [CommandRecord] = [], kept: Speaker.Kept? = nil) {
        self.commands = commands
        self.kept = kept
        for record in records { write(.record(record)) }
    }

    /// What is left when the power fails: the file.
    func afterCrash() -> TestShelf { TestShelf(file.map(\.record), commands: commands, kept: kept) }

    func take(_ effects: [Effect]) {
        for effect in effects {
            switch effect {
            case .record(let record):
                recorded.append(effect)
                newest[record.id] = record
                if record.state == .spoken { spoken.append(record.id) }
            case .recordCommand, .keep: recorded.append(effect)
            case .commit(let ticket):
                batches.append((ticket, recorded))
                recorded = []
            default: break
            }
        }
    }

    /// A commit that succeeds writes what earlier ones could not, too.
    func commit(_ ticket: UInt64) {
        while let batch = batches.first, batch.ticket <= ticket {
            for effect in batch.effects { write(effect) }
            batches.removeFirst()
        }
    }

    private func write(_ effect: Effect) {
        switch effect {
        case .record(let record):
            if newest[record.id] == nil, record.state == .spoken { spoken.append(record.id) }
            newest[record.id] = newest[record.id] ?? record
            if let index = placeOf[record.id] {
                file[index].record = record
            } else {
                placeOf[record.id] = file.count
                file.append(FiledNotice(place: Int64(file.count) + 1, record: record))
            }
        case .recordCommand(let record): commands.append(record)
        case .keep(let kept): self.kept = kept
        default: break
        }
    }

    /// The file was damaged: a new one begins with nothing.
    func replace() {
        file = []
        placeOf = .init()
    }

    /// What the file has of a notice.
    func filed(_ id: String) -> NoticeRecord? { placeOf[id].map { file[$0].record } }

    // MARK: - What the speaker asks

    func notice(_ id: String) -> NoticeRecord? { newest[id] }

    func unspoken(after place: Int64, limit: Int) -> [FiledNotice] {
        let start = Int(max(0, min(place, Int64(file.count))))
        return Array(file[start...].lazy.filter { $0.record.state == .accepted }.prefix(limit))
    }

    func spokenPayment(_ back: Int) -> NoticeRecord? {
        let payments = spoken.compactMap { newest[$0] }.filter { $0.kind == .payment }
        return payments.count > back ? payments[payments.count - 1 - back] : nil
    }

    func totals(since start: Timestamp) -> [Total] {
        var totals: [Currency: Total] = [:]
        for record in spoken.compactMap({ newest[$0] }) {
            guard let amount = record.amount, let time = record.spokenAt, time >= start else { continue }
            var total = totals[amount.currency] ?? Total(currency: amount.currency)
            if record.kind == .refund {
                total.refunds += 1
                total.refunded += amount.minorUnits
            } else {
                total.payments += 1
                total.paid += amount.minorUnits
            }
            totals[amount.currency] = total
        }
        return Array(totals.values)
    }
}
