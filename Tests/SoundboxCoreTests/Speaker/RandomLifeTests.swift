import TestSupport
import TestVoice
import Testing

@testable import SoundboxCore

/// Thousands of lives of a box, of whatever may happen to it, against what must hold in all of them.
struct RandomLifeTests {
    @Test("Each accepted notice ends in exactly one final receipt, in the order received, none over another")
    func invariants() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        let planner = try TestVoice.planner()
        for life in 0..<2000 { try live(life, planner: planner, using: &random) }
    }

    private func live(_ life: Int, planner: Planner, using random: inout SeededGenerator) throws {
        let box = TestBox(planner: planner)
        var sent: [String] = []
        var nextBatch: UInt64 = 1
        var unanswered: [UInt64] = []
        var known = 0

        /// Looks at what is new: commits that wait for their answer, and that nothing is said over anything else.
        func look() {
            for effect in box.effects[known...] {
                if case .commit(let ticket) = effect { unanswered.append(ticket) }
            }
            known = box.effects.count
        }
        func step(_ choice: Int) {
            switch choice {
            case 0..<6:
                let isAgain = !sent.isEmpty && Int.random(in: 0..<5, using: &random) == 0
                let id = isAgain ? sent.randomElement(using: &random) ?? "" : "n\(sent.count)"
                if !isAgain { sent.append(id) }
                box.notice(TestBox.payment(id, "0.0\((Int(id.dropFirst()) ?? 0) % 10)"), batch: nextBatch)
                nextBatch += 1
            case 6..<10:
                if let ticket = unanswered.first {
                    unanswered.removeFirst()
                    box.send(.committed(ticket, failure: Int.random(in: 0..<10, using: &random) == 0 ? "full" : nil))
                }
            case 10..<13: if let current = box.speaker.current { box.send(.began(current.id, at: box.time)) }
            case 13..<18: if let current = box.speaker.current { box.send(.ended(current.id)) }
            case 18: if let current = box.speaker.current { box.send(.stopped(current.id)) }
            case 19: box.send(.cardLost("x"))
            case 20..<22: box.send(.cardOpened("y"))
            case 22: box.send(.disconnected("x"))
            case 23: box.send(.connected)
            case 24: box.command(#"{"id":"c\#(box.time)","do":"identify"}"#)
            case 25: box.command(#"{"id":"c\#(box.time)","do":"mute","mute":\#(Bool.random(using: &random))}"#)
            case 26: box.command(#"{"id":"c\#(box.time)","do":"clear-queue"}"#)
            default: box.notice("not a notice", batch: nextBatch)
            }
            box.endTurn()
            box.advance(milliseconds: Int.random(in: 0..<2000, using: &random))
            look()
        }
        for _ in 0..<Int.random(in: 1..<60, using: &random) { step(Int.random(in: 0..<28, using: &random)) }
        // Everything comes to its end: the card is there, the journal answers, what waits is said.
        box.send(.cardOpened("z"))
        box.endTurn()
        look()
        while box.speaker.current != nil || !unanswered.isEmpty {
            step(6)
            step(13)
        }

        let states = Dictionary(grouping: box.receipts) { $0["id"]?.string ?? "" }
            .mapValues { $0.compactMap { $0["state"]?.string }.filter { $0 != "duplicate" } }
        for id in sent {
            let chain = states[id] ?? []
            #expect(chain.first == "accepted", "life \(life), \(id): \(chain)")
            let finals = chain.filter { ["spoken", "failed", "expired"].contains($0) }
            #expect(finals.count == 1 && finals.first == chain.last, "life \(life), \(id): \(chain)")
        }
        // A payment is handed over again only where the card cut it; first times keep the order of arrival.
        var firstTimes: [String] = []
        for case .play(let announcement, _) in box.effects {
            if let id = announcement.notice, !firstTimes.contains(id) { firstTimes.append(id) }
        }
        #expect(firstTimes == sent.filter { firstTimes.contains($0) }, "life \(life)")
        #expect(box.speaker.open.isEmpty && box.speaker.waiting.isEmpty, "life \(life)")
        let acknowledged = Set(box.effects.compactMap { if case .acknowledge(let batch) = $0 { batch } else { nil } })
        #expect(acknowledged.isSuperset(of: 1..<nextBatch), "life \(life)")
    }
}
