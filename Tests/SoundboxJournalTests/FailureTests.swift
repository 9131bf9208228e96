import CSQLite
import Foundation
import SoundboxCore
import TestBroker
import TestSupport
import Testing

@testable import SoundboxJournal

/// Torn files, full disks, and what must survive them.
@Suite struct FailureTests {
    @Test func aPulledPlugLeavesAllThatWasCommitted() throws {
        let desk = try Desk()
        defer { desk.remove() }
        for number in 0..<40 {
            desk.journal.record(.sample("n\(number)"))
            try desk.commit()
            // What is on the disk at this moment, the log first and without its index, as after a power cut.
            let copy = try temporaryFolder("copy")
            let name = copy.appendingPathComponent("journal.db").path
            for suffix in ["-wal", ""] {
                try FileManager.default.copyItem(atPath: desk.path + suffix, toPath: name + suffix)
            }
            let found = try Desk(in: copy)
            #expect(found.journal.unspoken().map(\.id) == (0...number).map { "n\($0)" })
            #expect(found.journal.recovered == nil)
            found.remove()
        }
    }

    @Test func aTornLogLosesItsTailOnly() throws {
        let desk = try Desk()
        for number in 0..<20 {
            desk.journal.record(.sample("n\(number)"))
            try desk.commit()
        }
        let copy = try temporaryFolder("copy")
        let name = copy.appendingPathComponent("journal.db").path
        for suffix in ["-wal", ""] {
            try FileManager.default.copyItem(atPath: desk.path + suffix, toPath: name + suffix)
        }
        desk.remove()
        let log = try FileHandle(forUpdating: URL(fileURLWithPath: name + "-wal"))
        try log.truncate(atOffset: try log.seekToEnd() - 100)
        try log.close()
        let found = try Desk(in: copy)
        defer { found.remove() }
        #expect(found.journal.unspoken().map(\.id) == (0..<19).map { "n\($0)" })
    }

