import Foundation
import SoundboxCore
import TestBroker

@testable import SoundboxJournal

/// A journal in a folder of its own, with its events.
final class Desk {
    let folder: URL
    let log = EventLog<JournalEvent>()
    private(set) var journal: Journal
    private var ticket: UInt64 = 0

    var path: String { folder.appendingPathComponent("journal.db").path }

    init(in folder: URL? = nil, limits: Journal.Limits = Journal.Limits()) throws {
        let folder = try folder ?? temporaryFolder("journal")
        self.folder = folder
        let path = folder.appendingPathComponent("journal.db").path
        journal = try Journal(path: path, limits: limits) { [log] in log.append($0) }
    }

    /// Commits, waits for it, and returns why it failed.
    @discardableResult
    func commit(now: Timestamp? = .noon) throws -> JournalError? {
        ticket += 1
        journal.commit(ticket: ticket, trustedTime: now)
        return try outcome(of: ticket)
    }

    func outcome(of ticket: UInt64) throws -> JournalError? {
        try log.wait { events in
            for case .committed(ticket, let failure) in events { return .some(failure) }
            return nil
        }
    }

    func close() {
        journal.stop(within: 20_000)
    }

    func remove() {
        close()
        try? FileManager.default.removeItem(at: folder)
    }
}

extension Timestamp {
    static let noon = Timestamp(milliseconds: 1_790_000_000_000)

    func adding(_ milliseconds: Int64) -> Timestamp {
        Timestamp(milliseconds: self.milliseconds + milliseconds)
    }
}

extension NoticeRecord {
    /// A notice with every column filled.
    static func sample(_ id: String, receivedAt: Timestamp = .noon) -> NoticeRecord {
        NoticeRecord(
            id: id, channel: "alipay", amount: Amount(minorUnits: 10_065, currency: .cny),
            paidAt: receivedAt.adding(-5),
            receivedAt: receivedAt, payload: Array(#"{"id":"\#(id)"}"#.utf8))
    }
}
