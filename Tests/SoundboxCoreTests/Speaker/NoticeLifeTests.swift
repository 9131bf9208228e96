import TestVoice
import Testing

@testable import SoundboxCore

/// From a message on the pay topic to its last receipt.
struct NoticeLifeTests {
    let box: TestBox

    init() throws {
        box = TestBox(planner: try TestVoice.planner())
    }

    @Test("A payment is spoken first, committed second, acknowledged last")
    func order() {
        box.notice(TestBox.payment("n1"))
        let kinds = box.effects.compactMap { effect -> String? in
            switch effect {
            case .play: "play"
            case .record: "record"
            case .commit: "commit"
            case .acknowledge: "acknowledge"
            case .publish(let message) where message.topic.hasSuffix("receipt"): "receipt"
            default: nil
            }
        }
        #expect(kinds == ["play", "record", "commit"])
        box.forget()
        box.send(.committed(1, failure: nil))
        #expect(box.states == ["n1 accepted"])
        #expect(box.effects.last == .acknowledge(1))
    }

    @Test("Receipts tell how far it is, in order, with latency and time in the queue")
    func receipts() {
        box.notice(TestBox.payment("n1", "100.65"))
        box.commit()
        box.advance(milliseconds: 7)
        box.hear()
        #expect(box.said == ["paid, one zero zero six five"])
        #expect(box.states == ["n1 accepted", "n1 speaking", "n1 spoken"])
        #expect(box.receipts.last?["latencyMs"] == 7)
        #expect(box.receipts.last?["queuedMs"] == 0)
        #expect(box.receipts.last?["at"] == .string(Timestamp(milliseconds: box.wall).text))
        #expect(box.receipts.last?["clock"] == nil)
        #expect(box.published.filter { $0.topic.hasSuffix("receipt") }.map(\.qos) == [1, 0, 1])
        guard case .record(let record) = box.effects.last(where: { if case .record = $0 { true } else { false } })
        else {
            Issue.record("nothing recorded")
            return
        }
        #expect(record.state == .spoken && record.payload.isEmpty && record.amount?.minorUnits == 10065)
    }

    @Test("No receipt overtakes `accepted`, though the sound began and ended before the commit")
    func soundBeforeCommit() {
        box.notice(TestBox.payment("n1"))
        box.hear()
        #expect(box.states.isEmpty)
        box.send(.committed(1, failure: nil))
        #expect(box.states == ["n1 accepted", "n1 speaking", "n1 spoken"])
    }

    @Test("What became of a notice is recorded in one commit with the receipt that tells it, behind `accepted`")
    func recordedTogether() {
        func turns() -> [[String]] {
            box.effects.reduce(into: [[]]) { turns, effect in
                switch effect {
                case .record(let record): turns[turns.count - 1].append("record \(record.state)")
                case .publish(let message) where message.isKept: turns[turns.count - 1].append("keep")
                case .commit: turns.append([])
                default: break
                }
            }
        }
        box.notice(TestBox.payment("n1"))
        box.commit()
        box.hear()
        #expect(turns() == [["record accepted"], ["record spoken", "keep"], []])
        box.forget()
        box.notice(TestBox.payment("n2"))
        box.hear()
        box.commit()
        #expect(turns() == [["record accepted"], ["record spoken", "keep"], []])
    }

