import TestVoice
import Testing

@testable import SoundboxCore

/// When more wait than one wants to hear one by one, and more than the memory holds.
struct BurstTests {
    let planner: Planner

    init() throws {
        planner = try TestVoice.planner()
    }

    private func box(mergeAfter: Int = 5, queueLimit: Int = 1000) -> TestBox {
        var settings = TestBox.settings
        settings.mergeAfter = mergeAfter
        settings.queueLimit = queueLimit
        return TestBox(settings: settings, planner: planner)
    }

    /// Hears all there is to be heard, with the journal answering at once.
    private func finish(_ box: TestBox) {
        for _ in 0..<10_000 {
            box.commitAll()
            if box.playing != nil {
                box.hear()
            } else if box.speaker.queueLength > 0 || box.speaker.deadline == 0 {
                box.tick()
            } else {
                return
            }
        }
        Issue.record("it does not come to an end")
    }

    /// The states that each notice went through.
    private func chains(_ box: TestBox) -> [String: [String]] {
        Dictionary(grouping: box.receipts) { $0["id"]?.string ?? "" }
            .mapValues { $0.compactMap { $0["state"]?.string } }
    }

    @Test("Five wait and are said one by one; six wait and are said in one sentence", arguments: [5, 6])
    func threshold(count: Int) {
        let box = box()
        for number in 0...count { box.notice(TestBox.payment("n\(number)", "0.01")) }
        finish(box)
        #expect(box.said == ["paid, one"] + (count == 5 ? Array(repeating: "paid, one", count: 5) : ["six paid, six"]))
        let summaries = box.receipts.filter { $0["state"] == "spoken" }.map { $0["summary"] }
        #expect(summaries[0] == nil && summaries.count == count + 1)
        for summary in summaries.dropFirst() where count == 6 {
            #expect(summary == .object([.init("id", "n1"), .init("count", 6)]))
        }
        #expect(chains(box)["n1"]?.last == "spoken" && box.speaker.open.isEmpty && box.speaker.summaries.isEmpty)
    }

