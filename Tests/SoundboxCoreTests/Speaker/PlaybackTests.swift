import TestVoice
import Testing

@testable import SoundboxCore

/// One after the other, and what the box tells of itself.
struct PlaybackTests {
    let box: TestBox

    init() throws {
        box = TestBox(planner: try TestVoice.planner())
    }

    @Test("Payments are spoken one behind the other in the order received, before any prompt that waits")
    func order() {
        box.notice(TestBox.payment("n1", "0.01"))
        box.command(#"{"id":"c","do":"identify"}"#)
        box.notice(TestBox.payment("n2", "0.02"))
        box.notice(#"{"id":"n3","kind":"order","order":"book"}"#)
        #expect(box.said == ["paid, one"])
        for _ in 0..<4 { box.hear() }
        #expect(box.said == ["paid, one", "paid, two", "book", "test"])
    }

    @Test("The time behind others counts as queued, not as slowness of the box")
    func queued() {
        box.notice(TestBox.payment("n1"))
        box.notice(TestBox.payment("n2"))
        for ticket in 1...2 { box.send(.committed(UInt64(ticket), failure: nil)) }
        box.advance(milliseconds: 3000)
        box.hear()
        box.advance(milliseconds: 10)
        box.hear()
        #expect(box.receipts.last?["queuedMs"] == 3000)
        #expect(box.receipts.last?["latencyMs"] == 3010)
    }

    @Test("A card that goes takes nothing along: what was cut is said whole when it is back")
    func cardLost() {
        box.notice(TestBox.payment("n1", "0.01"))
        box.notice(TestBox.payment("n2", "0.02"))
        box.send(.cardLost("unplugged"))
        box.endTurn()
        #expect(box.statuses.last?["problems"]?["card"] == "no-card: unplugged")
        #expect(box.statuses.last?["card"] == .null)
        box.notice(TestBox.payment("n3", "0.03"))
        #expect(box.said == ["paid, one"])
        box.send(.cardOpened("back"))
        for _ in 0..<3 { box.hear() }
        #expect(box.said == ["paid, one", "paid, one", "paid, two", "paid, three"])
    }

    @Test("News of an announcement that is no longer said is ignored")
    func staleReports() {
        box.notice(TestBox.payment("n1"))
        box.commit()
        guard let id = box.playing?.id else { return }
        box.hear()
        box.forget()
        box.send(.ended(id))
        box.send(.stopped(id))
        box.send(.began(99, at: 0))
        #expect(box.effects.isEmpty)
    }

    @Test("The status is published at each connect and when it changes, and a queue alone at most once a second")
    func status() {
        box.endTurn()
        #expect(box.statuses.isEmpty)
        box.send(.disconnected("gone"))
        box.send(.connected)
        box.endTurn()
        #expect(box.statuses.count == 1)
        #expect(box.statuses.last?["state"] == "online" && box.statuses.last?["queue"] == 0)
        #expect(box.published.last?.retained == true)
        box.notice(TestBox.payment("n1"))
        box.notice(TestBox.payment("n2"))
        #expect(box.statuses.count == 1)
        #expect(box.speaker.deadline == box.time + 1_000_000_000)
        box.advance(milliseconds: 1000)
        box.send(.tick)
        box.endTurn()
        #expect(box.statuses.count == 2 && box.statuses.last?["queue"] == 2)
        box.send(.refused("subscription to soundbox/b1/pay"))
        box.endTurn()
        #expect(box.statuses.last?["problems"]?["broker"] == "subscription to soundbox/b1/pay")
        box.send(.subscribed)
        box.endTurn()
        #expect(box.statuses.last?["problems"] == .object([]))
    }

    @Test("Nothing but receipts and replies is published while the broker is away")
    func offline() {
        box.send(.disconnected("gone"))
        box.endTurn()
        box.forget()
        box.advance(milliseconds: 61_000)
        box.send(.cardLost("x"))
        box.endTurn()
        #expect(box.published.isEmpty)
    }

    @Test("Telemetry comes once a minute, with counts and latencies")
    func telemetry() {
        box.notice(TestBox.payment("n1"))
        box.advance(milliseconds: 12)
        box.hear()
        box.notice("x")
        box.send(.underruns(1))
        box.send(.underruns(2))
        box.send(.disconnected("gone"))
        box.send(.connected)
        box.forget()
        box.advance(milliseconds: 59_000)
        box.endTurn()
        #expect(!box.effects.contains { if case .telemetry = $0 { true } else { false } })
        box.advance(milliseconds: 1000)
        box.endTurn()
        guard
            case .telemetry(let members)? = box.effects.first(where: { if case .telemetry = $0 { true } else { false } }
            )
        else {
            Issue.record("no telemetry")
            return
        }
        let telemetry = JSON.object(members)
        for (key, value) in [
            ("notices", 2), ("spoken", 1), ("rejected", 1), ("xruns", 2), ("reconnects", 1), ("uptimeS", 60),
        ] {
            #expect(telemetry[key] == JSON(value), "\(key)")
        }
        #expect(telemetry["latencyMs"]?["p50"] == 12 && telemetry["latencyMs"]?["max"] == 12)
    }

    @Test("A box that stops records what still comes in, and neither says it nor gives it up")
    func stopping() {
        box.send(.stopping)
        box.notice(TestBox.payment("n1"))
        box.commit()
        #expect(box.said.isEmpty)
        #expect(box.states == ["n1 accepted"])
        #expect(box.effects.last == .acknowledge(1))
    }

    @Test("The will and the farewell say lost and offline, retained")
    func lastWords() throws {
        let farewell = box.speaker.farewell()
        #expect(try JSON(parsing: farewell.payload)["state"] == "offline")
        let will = Speaker.will(topics: box.speaker.settings.topics)
        #expect(try JSON(parsing: will.payload)["state"] == "lost")
        #expect(farewell.retained && will.retained && farewell.topic == will.topic)
    }
}