    @Test("Only a last word is kept, and it is committed before the broker's acknowledgement leaves")
    func kept() {
        box.notice(TestBox.payment("n1"))
        box.commit()
        box.hear()
        #expect(
            box.published.filter { $0.topic.hasSuffix("receipt") }.map(\.isKept) == [false, false, true])
        for payload in [TestBox.payment("n1"), TestBox.payment("n1", "2.00"), "not a notice"] {
            box.forget()
            box.notice(payload, batch: 7)
            #expect(box.published.map(\.isKept).first == true)
            #expect(!box.effects.contains(.acknowledge(7)))
            box.commit()
            #expect(box.effects.contains(.acknowledge(7)))
        }
    }

    @Test("What an earlier life left in a file that comes up late is said then")
    func lateFile() throws {
        var file: [FiledNotice] = []
        var speaker = Speaker(
            settings: TestBox.settings, planner: try TestVoice.planner(),
            ports: Speaker.Ports(
                history: { _ in nil }, signature: { _ in .unsigned }, digest: { _ in "" }, spokenPayment: { _ in nil },
                totals: { _ in [] },
                unspoken: { place, limit in Array(file.filter { $0.place > place }.prefix(limit)) },
                localTime: TestBox.localTime),
            at: box.now)
        #expect(
            speaker.handle(.cardOpened("card"), at: box.now).allSatisfy { if case .play = $0 { false } else { true } })
        let payload = Array(TestBox.payment("old").utf8)
        file = [FiledNotice(place: 1, record: NoticeRecord(id: "old", receivedAt: box.now.wall, payload: payload))]
        let effects = speaker.handle(.journalOpened, at: box.now)
        #expect(effects.contains { if case .play(let said, _) = $0 { said.notice == "old" } else { false } })
    }

    @Test("A journal that cannot write does not silence the box, and the receipt says so")
    func notDurable() {
        box.notice(TestBox.payment("n1"))
        box.commit(failure: "disk full")
        #expect(box.receipts.first?["durable"] == false)
        #expect(box.effects.contains(.acknowledge(1)))
        #expect(box.statuses.last?["problems"]?["journal"] == "disk full")
        box.notice(TestBox.payment("n2"))
        box.commit()
        #expect(box.receipts.last?["durable"] == nil)
        #expect(box.statuses.last?["problems"] == .object([]))
        box.send(.journalFailed("gone"))
        box.endTurn()
        #expect(box.statuses.last?["problems"]?["journal"] == "gone")
    }

    @Test("The second notice with an id is a duplicate, whatever became of the first, and is silent")
    func duplicates() {
        box.notice(TestBox.payment("n1"))
        box.notice(TestBox.payment("n1"), batch: 2)
        #expect(box.receipts.last?["state"] == "duplicate" && box.receipts.last?["first"] == "accepted")
        // Its first commit is under way: the broker may not forget it yet.
        #expect(!box.effects.contains(.acknowledge(2)))
        for ticket in 1...2 { box.send(.committed(UInt64(ticket), failure: nil)) }
        #expect(box.effects.contains(.acknowledge(2)))
        box.hear()
        box.commit()
        box.notice(TestBox.payment("n1"), batch: 3)
        #expect(box.receipts.last?["state"] == "duplicate" && box.receipts.last?["first"] == "spoken")
        #expect(box.said.count == 1)
    }

    @Test("An id that comes again with other money is refused as reused")
    func reusedID() {
        box.notice(TestBox.payment("n1", "1.00"))
        box.notice(TestBox.payment("n1", "2.00"))
        box.notice(#"{"id":"n1","amount":"1.00","currency":"USD"}"#)
        box.notice(#"{"id":"n1","kind":"order","order":"book"}"#)
        #expect(box.states == ["n1 rejected id-reused", "n1 rejected id-reused", "n1 rejected id-reused"])
        #expect(box.said.count == 1)
    }

    @Test("Ids that only look the same are two")
    func idsByTheirBytes() {
        box.notice(TestBox.payment("caf\u{E9}"))
        box.notice(TestBox.payment("cafe\u{301}"))
        for ticket in 1...2 { box.send(.committed(UInt64(ticket), failure: nil)) }
        #expect(box.receipts.map { $0["state"] } == ["accepted", "accepted"])
    }

    @Test("A rejected notice does not use up its id")
    func rejectedIDIsFree() {
        box.notice(TestBox.payment("n1", "1.234"))
        box.notice(TestBox.payment("n1", "1.23"))
        box.commit()
        #expect(box.states == ["n1 rejected amount-too-precise", "n1 accepted"])
    }

    @Test("A retained notice never speaks")
    func retained() {
        box.notice(TestBox.payment("n1"), retained: true)
        box.commit()
        #expect(box.states == ["n1 rejected retained"])
        #expect(box.said.isEmpty)
        #expect(box.effects.contains(.acknowledge(1)))
    }

    @Test("Money that cannot be said in full is still announced, and the receipt says what was left out")
    func generic() {
        box.notice(TestBox.payment("n1", "100000000000.00"))
        box.commit()
        box.hear()
        #expect(box.said == ["received"])
        #expect(box.states == ["n1 accepted", "n1 speaking", "n1 spoken clip-missing"])
        box.forget()
        box.notice(#"{"id":"n2","amount":"5.000","currency":"KWD"}"#)
        box.commit()
        box.hear()
        #expect(box.said == ["received"])
        #expect(box.states.last == "n2 spoken currency-unsupported")
    }

    @Test(
        "Each kind is said with its phrase",
        arguments: [
            (#"{"id":"1","channel":"alipay","amountMinor":123,"currency":"CNY"}"#, "alipay, one two three"),
            (#"{"id":"1","channel":"nobody","amount":1.2}"#, "paid, one two zero"),
            (#"{"id":"1","channel":"generic","amount":1.2}"#, "paid, one two zero"),
            (#"{"id":"1","kind":"refund","channel":"alipay","amount":"0.05"}"#, "refund, five"),
            (#"{"id":"1","kind":"order","order":"takeaway"}"#, "takeaway"),
            (#"{"id":"1","kind":"prompt","prompt":"test"}"#, "test"),
            (#"{"id":"1","kind":"text","text":"book five, done"}"#, "book five, done"),
        ])
    func kinds(payload: String, words: String) {
        box.notice(payload)
        #expect(box.said == [words])
    }

    @Test("What an earlier life accepted and did not say is said, in order")
    func restart() throws {
        let unspoken = ["a", "b"].map { id in
            NoticeRecord(
                id: id, receivedAt: Timestamp(milliseconds: 0),
                payload: Array(TestBox.payment(id, "0.0\(id == "a" ? 1 : 2)").utf8))
        }
        let box = TestBox(planner: try TestVoice.planner(), unspoken: unspoken, card: false)
        box.send(.cardOpened("card"))
        box.hear()
        box.hear()
        #expect(box.said == ["paid, one", "paid, two"])
        #expect(box.states == ["a speaking", "a spoken", "b speaking", "b spoken"])
        box.notice(TestBox.payment("a", "0.01"))
        #expect(box.receipts.last?["state"] == "duplicate")
        box.forget()
        box.notice(TestBox.payment("c"))
        #expect(box.said.count == 1)
    }
}
