import Foundation
import SoundboxCore
import TestBroker
import Testing

@testable import SoundboxJournal

@Suite struct JournalTests {
    @Test func everyColumnComesBack() throws {
        let desk = try Desk()
        defer { desk.remove() }
        var full = NoticeRecord.sample("full")
        full.state = .expired
        full.reason = "too late"
        full.spokenAt = .noon
        full.payload = Array(0...255)
        let bare = NoticeRecord(id: "", receivedAt: .noon)
        let odd = NoticeRecord(id: "nul\u{0}\u{301}支", channel: "", receivedAt: Timestamp(milliseconds: -1))
        for notice in [full, bare, odd] { desk.journal.record(notice) }
        #expect(try desk.commit() == nil)
        for notice in [full, bare, odd] { #expect(desk.journal.notice(id: notice.id) == notice) }
        #expect(desk.journal.notice(id: "none") == nil)
    }

    @Test func aRowIsSeenBeforeItsCommit() throws {
        let desk = try Desk()
        defer { desk.remove() }
        var notice = NoticeRecord.sample("a")
        desk.journal.record(notice)
        #expect(desk.journal.notice(id: "a") == notice)
        try desk.commit()
        notice.state = .spoken
        desk.journal.record(notice)
        #expect(desk.journal.notice(id: "a")?.state == .spoken)
        #expect(desk.journal.unspoken().map(\.id) == ["a"])
        try desk.commit()
        #expect(desk.journal.unspoken().isEmpty)
    }

    @Test func aRowIsReplacedInItsPlace() throws {
        let desk = try Desk()
        defer { desk.remove() }
        for id in ["a", "b", "c"] { desk.journal.record(.sample(id)) }
        try desk.commit()
        var changed = NoticeRecord.sample("a")
        changed.channel = "wechat"
        changed.amount = nil
        changed.paidAt = nil
        changed.payload = []
        desk.journal.record(changed)
        try desk.commit()
        #expect(desk.journal.unspoken().map(\.id) == ["a", "b", "c"])
        #expect(desk.journal.notice(id: "a") == changed)
    }

    @Test func idsDifferByTheirBytes() throws {
        let desk = try Desk()
        defer { desk.remove() }
        let composed = NoticeRecord(id: "\u{E9}", channel: "composed", receivedAt: .noon)
        let decomposed = NoticeRecord(id: "e\u{301}", channel: "decomposed", receivedAt: .noon)
        for notice in [composed, decomposed] { desk.journal.record(notice) }
        for _ in 0..<2 {
            #expect(desk.journal.notice(id: composed.id)?.channel == "composed")
            #expect(desk.journal.notice(id: decomposed.id)?.channel == "decomposed")
            try desk.commit()
        }
        #expect(desk.journal.unspoken().count == 2)
    }

    @Test func theNewest256CommandsStay() throws {
        let desk = try Desk()
        defer { desk.remove() }
        for number in 0..<300 {
            desk.journal.record(CommandRecord(id: "c\(number)", reply: "r\(number)"))
            if number % 7 == 0 { try desk.commit() }
        }
        desk.journal.record(CommandRecord(id: "c100", reply: "again"))
        try desk.commit()
        let commands = desk.journal.commands()
        #expect(commands.map(\.id) == (44..<300).map { "c\($0)" })
        #expect(commands.first { $0.id == "c100" }?.reply == "again")
    }

    @Test func oneCommitServesAllThatWaited() throws {
        let gate = Gate()
        let folder = try temporaryFolder("journal")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("journal.db").path
        let log = EventLog<JournalEvent>()
        let journal = try Journal(path: path) { event in
            log.append(event)
            if case .committed(0, _) = event { gate.wait() }
        }
        let before = try commits(inLogOf: path)
        journal.commit(ticket: 0, trustedTime: .noon)
        try log.wait { $0.isEmpty ? nil : true }
        for number in 1...100 {
            journal.record(.sample("n\(number)"))
            journal.commit(ticket: UInt64(number), trustedTime: .noon)
        }
        gate.open()
        let tickets = try log.wait { events -> [UInt64]? in
            let tickets = events.compactMap { event -> UInt64? in
                if case .committed(let ticket, nil) = event { ticket } else { nil }
            }
            return tickets.count == 101 ? tickets : nil
        }
        #expect(tickets == Array(0...100))
        #expect(try commits(inLogOf: path) == before + 1)
        #expect(journal.unspoken().map(\.id) == (1...100).map { "n\($0)" })
        journal.stop()
    }

    /// Transactions in a write-ahead log: a frame that ends one carries the size of the database.
    private func commits(inLogOf path: String) throws -> Int {
        let log = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "-wal")))
        func word(_ offset: Int) -> UInt32 { log[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) } }
        guard log.count > 32 else { return 0 }
        let frame = 24 + Int(word(8))
        return stride(from: 32, to: log.count - 23, by: frame).filter { offset in
            log[offset + 8..<offset + 16] == log[16..<24] && word(offset + 4) != 0
        }.count
    }

    @Test func oldNoticesGoInSmallSteps() throws {
        var limits = Journal.Limits()
        limits.pruneStep = 10
        let desk = try Desk(limits: limits)
        defer { desk.remove() }
        for number in 0..<35 {
            var notice = NoticeRecord.sample("old\(number)")
            if number != 3 { notice.state = .spoken }
            desk.journal.record(notice)
        }
        try desk.commit()
        let month = Timestamp.noon.adding(30 * 86_400_000 + 1)
        func left() -> Int { (0..<35).filter { desk.journal.notice(id: "old\($0)") != nil }.count }
        var counts: [Int] = []
        for number in 0..<6 {
            desk.journal.record(.sample("new\(number)", receivedAt: month))
            try desk.commit(now: month)
            counts.append(left())
        }
        // Ten of the oldest at a time; the one that nobody has heard stays.
        #expect(counts == [26, 17, 8, 1, 1, 1])
        #expect(desk.journal.notice(id: "old3") != nil)
        #expect(desk.journal.notice(id: "new0") != nil)
    }

    @Test func noClockNoAge() throws {
        let desk = try Desk()
        defer { desk.remove() }
        var notice = NoticeRecord.sample("old", receivedAt: Timestamp(milliseconds: 0))
        notice.state = .spoken
        desk.journal.record(notice)
        for _ in 0..<3 { try desk.commit(now: nil) }
        #expect(desk.journal.notice(id: "old") != nil)
        desk.journal.record(.sample("new"))
        try desk.commit()
        #expect(desk.journal.notice(id: "old") == nil)
        // Once known, the time is not forgotten.
        desk.journal.record(notice)
        try desk.commit(now: nil)
        #expect(desk.journal.notice(id: "old") == nil)
    }

    @Test func tooManyNoticesGo() throws {
        var limits = Journal.Limits()
        limits.notices = 50
        let desk = try Desk(limits: limits)
        defer { desk.remove() }
        for number in 0..<80 {
            desk.journal.record(.sample("n\(number)"))
            if number % 9 == 0 { try desk.commit() }
        }
        try desk.commit()
        #expect(desk.journal.unspoken().map(\.id) == (30..<80).map { "n\($0)" })
    }

    @Test func aStopWritesWhatIsLeft() throws {
        let desk = try Desk()
        desk.journal.record(.sample("late"))
        desk.close()
        let again = try Desk(in: desk.folder)
        defer { again.remove() }
        #expect(again.journal.notice(id: "late") == .sample("late"))
        #expect(again.journal.recovered == nil)
    }

    @Test func theFileIsForItsOwnerAlone() throws {
        let desk = try Desk()
        defer { desk.remove() }
        desk.journal.record(.sample("a"))
        try desk.commit()
        for suffix in ["", "-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: desk.path + suffix)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test func thePulseFollowsAPoke() throws {
        let desk = try Desk()
        defer { desk.remove() }
        for _ in 0..<5 {
            let before = desk.journal.heartbeat
            desk.journal.poke()
            while desk.journal.heartbeat == before { usleep(100) }
        }
    }
}

/// Holds a thread until it is opened.
final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    func wait() { semaphore.wait() }
    func open() { semaphore.signal() }
}