    @Test("Payments, refunds and currencies are apart, orders are never merged, each stands where its first stood")
    func apart() {
        let box = box()
        for payload in [
            TestBox.payment("n0", "0.09"), TestBox.payment("c1", "0.01"), #"{"id":"o1","kind":"order","order":"book"}"#,
            #"{"id":"u1","amount":"0.03","currency":"USD"}"#, TestBox.payment("c2", "0.01"),
            #"{"id":"r1","kind":"refund","amount":"0.02"}"#, #"{"id":"o2","kind":"order","order":"report"}"#,
            #"{"id":"u2","amount":"0.04","currency":"USD"}"#, #"{"id":"r2","kind":"refund","amount":"0.03"}"#,
            #"{"id":"t","kind":"text","text":"done"}"#,
        ] { box.notice(payload) }
        finish(box)
        #expect(
            box.said == [
                "paid, nine", "two paid, two", "book", "two paid, seven", "refund, five", "report", "done",
            ])
        #expect(box.receipts.first { $0["id"] == "u2" && $0["state"] == "spoken" }?["summary"]?["id"] == "u1")
        #expect(box.receipts.first { $0["id"] == "o1" && $0["state"] == "spoken" }?["summary"] == nil)
    }

    @Test("What comes while a summary waits goes into it, and what comes while it is said into the next")
    func absorbed() {
        let box = box()
        for number in 0...6 {
            box.notice(#"{"id":"c\#(number)","amount":"0.01"}"#)
            if number > 0 { box.notice(#"{"id":"u\#(number)","amount":"0.01","currency":"USD"}"#) }
        }
        box.hear()
        for number in 7...9 {
            box.notice(#"{"id":"c\#(number)","amount":"0.01"}"#)
            box.notice(#"{"id":"u\#(number)","amount":"0.01","currency":"USD"}"#)
        }
        finish(box)
        #expect(box.said == ["paid, one", "six paid, six", "nine paid, nine", "three paid, three"])
    }

    @Test("Nothing is ever merged where that is switched off")
    func neverMerged() {
        let box = box(mergeAfter: 0, queueLimit: 4)
        for number in 0..<10 { box.notice(TestBox.payment("n\(number)", "0.0\(number)")) }
        finish(box)
        #expect(box.said == TestVoice.digits.map { "paid, \($0)" })
        #expect(chains(box).values.allSatisfy { $0 == ["accepted", "speaking", "spoken"] })
    }

    @Test("Late ones are merged like others, and those too late for that are summed up apart")
    func lateOnes() {
        let box = box()
        box.notice(TestBox.payment("n0", "0.09"))
        for number in 1...3 { box.notice(box.paid("l\(number)", "0.01", secondsAgo: 300)) }
        for number in 1...3 { box.notice(TestBox.payment("n\(number)", "0.01")) }
        for number in 1...2 { box.notice(box.paid("x\(number)", "0.02", secondsAgo: 4000)) }
        finish(box)
        #expect(box.said == ["paid, nine", "six paid, six", "two paid, four"])
        #expect(chains(box)["x1"] == ["accepted", "expired"] && chains(box)["l1"] == ["accepted", "spoken"])
    }

    @Test("More than one sentence can say is said in several, and what cannot be said at all is said once, as such")
    func sumsTooLarge() {
        let box = box()
        box.notice(TestBox.payment("n0", "0.09"))
        // The voice reads up to 99999999999.99.
        for number in 1...4 { box.notice(TestBox.payment("b\(number)", "40000000000.00")) }
        for number in 1...3 { box.notice(TestBox.payment("h\(number)", "900000000000.00")) }
        finish(box)
        let huge = TestVoice.digits[8] + String(repeating: " zero", count: 12)
        #expect(box.said == ["paid, nine", "two paid, \(huge)", "two paid, \(huge)", "received"])
        let reasons = box.receipts.filter { $0["id"]?.string?.hasPrefix("h") == true && $0["state"] == "spoken" }
        #expect(reasons.map { $0["reason"] } == Array(repeating: "clip-missing", count: 3))
        #expect(reasons.last?["summary"] == .object([.init("id", "h1"), .init("count", 3)]))
    }

    @Test(
        "A summary that was cut leaves nothing open, and one that the card cut is said again",
        arguments: ["stop", "unplayable", "card"])
    func cut(how: String) {
        let box = box()
        for number in 0...6 { box.notice(TestBox.payment("n\(number)", "0.01")) }
        box.commitAll()
        box.hear()
        guard let id = box.playing?.id else { return }
        box.forget()
        switch how {
        case "stop": box.send(.stopped(id))
        case "unplayable": box.send(.unplayable(id, "x"))
        default:
            box.send(.cardLost("x"))
            box.send(.cardOpened("y"))
            box.hear()
        }
        let last = how == "card" ? "spoken" : "failed \(how == "stop" ? "stopped" : "unplayable")"
        #expect(box.states == (1...6).map { "n\($0) \(last)" })
        #expect(box.receipts.allSatisfy { ($0["summary"] != nil) == (how == "card") })
        #expect(box.speaker.open.isEmpty && box.speaker.summaries.isEmpty)
    }

    @Test("A new voice plans what waits in sum again")
    func reloaded() throws {
        let box = box()
        for number in 0...6 { box.notice(#"{"id":"c\#(number)","amount":"0.01"}"#) }
        for number in 1...2 { box.notice(#"{"id":"u\#(number)","amount":"0.01","currency":"USD"}"#) }
        box.hear()
        let planner = try TestVoice.planner(id: "other", extra: ["aaa"])
        box.send(.reloaded(.success(.init(planner: planner, style: nil)), command: nil))
        box.hear()
        let utterance = Utterance.phrase(
            "summary", .init(amount: Amount(minorUnits: 2, currency: try #require(Currency(code: "USD"))), count: 2))
        let expected = try planner.plan(utterance)
        #expect(box.playing?.plan == expected)
    }

    @Test("A new voice that has no way to say the sum says that there were payments")
    func reloadedWithoutWords() {
        let box = box()
        for number in 0...6 { box.notice(#"{"id":"c\#(number)","amount":"0.01"}"#) }
        for number in 1...2 { box.notice(#"{"id":"u\#(number)","amount":"0.01","currency":"USD"}"#) }
        box.hear()
        box.send(.reloaded(.success(.init(planner: planner, style: "none")), command: nil))
        box.commitAll()
        box.hear()
        box.hear()
        #expect(box.said.last == "received")
        #expect(box.states.suffix(2) == ["u1 spoken style-unknown", "u2 spoken style-unknown"])
    }

    // MARK: - Beyond the queue

    @Test("What the queue cannot hold waits in the journal, gets every receipt, and is said in one sentence")
    func overflow() {
        let box = box(queueLimit: 10)
        for number in 0..<700 { box.notice(TestBox.payment("n\(number)", "0.01")) }
        #expect(box.speaker.open.count == 10)
        finish(box)
        #expect(box.said == ["paid, one", "six nine nine paid, six nine nine"])
        let chains = chains(box)
        #expect(chains.count == 700 && chains["n0"] == ["accepted", "speaking", "spoken"])
        #expect(chains.filter { $0.key != "n0" }.allSatisfy { $0.value == ["accepted", "spoken"] })
        #expect(box.speaker.open.isEmpty && box.speaker.queueLength == 0)
        #expect(box.shelf.unspoken(after: 0, limit: 1).isEmpty)
        box.forget()
        box.notice(TestBox.payment("next", "0.05"))
        #expect(box.said == ["paid, five"])
    }

    @Test("Their last words are written a batch at a time, each after the one before is committed")
    func batches() {
        let box = box(queueLimit: 10)
        for number in 0..<1000 { box.notice(TestBox.payment("n\(number)", "0.01")) }
        box.commitAll()
        box.hear()
        while box.playing == nil { box.tick() }
        box.commitAll()
        box.forget()
        box.hear()
        var batches: [Int] = []
        while !box.unanswered.isEmpty {
            batches.append(box.effects.count { if case .record = $0 { true } else { false } })
            box.forget()
            box.endTurn()
            #expect(box.effects.isEmpty)
            box.commitAll(most: 1)
        }
        // The nine that memory had come with the first.
        #expect(batches == [259, 250, 250, 240])
    }

    @Test("Ten thousand notices leave as little behind as one", .timeLimit(.minutes(2)))
    func boundedMemory() {
        let box = box()
        var most = 0
        for number in 0..<10_000 {
            box.notice(TestBox.payment("n\(number)", "0.01"))
            box.commitAll()
            most = max(most, box.speaker.open.count)
            box.forget()
        }
        #expect(most == 1000 && box.speaker.waiting.count == 999)
        box.hear()
        while box.playing == nil { box.tick() }
        #expect(box.said == [nine(4) + " paid, " + nine(4)] && box.speaker.waiting.isEmpty)
        finish(box)
        #expect(box.speaker.open.isEmpty && box.speaker.settlements.isEmpty)
        #expect(box.states.filter { $0.hasSuffix("spoken") }.count == 10_000)
    }

    private func nine(_ count: Int) -> String { Array(repeating: "nine", count: count).joined(separator: " ") }

    @Test("Orders in the journal are said one by one, in order, behind what is before them")
    func ordersInTheJournal() {
        let box = box(queueLimit: 3)
        for number in 0..<5 {
            box.notice(TestBox.payment("n\(number)", "0.01"))
            box.notice(#"{"id":"o\#(number)","kind":"order","order":"book"}"#)
        }
        finish(box)
        #expect(box.said.filter { $0 == "book" }.count == 5)
        let spoken = box.receipts.filter { $0["state"] == "spoken" }.compactMap { $0["id"]?.string }
        #expect(spoken.filter { $0.hasPrefix("o") } == (0..<5).map { "o\($0)" })
        #expect(spoken.filter { $0.hasPrefix("n") } == (0..<5).map { "n\($0)" })
    }

    @Test("What comes while the journal is behind stays behind it")
    func order() {
        let box = box(mergeAfter: 0, queueLimit: 2)
        for number in 0..<4 { box.notice(TestBox.payment("n\(number)", "0.0\(number)")) }
        box.commitAll()
        box.hear()
        box.notice(TestBox.payment("n4", "0.04"))
        finish(box)
        #expect(box.said == (0...4).map { "paid, \(TestVoice.digits[$0])" })
    }

    @Test("A journal that cannot write takes no more than the queue holds")
    func journalFails() {
        let box = box(queueLimit: 1)
        box.notice(TestBox.payment("n1"))
        box.notice(TestBox.payment("n2"))
        box.send(.committed(1, failure: "full"))
        box.send(.committed(2, failure: "full"))
        #expect(box.states == ["n1 accepted", "n2 accepted", "n2 failed queue-full"])
        box.notice(TestBox.payment("n3"))
        #expect(box.states.last == "n3 rejected queue-full")
        box.hear()
        box.endTurn()
        box.commitAll()
        box.notice(TestBox.payment("n4", "0.04"))
        #expect(box.said.last == "paid, four")
    }

    @Test("Clear-queue gives up what waits in sum, in the journal, and on its way there")
    func cleared() {
        let box = box(queueLimit: 3)
        for number in 0..<6 { box.notice(TestBox.payment("n\(number)")) }
        box.commitAll()
        box.notice(TestBox.payment("n6"))
        box.forget()
        box.command(#"{"id":"c","do":"clear-queue"}"#)
        #expect(box.replies.last?["cleared"] == 6)
        box.notice(TestBox.payment("n7", "0.07"))
        finish(box)
        let failed = box.states.filter { $0.hasSuffix("failed cleared") }
        #expect(Set(failed) == Set((1...6).map { "n\($0) failed cleared" }) && failed.count == 6)
        #expect(box.said == ["paid, seven"])
    }

    @Test("Muted, all of it fails, also what only the journal has")
    func muted() {
        let box = box(queueLimit: 3)
        for number in 0..<20 { box.notice(TestBox.payment("n\(number)")) }
        box.command(#"{"id":"m","do":"mute"}"#)
        finish(box)
        #expect(box.states.filter { $0.hasSuffix("failed muted") }.count == 19)
    }

    @Test("A damaged journal takes along what only it had, and nothing else")
    func replaced() {
        let box = box(queueLimit: 3)
        for number in 0..<20 { box.notice(TestBox.payment("n\(number)", "0.01")) }
        box.commitAll()
        box.shelf.replace()
        box.send(.journalReplaced("moved aside"))
        box.notice(TestBox.payment("new", "0.05"))
        finish(box)
        let spoken = box.states.filter { $0.hasSuffix("spoken") }
        #expect(spoken == ["n0 spoken", "n1 spoken", "n2 spoken", "new spoken"])
    }

    @Test("After a restart a thousand that nobody heard are one sentence, and new ones wait behind them")
    func restart() {
        let box = box()
        box.send(.cardLost("x"))
        for number in 0..<1000 { box.notice(TestBox.payment("n\(number)", "0.01")) }
        box.commitAll()
        let reborn = TestBox(planner: planner, shelf: box.shelf.afterCrash(), card: false)
        reborn.notice(TestBox.payment("new", "0.05"))
        reborn.commitAll()
        reborn.send(.cardOpened("y"))
        reborn.forget()
        finish(reborn)
        #expect(reborn.said == ["one zero zero one paid, one zero zero five"])
        #expect(Set(reborn.states.filter { $0.hasSuffix(" spoken") }).count == 1001)
    }
}
