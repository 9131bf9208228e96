import Foundation
import SoundboxCore
import TestBroker
import Testing

@testable import SoundboxJournal

/// Receipts and settings on the disk.
@Suite struct OutboxTests {
    private func all(_ desk: Desk, after: Int64 = .min, limit: Int = 1000) -> [Int64] {
        desk.journal.receipts(after: after, through: .max / 2, limit: limit).map(\.number)
    }

    private func record(_ count: ClosedRange<Int>, at desk: Desk) {
        for number in count { desk.journal.record(receipt: "r\(number)", topic: "t") }
    }

    @Test func receiptsOutliveTheProcessInTheirOrder() throws {
        let desk = try Desk()
        record(1...3, at: desk)
        #expect(all(desk).isEmpty)
        try desk.commit()
        #expect(
            desk.journal.receipts(after: 0, through: 3, limit: 9)
                == (1...3).map { KeptReceipt(number: $0, topic: "t", payload: "r\($0)") })
        #expect(all(desk, after: 1) == [2, 3] && all(desk, limit: 2) == [1, 2])
        desk.close()
        let again = try Desk(in: desk.folder)
        defer { again.remove() }
        record(4...5, at: again)
        try again.commit()
        let found = again.journal.receipts(after: .min, through: 2, limit: 9)
        #expect(found.map(\.number) == [-2, -1, 0, 1, 2])
        #expect(found.map(\.payload) == ["r1", "r2", "r3", "r4", "r5"])
    }

    @Test func whatTheBrokerHasIsDeletedWithTheNextCommit() throws {
        let desk = try Desk()
        record(1...4, at: desk)
        try desk.commit()
        for number in [1, 3] { desk.journal.delivered(receipt: Int64(number)) }
        #expect(all(desk) == [2, 4] && all(desk, limit: 1) == [2])
        try desk.commit()
        #expect(all(desk) == [2, 4])
        desk.journal.delivered(receipt: 2)
        desk.close()
        // A stop deletes what is left to delete.
        let again = try Desk(in: desk.folder)
        defer { again.remove() }
        #expect(all(again) == [0])
    }

    @Test func manyDeletionsAreACommitOfTheirOwn() throws {
        let desk = try Desk()
        defer { desk.remove() }
        record(1...150, at: desk)
        try desk.commit()
        for number in 1...100 { desk.journal.delivered(receipt: Int64(number)) }
        while try Reader(path: desk.path).receipts(after: 0, through: 1000, limit: 1000).count > 50 { usleep(1000) }
        #expect(all(desk) == Array(101...150))
    }

    @Test func receiptAndNoticeAreOnTheDiskTogetherOrNotAtAll() throws {
        let desk = try Desk()
        defer { desk.remove() }
        // Recorded, and no commit asked for yet, while another one runs.
        desk.journal.record(.sample("a"))
        desk.journal.commit(ticket: 100, trustedTime: nil)
        desk.journal.record(.sample("b"))
        desk.journal.record(receipt: "r", topic: "t")
        #expect(try desk.outcome(of: 100) == nil)
        #expect(desk.journal.unspoken().map(\.id) == ["a"] && all(desk).isEmpty)
        #expect(desk.journal.notice(id: "b") == .sample("b"))
        try desk.commit()
        #expect(desk.journal.unspoken().map(\.id) == ["a", "b"] && all(desk) == [1])
    }

    @Test func withoutADiskReceiptsAreHandedOverFromMemory() throws {
        let folder = try temporaryFolder("journal")
        defer { try? FileManager.default.removeItem(at: folder) }
        let missing = folder.appendingPathComponent("later")
        let desk = try Desk(in: missing)
        record(1...5, at: desk)
        #expect(try desk.commit() != nil)
        #expect(all(desk) == Array(1...5) && all(desk, after: 1, limit: 2) == [2, 3])
        desk.journal.delivered(receipt: 1)
        #expect(all(desk) == [2, 3, 4, 5])
        // An earlier life's file comes up with receipts of its own.
        let earlier = try Desk()
        record(1...3, at: earlier)
        try earlier.commit()
        earlier.close()
        try FileManager.default.moveItem(at: earlier.folder, to: missing)
        record(6...6, at: desk)
        #expect(try desk.commit() == nil)
        #expect(desk.log.all.contains { if case .opened = $0 { true } else { false } })
        #expect(all(desk) == [-2, -1, 0, 2, 3, 4, 5, 6])
        for number in [-2, 0, 2, 6] { desk.journal.delivered(receipt: Int64(number)) }
        try desk.commit()
        desk.close()
        let again = try Desk(in: missing)
        #expect(again.journal.receipts(after: .min, through: 0, limit: 9).map(\.payload) == ["r2", "r3", "r4", "r5"])
        again.close()
    }

    @Test func theOldestGoWhereTooManyWait() throws {
        var limits = Journal.Limits()
        limits.receipts = 20
        limits.backlog = 15
        let folder = try temporaryFolder("journal")
        defer { try? FileManager.default.removeItem(at: folder) }
        let missing = folder.appendingPathComponent("later")
        let desk = try Desk(in: missing, limits: limits)
        func lost() -> Int {
            desk.log.all.reduce(0) { if case .receiptsLost(let count) = $1 { $0 + count } else { $0 } }
        }
        record(1...18, at: desk)
        #expect(try desk.commit() != nil)
        #expect(all(desk) == Array(4...18))
        try FileManager.default.createDirectory(at: missing, withIntermediateDirectories: true)
        try desk.commit()
        record(19...27, at: desk)
        try desk.commit()
        #expect(all(desk) == Array(8...27))
        desk.close()
        #expect(lost() == 3 + 4)
    }

    @Test func settingsAreKept() throws {
        let desk = try Desk()
        #expect(desk.journal.kept("volume") == nil)
        desk.journal.keep("volume", "80")
        desk.journal.keep("mute", "true")
        #expect(desk.journal.kept("volume") == "80")
        try desk.commit()
        desk.journal.keep("volume", "70")
        #expect(desk.journal.kept("volume") == "70" && desk.journal.kept("mute") == "true")
        desk.close()
        let again = try Desk(in: desk.folder)
        defer { again.remove() }
        #expect(again.journal.kept("volume") == "70" && again.journal.kept("mute") == "true")
    }
}
