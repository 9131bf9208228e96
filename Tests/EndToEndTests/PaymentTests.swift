import Foundation
import SoundboxCore
import TestBroker
import Testing

/// The main job on real parts: a mosquitto, a daemon in a process of its own, ALSA, SQLite.
@Suite(.timeLimit(.minutes(5)))
struct PaymentTests {
    let broker: Broker
    let daemon: Daemon
    let backend: Backend

    init() throws {
        broker = try Broker()
        daemon = try Daemon(port: broker.port)
        backend = try Backend(port: broker.port)
        try daemon.start()
        try backend.status("online")
    }

    private func amount(_ text: String) throws -> Amount { try Amount(parsing: text, currency: .cny) }

    @Test("What reaches ALSA equals what `render` writes, bit for bit, one announcement behind the other")
    func bitExact() throws {
        try backend.pay(#"{"id":"n1","channel":"alipay","amount":"100.65","currency":"CNY"}"#)
        try backend.pay(#"{"id":"n2","amount":2.05,"currency":"CNY"}"#)
        try backend.pay(#"{"id":"n3","kind":"order","order":"takeaway"}"#)
        for id in ["n1", "n2", "n3"] {
            try backend.receipt(id, "spoken")
            #expect(backend.states(id) == ["accepted", "speaking", "spoken"])
        }
        #expect(daemon.stop() == 0)
        let expected = try daemon.rendered([
            .payment(channel: "alipay", amount: try amount("100.65")),
            .payment(channel: nil, amount: try amount("2.05")),
            .phrase("order.takeaway"),
        ])
        let heard = try daemon.heard()
        // The last piece may be padded by silence, to the end of a period.
        #expect(heard.count >= expected.count && heard.prefix(expected.count) == expected[...])
        #expect(heard.dropFirst(expected.count).allSatisfy { $0 == 0 })
    }

    @Test("Anything on the pay topic gets its receipt, the daemon lives, and the next good notice is spoken")
    func badInput() throws {
        let bad: [(String, [UInt8], String)] = [
            ("null", [0xFF, 0xFE], "not-utf8"), ("null", Array("pay me".utf8), "not-json"),
            ("null", Array(String(repeating: "[", count: 1500).utf8), "too-deep"),
            ("null", [UInt8](repeating: 0x20, count: 4097), "too-large"),
            ("null", [UInt8](repeating: 0x20, count: 1 << 20), "too-large"),
            ("null", Array("[]".utf8), "not-an-object"), ("null", Array(#"{"id":"","amount":"1"}"#.utf8), "id-empty"),
            ("a", Array(#"{"id":"a"}"#.utf8), "amount-missing"),
            ("b", Array(#"{"id":"b","amount":1e3}"#.utf8), "amount-exponent"),
            ("c", Array(#"{"id":"c","amount":"100.655"}"#.utf8), "amount-too-precise"),
            ("d", Array(#"{"id":"d","amount":"-1"}"#.utf8), "amount-signed"),
            ("e", Array(#"{"id":"e","amount":" 5"}"#.utf8), "amount-malformed"),
            ("f", Array(#"{"id":"f","amount":"１００"}"#.utf8), "amount-malformed"),
            ("g", Array(#"{"id":"g","amount":"1","amount":"1"}"#.utf8), "duplicate-key"),
            ("h", Array(#"{"id":"h","amount":"1","currency":"XXX"}"#.utf8), "currency-unknown"),
        ]
        for (index, (id, payload, reason)) in bad.enumerated() {
            try backend.publish("b1/pay", payload)
            let earlier = bad[..<index].filter { $0.0 == id }.count
            let receipt = try backend.receipt(id, "rejected", count: earlier + 1)
            #expect(receipt["reason"] == .string(reason))
            #expect((receipt["sha256"]?.string?.count == 64) == (id == "null"), "\(reason)")
        }
        try backend.pay(#"{"id":"good","amount":"1"}"#)
        try backend.receipt("good", "spoken")
        // SHA-256 of the two bytes, as sha256sum(1) prints it.
        let digest = "b3d510ef04275ca8e698e5b3cbb0ece3949ef9252f0cdc839e9ee347409a2209"
        #expect(try backend.receipt("null", "rejected")["sha256"] == .string(digest))
    }

    @Test("A retained notice never speaks, not at once and not at the next connect")
    func retained() throws {
        try backend.publish("b1/pay", #"{"id":"r","amount":"1"}"#.utf8, retained: true)
        // To a subscription that was there before, a broker hands it on as new: that is this payment's one time.
        try backend.receipt("r", "spoken")
        daemon.stop()
        try backend.status("offline")
        try daemon.start()
        let receipt = try backend.receipt("r", "rejected")
        #expect(receipt["reason"] == "retained")
    }

    @Test("Commands are answered on all their topics, once an id, and the volume changes what is heard")
    func commands() throws {
        let first = try backend.command(#"{"id":"c1","do":"volume","volume":"-10"}"#, id: "c1")
        #expect(first["volume"] == 90)
        #expect(try backend.command(#"{"id":"c1","do":"volume","volume":"-10"}"#, id: "c1") == first)
        #expect(try backend.command(#"{"id":"c2","do":"sing"}"#, id: "c2")["reason"] == "do-unknown")
        #expect(try backend.command(#"{"id":"c3","do":"repeat"}"#, id: "c3")["reason"] == "nothing-yet")
        try backend.pay(#"{"id":"n1","amount":"1"}"#)
        try backend.receipt("n1", "spoken")
        #expect(try backend.command(#"{"id":"c4","do":"repeat"}"#, id: "c4")["notice"] == "n1")
        #expect(try backend.command(#"{"id":"c5","do":"reload"}"#, id: "c5")["pack"] == "test")
        // An id is answered once across restarts, too, and the volume stays.
        daemon.kill()
        try backend.status("lost")
        try daemon.start()
        try backend.status("online")
        #expect(try backend.command(#"{"id":"c1","do":"volume","volume":"-10"}"#, id: "c1") == first)
        #expect(try backend.status("online")["volume"] == 90)
    }

    @Test("Stop cuts a payment in mid-word, and it has failed")
    func stop() throws {
        try backend.pay(#"{"id":"n1","amount":"9999999999.99"}"#)
        try backend.receipt("n1", "speaking")
        #expect(try backend.command(#"{"id":"c1","do":"stop"}"#, id: "c1")["stopped"] == true)
        #expect(try backend.receipt("n1", "failed")["reason"] == "stopped")
        try backend.pay(#"{"id":"n2","kind":"order","order":"book"}"#)
        try backend.receipt("n2", "spoken")
        daemon.stop()
        let whole = try daemon.rendered([.payment(channel: nil, amount: try amount("9999999999.99"))])
        #expect(try daemon.heard().count < whole.count)
    }

    @Test("A killed daemon says again what it had accepted, and never what it had spoken")
    func killed() throws {
        try backend.pay(#"{"id":"heard","amount":"0.01"}"#)
        try backend.receipt("heard", "spoken")
        // A longer one, so that there is time to kill it in mid-word.
        try backend.pay(#"{"id":"cut","amount":"9999999999.99"}"#)
        try backend.pay(#"{"id":"waiting","amount":"0.02"}"#)
        try backend.receipt("cut", "speaking")
        try backend.receipt("waiting", "accepted")
        daemon.kill()
        try backend.status("lost")
        try daemon.start()
        try backend.receipt("cut", "spoken")
        try backend.receipt("waiting", "spoken")
        try backend.pay(#"{"id":"heard","amount":"0.01"}"#)
        #expect(try backend.receipt("heard", "duplicate")["first"] == "spoken")
        try backend.pay(#"{"id":"cut","amount":"1"}"#)
        #expect(try backend.receipt("cut", "rejected")["reason"] == "id-reused")
        daemon.stop()
        // The second life's speaker got these two and nothing else. (ALSA's file plugin starts the file anew.)
        let expected = try daemon.rendered([
            .payment(channel: nil, amount: try amount("9999999999.99")),
            .payment(channel: nil, amount: try amount("0.02")),
        ])
        let heard = try daemon.heard()
        #expect(heard.prefix(expected.count) == expected[...])
        #expect(heard.dropFirst(expected.count).allSatisfy { $0 == 0 })
    }

    @Test("Without a place for its journal the box speaks, and says that it cannot remember")
    func noJournal() throws {
        daemon.stop()
        try backend.status("offline")
        // A file where the folder should be: not even root can write into that.
        let state = daemon.folder.appendingPathComponent("state")
        try FileManager.default.removeItem(at: state)
        try Data().write(to: state)
        try daemon.start()
        let status = try backend.status("online")
        #expect(status["problems"]?["journal"] != nil, "\(status.text)")
        try backend.pay(#"{"id":"n1","amount":"1"}"#)
        #expect(try backend.receipt("n1", "accepted")["durable"] == false)
        try backend.receipt("n1", "spoken")
    }

    @Test("The command line pays, and tells the box's status")
    func commandLine() throws {
        let paid = try soundbox("pay", "8.88", "--channel", "alipay", "--config", daemon.configuration)
        #expect(paid.status == 0, "\(paid)")
        let lines = paid.output.split(separator: "\n")
        #expect(lines.first == "accepted" && lines.last?.hasPrefix("spoken  latency ") == true, "\(paid)")
        let again = try soundbox("pay", "1", "--id", "x", "--config", daemon.configuration)
        #expect(again.status == 0)
        let duplicate = try soundbox("pay", "1", "--id", "x", "--config", daemon.configuration)
        #expect(duplicate.status == 1 && duplicate.output.hasPrefix("duplicate"), "\(duplicate)")
        let status = try soundbox("status", "--config", daemon.configuration)
        #expect(status.status == 0 && status.output.contains("state: online\n"), "\(status)")
        daemon.stop()
        let off = try soundbox("status", "--config", daemon.configuration, "--json")
        #expect(off.status == 1 && off.output.contains(#""state":"offline""#), "\(off)")
    }
}