    @Test func aFileThatIsNoDatabaseIsMovedAside() throws {
        let folder = try temporaryFolder("journal")
        let garbage = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ 3) })
        for round in 1...10 {
            try garbage.write(to: folder.appendingPathComponent("journal.db"))
            let desk = try Desk(in: folder)
            let name = desk.path + ".corrupt-\(min(round, 9))"
            #expect(desk.journal.recovered?.contains(name) == true)
            #expect(try Data(contentsOf: URL(fileURLWithPath: name)) == garbage)
            desk.journal.record(.sample("a"))
            #expect(try desk.commit() == nil)
            desk.close()
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
                $0.contains("corrupt") && !$0.contains("-wal") && !$0.contains("-shm")
            }.count == 9
        )
        try FileManager.default.removeItem(at: folder)
    }

    @Test func flippedBytesNeverStopTheJournal() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("flipped bytes: seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let origin = try Desk()
        for number in 0..<200 {
            var notice = NoticeRecord.sample("n\(number)")
            if number % 3 == 0 { notice.state = .spoken }
            origin.journal.record(notice)
            origin.journal.record(CommandRecord(id: "c\(number)", reply: "r"))
        }
        try origin.commit()
        origin.close()
        let sound = [UInt8](try Data(contentsOf: URL(fileURLWithPath: origin.path)))
        var moved = 0
        for round in 0..<150 {
            var bytes = sound
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                // Half of them where it hurts most: in the file's and the pages' headers.
                let page = Int.random(in: 0..<bytes.count / 4096, using: &random) * 4096
                let offset = Int.random(in: 0..<(Bool.random(using: &random) ? 120 : 4096), using: &random)
                bytes[page + offset] = UInt8.random(in: 0...255, using: &random)
            }
            if round % 10 == 0 { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random)) }
            let folder = try temporaryFolder("flipped")
            try Data(bytes).write(to: folder.appendingPathComponent("journal.db"))
            let desk: Desk
            do {
                desk = try Desk(in: folder)
            } catch let error as JournalError where error.code == JournalError.futureSchema {
                // A flipped version number cannot be told from a later one.
                try FileManager.default.removeItem(at: folder)
                continue
            }
            _ = desk.journal.unspoken()
            _ = desk.journal.commands()
            for number in 0..<200 { _ = desk.journal.notice(id: "n\(number)") }
            for number in 150..<260 { desk.journal.record(.sample("n\(number)")) }
            desk.journal.record(CommandRecord(id: "new", reply: "r"))
            #expect(try desk.commit() == nil, "seed \(seed), round \(round)")
            #expect(desk.journal.notice(id: "n255") == .sample("n255"), "seed \(seed), round \(round)")
            if try FileManager.default.contentsOfDirectory(atPath: folder.path).contains(where: {
                $0.contains("corrupt")
            }) {
                moved += 1
            }
            desk.remove()
        }
        #expect(moved > 50)
        print("flipped bytes: \(moved) of 150 moved aside")
        origin.remove()
    }

    @Test func damageFoundWhileRunningIsMended() throws {
        let desk = try Desk()
        defer { desk.remove() }
        for number in 0..<300 { desk.journal.record(.sample("n\(number)")) }
        try desk.commit()
        // Everything to the main file, so that the log does not hide what happens to it.
        desk.close()
        let again = try Desk(in: desk.folder)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: again.path))
        let size = try file.seekToEnd()
        try file.seek(toOffset: 4096)
        try file.write(contentsOf: Data(repeating: 0xFF, count: Int(size) - 4096))
        try file.close()
        // SQLite may go on for a while with the pages that it remembers, and only the reader sees what is there.
        again.journal.record(.sample("m1"))
        #expect(try again.commit() == nil)
        _ = again.journal.unspoken()
        again.journal.record(.sample("m2"))
        #expect(try again.commit() == nil)
        #expect(again.journal.notice(id: "m2") == .sample("m2"))
        #expect(
            again.log.all.contains { if case .replaced(let text) = $0 { text.contains("corrupt-1") } else { false } })
        again.close()
    }

    /// Writes `user_version` where the file format has it.
    private func setVersion(_ version: Int32, of desk: Desk) throws {
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: desk.path))
        try file.seek(toOffset: 60)
        try file.write(contentsOf: withUnsafeBytes(of: version.bigEndian) { Data($0) })
        try file.close()
    }

    @Test func aFileOfTheFirstVersionComesUpWhole() throws {
        let folder = try temporaryFolder("journal")
        let path = folder.appendingPathComponent("journal.db").path
        try Data().write(to: URL(fileURLWithPath: path))
        let rows: [(id: String, state: String, amount: Int?, payload: String, kind: NoticeRecord.Kind)] = [
            ("spoken", "spoken", 100, "", .payment), ("waits", "accepted", 5, #"{"id":"waits"}"#, .payment),
            ("refund", "accepted", 7, #"{"kind":"refund"}"#, .refund), ("said", "spoken", nil, "", .order),
            ("text", "accepted", nil, #"{"kind":"\u0074ext"}"#, .text),
            ("prompt", "accepted", nil, #"{"kind":"prompt"}"#, .prompt),
            ("odd", "accepted", nil, "{", .order), ("odder", "failed", 1, #"{"kind":["refund"]}"#, .payment),
        ]
        do {
            let connection = try Connection(path: path, flags: SQLITE_OPEN_READWRITE, patience: 100)
            try connection.execute("old", JournalFile.migrations[0] + "PRAGMA user_version = 1;")
            try connection.execute("old", "INSERT INTO commands (id, reply) VALUES ('c', 'r')")
            let insert = try connection.prepare(
                """
                INSERT INTO notices (id, state, amount, currency, received_at, payload, spoken_at)
                VALUES (?1, ?2, ?3, 'CNY', 1, ?4, CASE ?2 WHEN 'spoken' THEN 9 END)
                """)
            for row in rows {
                insert.bind(1, row.id)
                insert.bind(2, row.state)
                insert.bind(3, row.amount.map(Int64.init))
                insert.bind(4, Array(row.payload.utf8))
                try insert.run("old")
            }
        }
        let desk = try Desk(in: folder)
        defer { desk.remove() }
        #expect(desk.journal.recovered == nil)
        for row in rows {
            let found = try #require(desk.journal.notice(id: row.id), "\(row.id)")
            #expect(found.kind == row.kind && found.state.rawValue == row.state, "\(row.id)")
            #expect(found.amount?.minorUnits == row.amount.map { UInt64($0) }, "\(row.id)")
            #expect(found.payload == Array(row.payload.utf8), "\(row.id)")
        }
        #expect(desk.journal.unspoken().map(\.id) == ["waits", "refund", "text", "prompt", "odd"])
        #expect(desk.journal.commands().map(\.id) == ["c"])
        #expect(desk.journal.spokenPayment(back: 0)?.id == "spoken")
        #expect(
            desk.journal.totals(since: Timestamp(milliseconds: 9)) == [Total(currency: .cny, payments: 1, paid: 100)])
        desk.journal.record(receipt: "r", topic: "t")
        #expect(try desk.commit() == nil)
    }

    @Test func aLaterSchemaIsLeftAlone() throws {
        let desk = try Desk()
        defer { desk.remove() }
        desk.close()
        try setVersion(99, of: desk)
        let before = try Data(contentsOf: URL(fileURLWithPath: desk.path))
        #expect {
            _ = try Desk(in: desk.folder)
        } throws: { error in
            (error as? JournalError)?.code == JournalError.futureSchema && "\(error)".contains("schema 99")
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: desk.path)) == before)
    }

    @Test(arguments: [1000, 1 << 24, -1, 0]) func aVersionThatNeverWasIsDamage(version: Int32) throws {
        let desk = try Desk()
        defer { desk.remove() }
        desk.close()
        try setVersion(version, of: desk)
        let again = try Desk(in: desk.folder)
        #expect(again.journal.recovered != nil)
        again.close()
    }

    @Test func aFolderThatIsNotThereStopsNothing() throws {
        let folder = try temporaryFolder("journal")
        let missing = folder.appendingPathComponent("later")
        let desk = try Desk(in: missing)
        #expect(desk.journal.openFailure?.text == "No such file or directory")
        desk.journal.record(.sample("a"))
        desk.journal.record(CommandRecord(id: "c", reply: "r"))
        #expect(try desk.commit() != nil)
        #expect(desk.journal.notice(id: "a") == .sample("a"))
        try FileManager.default.createDirectory(at: missing, withIntermediateDirectories: true)
        desk.journal.record(.sample("b"))
        #expect(try desk.commit() == nil)
        #expect(desk.journal.unspoken().map(\.id) == ["a", "b"])
        #expect(desk.journal.commands().map(\.id) == ["c"])
        desk.remove()
        try FileManager.default.removeItem(at: folder)
    }

    @Test func whatCannotBeWrittenIsBounded() throws {
        let folder = try temporaryFolder("journal")
        let missing = folder.appendingPathComponent("later")
        var limits = Journal.Limits()
        limits.backlog = 10
        let desk = try Desk(in: missing, limits: limits)
        for number in 0..<25 {
            desk.journal.record(.sample("n\(number)"))
            #expect(try desk.commit() != nil)
        }
        try FileManager.default.createDirectory(at: missing, withIntermediateDirectories: true)
        #expect(try desk.commit() == nil)
        #expect(desk.journal.unspoken().map(\.id) == (15..<25).map { "n\($0)" })
        desk.remove()
        try FileManager.default.removeItem(at: folder)
    }

    @Test(.enabled(if: SmallDisk.isAvailable)) func aFullDiskLosesNothing() throws {
        let disk = try SmallDisk(kilobytes: 512)
        let desk = try Desk(in: disk.folder)
        desk.journal.record(.sample("before"))
        #expect(try desk.commit() == nil)
        let filler = try disk.fill()
        var failures = 0
        for number in 0..<50 {
            desk.journal.record(
                NoticeRecord(id: "n\(number)", receivedAt: .noon, payload: Array(repeating: 1, count: 4000)))
            if try desk.commit() != nil { failures += 1 }
        }
        #expect(failures > 40)
        #expect(desk.journal.notice(id: "before") == .sample("before"))
        #expect(desk.journal.notice(id: "n49") != nil)
        try FileManager.default.removeItem(at: filler)
        #expect(try desk.commit() == nil)
        #expect(desk.journal.unspoken().map(\.id) == ["before"] + (0..<50).map { "n\($0)" })
        #expect(desk.journal.recovered == nil)
        desk.close()
    }

    @Test(.enabled(if: SmallDisk.isAvailable)) func aReadOnlyDiskStopsNothing() throws {
        let disk = try SmallDisk(kilobytes: 512)
        let desk = try Desk(in: disk.folder)
        desk.journal.record(.sample("before"))
        try desk.commit()
        desk.close()
        try disk.remount(readOnly: true)
        let again = try Desk(in: disk.folder)
        #expect(again.journal.openFailure?.text == "Read-only file system")
        again.journal.record(.sample("after"))
        #expect(try again.commit()?.text == "Read-only file system")
        #expect(again.journal.notice(id: "after") == .sample("after"))
        try disk.remount(readOnly: false)
        #expect(try again.commit() == nil)
        #expect(again.journal.unspoken().map(\.id) == ["before", "after"])
        again.close()
    }
}
