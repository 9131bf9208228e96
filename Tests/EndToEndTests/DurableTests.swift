import Foundation
import SoundboxCore
import SoundboxJournal
import TestBroker
import Testing

/// What must survive a restart, and what goes on where nothing can be written.
@Suite(.timeLimit(.minutes(5)))
struct DurableTests {
    @Test("Receipts that no broker could take are sent after a kill -9, in their order")
    func outbox() throws {
        let broker = try Broker()
        let daemon = try Daemon(port: broker.port, settings: ["[policy]", "merge_after = 0"])
        let backend = try Backend(port: broker.port)
        try daemon.start()
        try backend.status("online")
        let ids = (0..<50).map { "n\($0)" }
        // The first one is long, so that most of them still wait when the broker goes.
        let text = Array(repeating: "nine", count: 60).joined(separator: " ")
        try backend.pay(#"{"id":"first","kind":"text","text":"\#(text)"}"#)
        for id in ids { try backend.pay(#"{"id":"\#(id)","kind":"order","order":"book"}"#) }
        for id in ids { try backend.receipt(id, "accepted") }
        broker.stop()
        try waitUntil(daemon, hasSpoken: ["first"] + ids)
        daemon.kill()
        try broker.start()
        try backend.subscribed(times: 2)
        let before = backend.ids("spoken")
        try daemon.start()
        let words = try backend.lastWords(of: ["first"] + ids)
        #expect(words.values.allSatisfy { $0.count == 1 })
        // Some may have gone out before the broker went; one of those a second time, since that was not yet noted.
        let again = backend.ids("spoken").dropFirst(before.count)
        #expect(Array(again) == Array((["first"] + ids).suffix(again.count)))
    }

    @Test(
        "On a disk that is full or read-only the box speaks, says `durable` false and why, and recovers by itself",
        .enabled(if: SmallDisk.isAvailable), arguments: ["full", "read-only"])
    func disk(how: String) throws {
        let disk = try SmallDisk(kilobytes: 1024)
        let broker = try Broker()
        let backend = try Backend(port: broker.port)
        let daemon = try Daemon(port: broker.port, settings: ["[box]", "state_dir = \(disk.folder.path)"])
        try daemon.start()
        try backend.status("online")
        try backend.pay(#"{"id":"before","kind":"order","order":"book"}"#)
        #expect(try backend.receipt("before", "accepted")["durable"] == nil)
        try backend.receipt("before", "spoken")
        let filler = how == "full" ? try disk.fill() : nil
        var unheard: [String] = []
        if how == "read-only" {
            // Only without a writer can it be made so. One notice is left unheard by the daemon before.
            unheard = ["cut"]
            try backend.pay(#"{"id":"cut","amount":"9999999999.99"}"#)
            try backend.receipt("cut", "speaking")
            daemon.kill()
            try backend.status("lost")
            try disk.remount(readOnly: true)
            try daemon.start()
        }
        // A full disk may have room for one more in a page that is there already.
        for number in 1...40 {
            let id = "n\(number)"
            let note = String(repeating: "x", count: 3000)
            try backend.pay(#"{"id":"\#(id)","kind":"order","order":"book","note":"\#(note)"}"#)
            try backend.receipt(id, "spoken")
        }
        #expect(try backend.receipt("n40", "accepted")["durable"] == false)
        let status = try backend.status("troubled") { $0["problems"]?["journal"] != nil }
        let reason = status["problems"]?["journal"]?.string ?? ""
        #expect(reason.lowercased().contains(how), "\(reason)")
        if let filler { try FileManager.default.removeItem(at: filler) } else { try disk.remount(readOnly: false) }
        try backend.pay(#"{"id":"after","kind":"order","order":"book"}"#)
        #expect(try backend.receipt("after", "accepted")["durable"] == nil)
        try backend.status("well again") { $0["problems"]?["journal"] == nil }
        for id in ["after"] + unheard { try backend.receipt(id, "spoken") }
        // What could not be written then is written now.
        #expect(daemon.stop() == 0)
        try backend.status("offline")
        let known = try JournalView(path: disk.folder.appendingPathComponent("journal.db").path)
            .notices(since: Timestamp(milliseconds: 0), limit: 100)
        let numbered: [String] = (1...40).map { "n\($0)" }
        let expected: [String] = ["before"] + unheard + numbered + ["after"]
        #expect(known.map(\.id) == expected)
        #expect(known.allSatisfy { $0.state == .spoken })
    }

    @Test("A card that hangs for five seconds is called not durable, and the box goes on; later it is well again")
    func hangingCard() throws {
        let broker = try Broker()
        let daemon = try Daemon(port: broker.port)
        let backend = try Backend(port: broker.port)
        let hold = daemon.folder.appendingPathComponent("hold")
        let library = Daemon.program.deletingLastPathComponent().appendingPathComponent("libSlowDisk.so").path
        try daemon.start(environment: ["LD_PRELOAD": library, "SLOW_DISK_HOLD": hold.path])
        try backend.status("online")
        try backend.pay(#"{"id":"n1","kind":"order","order":"book"}"#)
        #expect(try backend.receipt("n1", "accepted")["durable"] == nil)
        try backend.receipt("n1", "spoken")
        try Data().write(to: hold)
        let sent = Date()
        try backend.pay(#"{"id":"n2","kind":"order","order":"book"}"#)
        #expect(try backend.receipt("n2", "accepted")["durable"] == false)
        // Not before its time: a slow card is not a broken one.
        #expect(Date().timeIntervalSince(sent) > 4)
        try backend.status("troubled") { $0["problems"]?["journal"] == "no answer within 5 s" }
        try backend.receipt("n2", "spoken")
        #expect(backend.states("n2") == ["accepted", "speaking", "spoken"])
        try FileManager.default.removeItem(at: hold)
        try backend.status("well again") { $0["problems"]?["journal"] == nil }
        try backend.pay(#"{"id":"n3","kind":"order","order":"book"}"#)
        #expect(try backend.receipt("n3", "accepted")["durable"] == nil)
    }

    /// Waits until the journal has all of them as spoken.
    private func waitUntil(_ daemon: Daemon, hasSpoken ids: [String]) throws {
        let journal = try JournalView(path: daemon.journal)
        let deadline = Date().addingTimeInterval(60)
        while true {
            let notices = try journal.notices(since: Timestamp(milliseconds: 0), limit: 1000)
            if Set(ids).isSubset(of: notices.filter { $0.state == .spoken }.map(\.id)) { return }
            guard Date() < deadline else { throw DaemonError(description: "not all spoken:\n\(daemon.log)") }
            usleep(10_000)
        }
    }
}
