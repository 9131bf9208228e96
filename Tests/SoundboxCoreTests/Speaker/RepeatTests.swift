import TestVoice
import Testing

@testable import SoundboxCore

/// What was paid before: once more, and in sum.
struct RepeatTests {
    let planner: Planner
    let box: TestBox

    init() throws {
        planner = try TestVoice.planner()
        box = TestBox(planner: planner)
    }

    private func reply(_ action: String, to box: TestBox? = nil) -> JSON? {
        let box = box ?? self.box
        box.command(#"{"id":"\#(box.speaker.announcements)","do":"\#(action)"}"#)
        return box.replies.last
    }

    private func pay(_ payloads: String...) {
        for payload in payloads {
            box.notice(payload)
            box.hear()
        }
        box.commitAll()
        box.forget()
    }

    // MARK: - Repeat

    @Test("Again within a second and a half, of the request or of its end, means the payment before")
    func before() {
        pay(TestBox.payment("n1", "0.01"), TestBox.payment("n2", "0.02"), TestBox.payment("n3", "0.03"))
        #expect(reply("repeat")?["notice"] == "n3")
        box.advance(milliseconds: 1500)
        // Still being said: it is cut.
        let cut = box.playing?.id
        #expect(reply("repeat")?["notice"] == "n2" && box.effects.contains(.stop))
        if let cut { box.send(.stopped(cut)) }
        box.advance(milliseconds: 2000)
        box.hear()
        box.advance(milliseconds: 1500)
        let third = reply("repeat")
        #expect(third?["notice"] == "n1" && third?["back"] == 2 && third?["says"] == "paid, one")
        box.hear()
        // There is none before the first.
        #expect(reply("repeat")?["notice"] == "n1")
        box.hear()
        box.advance(milliseconds: 1501)
        #expect(reply("repeat")?["notice"] == "n3")
        #expect(box.said == ["paid, three", "paid, two", "paid, one", "paid, one", "paid, three"])
        #expect(box.states.isEmpty)
    }

    @Test("A repeat that waits behind a payment gives way to the one before, and a new payment is the last again")
    func waits() {
        pay(TestBox.payment("n1", "0.01"), TestBox.payment("n2", "0.02"))
        box.notice(TestBox.payment("n3", "0.03"))
        box.commitAll()
        #expect(reply("repeat")?["notice"] == "n2")
        #expect(reply("repeat")?["notice"] == "n1")
        box.hear()
        #expect(box.said == ["paid, three", "paid, one"])
        #expect(reply("repeat")?["notice"] == "n3")
    }

    @Test("Older than ten minutes it is said with its time", arguments: [600, 601])
    func oldOnes(secondsAgo: Int) {
        pay(
            box.paid("n1", "0.05", secondsAgo: 0),
            box.paid("n2", "100000000000.00", secondsAgo: 0))
        box.advance(milliseconds: secondsAgo * 1000)
        _ = reply("repeat")
        #expect(box.said == [secondsAgo == 600 ? "received" : "at six one one, received"])
        box.hear()
        _ = reply("repeat")
        #expect(box.said.last == (secondsAgo == 600 ? "paid, five" : "at six one one, paid, five"))
    }

    @Test("Without a clock nothing has a time")
    func noClock() {
        pay(box.paid("n1", "0.05", secondsAgo: 0))
        box.wallIsTrusted = false
        box.wall += 3_600_000
        _ = reply("repeat")
        #expect(box.said == ["paid, five"])
    }

    @Test("It is the journal that is asked: what an earlier life said, and what was said in a summary")
    func restart() {
        pay(TestBox.payment("n0", "0.09"))
        for number in 1...7 { box.notice(TestBox.payment("n\(number)", "0.0\(number)")) }
        box.hear()
        box.hear()
        box.commitAll()
        let reborn = TestBox(planner: planner, shelf: box.shelf.afterCrash())
        for number in (4...7).reversed() { #expect(reply("repeat", to: reborn)?["notice"] == .string("n\(number)")) }
    }

    @Test("A refund or an order is no payment, and neither is nothing")
    func nothing() {
        pay(
            #"{"id":"r","kind":"refund","amount":"0.01"}"#, #"{"id":"o","kind":"order","order":"book"}"#)
        #expect(reply("repeat")?["reason"] == "nothing-yet")
        #expect(box.said == ["nothing"])
    }

    // MARK: - Total

    private static let yuan =
        #"{"currency":"CNY","payments":2,"paid":"0.12","refunds":0,"refunded":"0.00","total":"0.12"}"#

    @Test("Today's payments, by currency, less what was given back")
    func total() throws {
        #expect(reply("total")?["says"] == "none")
        box.hear()
        pay(TestBox.payment("n1", "0.05"), TestBox.payment("n2", "0.07"))
        var total = reply("total")
        let yuan = try JSON(parsing: Self.yuan)
        #expect(total?["totals"] == .array([yuan]))
        #expect(total?["says"] == "two paid, one two")
        box.hear()
        pay(
            #"{"id":"r","kind":"refund","amount":"0.03"}"#, #"{"id":"u","amount":"0.04","currency":"USD"}"#,
            #"{"id":"v","kind":"refund","amount":"0.09","currency":"USD"}"#)
        total = reply("total")
        #expect(total?["says"] == "two paid, nine; one paid, four; refund, nine")
        for _ in 0..<3 { box.hear() }
        #expect(box.said == ["two paid, nine", "one paid, four", "refund, nine"])
        guard case .array(let totals)? = total?["totals"] else {
            Issue.record("no totals")
            return
        }
        #expect(totals.map { $0["total"] } == ["0.09", "-0.05"])
        #expect(totals.last?["refunds"] == 1 && totals.last?["refunded"] == "0.09")
    }

    @Test("A day begins at midnight in the box's zone")
    func midnight() {
        pay(TestBox.payment("n1", "0.05"))
        // 10:11 it was.
        box.advance(milliseconds: (13 * 60 + 48) * 60_000)
        #expect(reply("total")?["says"] == "one paid, five")
        box.hear()
        box.advance(milliseconds: 60_000)
        #expect(reply("total")?["says"] == "none")
    }

    @Test("What the voice cannot say is in the reply")
    func unsayable() {
        pay(#"{"id":"k","amount":"0.005","currency":"KWD"}"#)
        #expect(reply("total")?["reason"] == "currency-unsupported")
        pay(TestBox.payment("n1", "0.05"))
        let total = reply("total")
        #expect(total?["says"] == "one paid, five")
        guard case .array(let totals)? = total?["totals"] else {
            Issue.record("no totals")
            return
        }
        #expect(totals.map { $0["total"] } == ["0.05", "0.005"])
    }
}
