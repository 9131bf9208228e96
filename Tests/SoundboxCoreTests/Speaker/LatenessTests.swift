import TestVoice
import Testing

@testable import SoundboxCore

/// What is late, by which clock, and what is said then.
struct LatenessTests {
    let planner: Planner
    let box: TestBox

    init() throws {
        planner = try TestVoice.planner()
        box = TestBox(planner: planner)
    }

    @Test(
        "Up to a minute as usual, up to half an hour with its time, later only in sum",
        arguments: [
            (-1, "paid, five"), (0, "paid, five"), (60, "paid, five"), (61, "late six zero nine, paid, five"),
            (1800, "late five eight one, paid, five"), (1801, nil),
        ])
    func limits(secondsAgo: Int, words: String?) {
        box.notice(box.paid("n1", "0.05", secondsAgo: secondsAgo))
        #expect(box.said == [words].compactMap(\.self))
    }

    @Test(
        "Whatever is late is said, with its time where the voice can",
        arguments: [
            (#""channel":"alipay","#, "0.05", "late six zero six, alipay, five", nil),
            (#""kind":"refund","#, "0.05", "late six zero six, refund, five", nil),
            // Over the pack's limit.
            ("", "100000000000.00", "late six zero six, received", "clip-missing"),
            (#""currency":"KWD","#, "0.005", "late six zero six, received", "currency-unsupported"),
        ])
    func late(members: String, amount: String, words: String, reason: String?) {
        box.notice(box.paid("n1", amount, secondsAgo: 300, members))
        #expect(box.said == [words])
        box.commitAll()
        box.hear()
        #expect(box.states.last == "n1 spoken" + (reason.map { " \($0)" } ?? ""))
    }

    @Test("An order is said however late, a text or a prompt is given up")
    func otherKinds() {
        let old = Timestamp(milliseconds: box.wall - 86_400_000).text
        box.notice(#"{"id":"o","kind":"order","order":"book","paidAt":"\#(old)"}"#)
        #expect(box.said == ["late six one one, book"])
        box.notice(#"{"id":"t","kind":"text","text":"book","paidAt":"\#(old)"}"#)
        box.notice(#"{"id":"p","kind":"prompt","prompt":"test","paidAt":"\#(old)"}"#)
        box.commitAll()
        for _ in 0..<3 { box.hear() }
        #expect(box.said.count == 1)
        #expect(box.states.suffix(2) == ["t expired too-late", "p expired too-late"])
    }

    @Test("A notice is judged when its turn comes, not when it arrives")
    func judgedAtTheHead() {
        box.notice(TestBox.payment("n1", "0.01"))
        box.notice(box.paid("n2", "0.02", secondsAgo: 50))
        box.notice(box.paid("n3", "0.03", secondsAgo: 1795))
        box.advance(milliseconds: 11_000)
        box.hear()
        box.hear()
        #expect(box.said == ["paid, one", "late six one zero, paid, two"])
        box.tick()
        box.tick()
        #expect(box.said.last == "one paid, three")
    }

    @Test("Limits are settings")
    func configured() {
        var settings = TestBox.settings
        settings.lateness = Lateness(lateAfter: 1000, expireAfter: 2000)
        let box = TestBox(settings: settings, planner: planner)
        for (age, words) in [(1, "paid, one"), (2, "late six one zero, paid, one")] {
            box.forget()
            box.notice(box.paid("n\(age)", "0.01", secondsAgo: age))
            box.hear()
            #expect(box.said == [words])
        }
        box.notice(box.paid("n3", "0.01", secondsAgo: 3))
        #expect(box.playing == nil)
    }

    // MARK: - In sum

    @Test("Two seconds after the last of what came too late, one sentence a currency says it, and refunds apart")
    func offline() {
        box.notice(box.paid("n1", "0.10", secondsAgo: 4000))
        box.advance(milliseconds: 1500)
        box.notice(box.paid("n2", "0.20", secondsAgo: 4000))
        box.notice(box.paid("u", "0.07", secondsAgo: 4000, #""currency":"USD","#))
        box.notice(box.paid("r1", "0.01", secondsAgo: 4000, #""kind":"refund","#))
        box.notice(box.paid("r2", "0.02", secondsAgo: 4000, #""kind":"refund","#))
        box.commitAll()
        #expect(box.said.isEmpty && box.speaker.offlineDue == box.time + 2_000_000_000)
        box.advance(milliseconds: 1999)
        box.send(.tick)
        #expect(box.said.isEmpty)
        box.advance(milliseconds: 1)
        box.send(.tick)
        box.forget()
        // Its last word comes when the summary was heard.
        box.hear()
        #expect(box.states == ["n1 expired summarised", "n2 expired summarised"])
        #expect(box.receipts.allSatisfy { $0["summary"] == .object([.init("id", "n1"), .init("count", 2)]) })
        // It was heard in the summary, and so is part of the day's total.
        let last = box.effects.lazy.compactMap { if case .record(let record) = $0 { record } else { nil } }.last
        #expect(last?.state == .expired && last?.spokenAt == box.now.wall)
        box.hear()
        box.hear()
        #expect(box.said == ["one paid, seven", "refund, three"])
        #expect(box.states.suffix(2) == ["r1 expired summarised", "r2 expired summarised"])
        #expect(box.speaker.open.isEmpty && box.speaker.summaries.isEmpty)
    }

    @Test("Who never stops coming too late is said after ten seconds all the same")
    func patience() {
        let start = box.time
        var number = 0
        while box.said.isEmpty, number < 30 {
            number += 1
            box.notice(box.paid("n\(number)", "0.01", secondsAgo: 4000))
            box.advance(milliseconds: 1000)
            box.send(.tick)
        }
        #expect(number == 10 && box.time - start == 10_000_000_000)
        #expect(box.said == ["one zero paid, one zero"])
    }

    @Test("A summary that was cut, cleared or muted leaves nothing open", arguments: ["stopped", "cleared", "muted"])
    func notHeard(how: String) {
        if how == "muted" { box.command(#"{"id":"m","do":"mute"}"#) }
        while box.playing != nil { box.hear() }
        for id in ["a", "b"] { box.notice(box.paid(id, "0.01", secondsAgo: 4000)) }
        box.commitAll()
        if how == "cleared" { box.command(#"{"id":"c","do":"clear-queue"}"#) }
        box.advance(milliseconds: 2000)
        box.send(.tick)
        if how == "stopped", let id = box.playing?.id { box.send(.stopped(id)) }
        #expect(box.states.suffix(2) == ["a failed \(how)", "b failed \(how)"])
        #expect(box.speaker.open.isEmpty && box.speaker.summaries.isEmpty)
    }

    @Test("A summary that the card cut is said whole when the card is back")
    func cardLost() {
        box.notice(box.paid("a", "0.01", secondsAgo: 4000))
        box.advance(milliseconds: 2000)
        box.send(.tick)
        box.send(.cardLost("x"))
        box.send(.cardOpened("y"))
        #expect(box.said == ["one paid, one", "one paid, one"])
    }

    // MARK: - The clock

    @Test("Before the clock was ever right nothing is late, and what waits is judged once it is")
    func untrusted() {
        box.wallIsTrusted = false
        box.notice(box.paid("n1", "0.01", secondsAgo: 999_999))
        box.notice(box.paid("n2", "0.02", secondsAgo: 300))
        #expect(box.said == ["paid, one"])
        box.wallIsTrusted = true
        box.hear()
        #expect(box.said.last == "late six zero six, paid, two")
    }

    @Test("A payment that is yet to come was paid now: reported, counted, and late by the time it waits")
    func future() {
        box.notice(TestBox.payment("n0", "0.01"))
        box.notice(box.paid("ok", "0.02", secondsAgo: -299))
        #expect(box.speaker.reports.ahead == 0)
        box.notice(box.paid("n1", "0.03", secondsAgo: -86_400))
        #expect(box.speaker.reports.ahead == 1)
        #expect(box.effects.contains { if case .log(.warning, _, "n1") = $0 { true } else { false } })
        #expect(box.shelf.notice("n1")?.paidAt == Timestamp(milliseconds: box.wall))
        box.advance(milliseconds: 61_000)
        for _ in 0..<3 { box.hear() }
        #expect(box.said == ["paid, one", "paid, two", "late six one one, paid, three"])
    }

    @Test("A step of the wall clock makes nothing late that waits, and moves no timer", arguments: [-40, 40])
    func step(years: Int) {
        box.notice(TestBox.payment("n1", "0.01"))
        box.notice(box.paid("n2", "0.02", secondsAgo: 50))
        box.notice(box.paid("n3", "0.03", secondsAgo: 4000))
        let deadline = box.speaker.deadline
        box.wall += Int64(years) * 365 * 86_400_000
        box.endTurn()
        #expect(box.speaker.deadline == deadline)
        box.hear()
        #expect(box.said.last == "paid, two")
        box.hear()
        box.advance(milliseconds: 2000)
        box.send(.tick)
        #expect(box.said.last == "one paid, three")
    }

    @Test("A box that wakes up without a clock has at least the time it last knew")
    func floor() {
        let known = box.wall
        box.notice(TestBox.payment("n1"))
        box.commitAll()
        #expect(box.shelf.kept?.trustedAt == Timestamp(milliseconds: known))
        let reborn = TestBox(planner: planner, shelf: box.shelf.afterCrash(), wall: 0, wallIsTrusted: false)
        reborn.advance(milliseconds: 3000)
        reborn.notice(TestBox.payment("n2"))
        #expect(reborn.shelf.notice("n2")?.receivedAt == Timestamp(milliseconds: known + 3000))
        reborn.commitAll()
        #expect(reborn.receipts.last?["clock"] == false)
        #expect(reborn.shelf.kept?.trustedAt == Timestamp(milliseconds: known))
        reborn.wallIsTrusted = true
        reborn.wall = known + 3_600_000
        reborn.notice(TestBox.payment("n3"))
        #expect(reborn.shelf.notice("n3")?.receivedAt == Timestamp(milliseconds: known + 3_600_000))
    }

    @Test("The time is kept along with what is recorded, at most once a minute, and follows a clock set back")
    func keptTime() {
        var number = 0
        func kept(after milliseconds: Int64) -> Bool {
            box.forget()
            box.wall += milliseconds
            number += 1
            box.notice(TestBox.payment("n\(number)"))
            return box.effects.contains { if case .keep = $0 { true } else { false } }
        }
        #expect([0, 59_999, 1, -1, 60_000].map { kept(after: $0) } == [true, false, true, true, true])
        box.forget()
        box.advance(milliseconds: 100_000)
        box.endTurn()
        #expect(!box.effects.contains { if case .keep = $0 { true } else { false } })
    }

    @Test("After a restart what was not said is said in order, or summed up, by its age")
    func restart() {
        for (id, age) in [("a", 10), ("b", 300), ("c", 4000)] {
            box.notice(box.paid(id, "0.01", secondsAgo: age))
        }
        box.commitAll()
        let reborn = TestBox(
            planner: planner, shelf: box.shelf.afterCrash(), wall: box.wall + 55_000, card: false)
        reborn.send(.cardOpened("x"))
        for _ in 0..<2 { reborn.hear() }
        #expect(reborn.said == ["late six one zero, paid, one", "late six zero six, paid, one"])
        reborn.advance(milliseconds: 2000)
        reborn.send(.tick)
        reborn.hear()
        #expect(reborn.said.last == "one paid, one")
        #expect(reborn.states.last == "c expired summarised")
    }
}
