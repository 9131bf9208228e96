import TestSupport
import Testing

@testable import SoundboxCore

/// A box among everything that may happen to it: a broker that delivers again what was not acknowledged, a journal that may
/// fail, a card that comes and goes, clocks that jump, people with commands, and power cuts. Every effect is held against
/// what must always be true.
final class TestWorld {
    struct Sent {
        let id: String
        let payload: String
        /// What is never said out of order.
        let group: String
    }

    private let name: String
    private let planner: Planner
    /// Another voice, which the box gets in the middle of its life.
    private let other: Planner
    private var random: SeededGenerator
    private let settings: Speaker.Settings
    private var box: TestBox

    private var sent: [Sent] = []
    private var groups: [String: String] = [:]
    /// What the broker has yet to deliver, and what it has delivered and not seen acknowledged.
    private var undelivered: [Sent] = []
    private var inFlight: [Sent] = []
    private var batch: UInt64 = 0
    private var isAwaited = false
    private var commands = 0

    // What this life of the box has shown.
    private var known = 0
    private var chains: [String: [String]] = [:]
    private var arrival: [String: Int] = [:]
    private var arrivals = 0
    private var played: Set<String> = []
    private var lastPlayed: [String: Int] = [:]
    private var isSpeaking = false
    private var notDurable: Set<String> = []
    /// What was refused, or went with a power cut after the box had said that it is not durable.
    private var excused: Set<String> = []

    init(_ name: String, planner: Planner, other: Planner, random: SeededGenerator) {
        self.name = name
        self.planner = planner
        self.other = other
        self.random = random
        var settings = TestBox.settings
        settings.queueLimit = Int.random(in: 1...8, using: &self.random)
        settings.mergeAfter = [0, 1, 3, 5].randomElement(using: &self.random) ?? 5
        if Bool.random(using: &self.random) {
            settings.night = Speaker.Night(from: 600, to: 660, volume: [0, 20].randomElement(using: &self.random) ?? 0)
        }
        self.settings = settings
        box = TestBox(
            settings: settings, planner: planner, shelf: TestShelf(), wallIsTrusted: Bool.random(using: &self.random),
            card: false)
    }

    private func expect(_ isTrue: Bool, _ what: @autoclosure () -> String) {
        if !isTrue { Issue.record("\(name): \(what())") }
    }

    private func pick(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

    // MARK: - What happens

    func live() {
        for _ in 0..<pick(1..<100) {
            step()
            look()
        }
        settle()
    }

    private func step() {
        switch pick(0..<70) {
        case 0..<12: publish(pick(1..<4))
        case 12..<14: if let again = sent.randomElement(using: &random) { undelivered.append(again) }
        case 14..<26: deliver(pick(1..<6))
        // The file may have it before the box hears of it, also of one that then took too long.
        case 26..<29: if let ticket = box.unanswered.first { box.shelf.commit(ticket) }
        case 29..<34: commit(isFailing: pick(0..<10) == 0)
        case 34..<38: if let id = box.speaker.current?.id { box.send(.began(id, at: box.time)) }
        case 38..<46: end()
        case 46: stopSpeaking()
        case 47:
            isSpeaking = false
            if let id = box.speaker.current?.id { box.send(.unplayable(id, "x")) }
        case 48:
            isSpeaking = false
            box.send(.cardLost("x"))
        case 49..<53: box.send(.cardOpened("y"))
        case 53: redeliver()
        case 54..<57: command()
        case 57: box.advance(milliseconds: [61_000, 1_900_000].randomElement(using: &random) ?? 0)
        case 58: box.wall += Int64(pick(-2..<3)) * 40 * 365 * 86_400_000
        case 59: box.wallIsTrusted = true
        case 60: restart()
        case 61: reload()
        default: box.advance(milliseconds: pick(0..<3000))
        }
        // A power cut may come between an event and the end of its turn.
        if pick(0..<200) == 0 { restart() }
        if pick(0..<4) > 0 { box.endTurn() }
        if box.speaker.deadline <= box.time {
            box.send(.tick)
            box.endTurn()
        }
    }

    private func publish(_ count: Int) {
        for _ in 0..<count {
            let id = "n\(sent.count)"
            let (group, members) =
                [
                    ("CNY", #""amount":"0.01""#), ("CNY", #""amount":"0.02""#), ("CNY", #""amount":"0.05""#),
                    ("USD", #""amount":"0.01","currency":"USD""#), ("KWD", #""amount":"0.001","currency":"KWD""#),
                    ("refund", #""kind":"refund","amount":"0.03""#), ("order", #""kind":"order","order":"book""#),
                    ("text", #""kind":"text","text":"book""#),
                ].randomElement(using: &random) ?? ("", "")
            let ages: [Int64?] = [nil, nil, 0, 30_000, 200_000, 1_795_000, 4_000_000, -900_000]
            let paidAt = (ages.randomElement(using: &random) ?? nil).map { age in
                #","paidAt":"\#(Timestamp(milliseconds: min(max(0, box.wall - age), 200_000_000_000_000)).text)""#
            }
            sent.append(Sent(id: id, payload: #"{"id":"\#(id)",\#(members)\#(paidAt ?? "")}"#, group: group))
            groups[id] = group
            undelivered += sent.suffix(1)
        }
    }

    /// The next batch; the broker's connection waits for the one before.
    private func deliver(_ count: Int) {
        guard !isAwaited, !undelivered.isEmpty else { return }
        inFlight = Array(undelivered.prefix(count))
        undelivered.removeFirst(inFlight.count)
        for notice in inFlight {
            arrived(notice.id)
            box.send(.notice(payload: Array(notice.payload.utf8), retained: false, receivedAt: box.time))
        }
        batch += 1
        isAwaited = true
        box.send(.batch(batch))
        box.endTurn()
    }

    private func arrived(_ id: String) {
        arrivals += 1
        if arrival[id] == nil { arrival[id] = arrivals }
    }

    private func redeliver() {
        box.send(.disconnected("x"))
        undelivered = inFlight + undelivered
        inFlight = []
        isAwaited = false
        box.send(.connected)
    }

    private func commit(isFailing: Bool) {
        guard let ticket = box.unanswered.first else { return }
        box.send(.committed(ticket, failure: isFailing ? "full" : nil))
    }

    private func end() {
        guard let id = box.speaker.current?.id else { return }
        isSpeaking = false
        box.send(.ended(id))
    }

    private func stopSpeaking() {
        guard let id = box.speaker.current?.id else { return }
        isSpeaking = false
        box.send(.stopped(id))
    }

    private func command() {
        commands += 1
        let action =
            [
                #""stop""#, #""clear-queue""#, #""repeat""#, #""total""#, #""identify""#, #""mute""#,
                #""mute","mute":false"#, #""volume","volume":0"#, #""volume","volume":50"#,
            ].randomElement(using: &random) ?? ""
        box.send(.command(payload: Array(#"{"id":"c\#(commands)","do":\#(action)}"#.utf8), retained: false))
    }

    private func reload() {
        box.send(.reloaded(.success(.init(planner: other, style: nil)), command: nil))
    }

    /// The power fails, and comes back.
    private func restart() {
        look()
        let shelf = box.shelf.afterCrash()
        excused.formUnion(notDurable.filter { shelf.filed($0) == nil })
        (chains, arrival, played, lastPlayed, isSpeaking, notDurable, known) = ([:], [:], [], [:], false, [], 0)
        for filed in shelf.file {
            arrived(filed.id)
            chains[filed.id] = filed.record.state.isFinal ? ["accepted", filed.record.state.rawValue] : ["accepted"]
        }
        let isTrusted = box.wallIsTrusted && Bool.random(using: &random)
        box = TestBox(
            settings: settings, planner: planner, shelf: shelf, time: UInt64(pick(1..<100)) * 1_000_000_000,
            wall: box.wall, wallIsTrusted: isTrusted, card: false)
        undelivered = inFlight + undelivered
        inFlight = []
        isAwaited = false
    }

    // MARK: - What must be true

    private func look() {
        let new = box.effects[known...]
        known = box.effects.count
        for effect in new {
            switch effect {
            case .play(let announcement, _): look(at: announcement)
            case .acknowledge(batch): acknowledged()
            case .publish(let publication) where publication.topic.hasSuffix("/receipt"):
                if let receipt = try? JSON(parsing: publication.payload) { look(at: receipt) }
            default: break
            }
        }
        if settings.mergeAfter == 0 {
            expect(box.speaker.open.count <= settings.queueLimit, "\(box.speaker.open.count) in memory")
        }
    }

    private func look(at announcement: Announcement) {
        expect(!isSpeaking, "\(announcement.plan.text) over something else")
        isSpeaking = true
        let summary = box.speaker.summaries[announcement.id]
        let file = box.shelf.file
        let ids =
            (announcement.notice.map { [$0] } ?? [])
            + (summary.map { $0.members + $0.places.map { file[Int($0) - 1].id } } ?? [])
        if let summary { expect(summary.count == ids.count, "\(ids) are not \(summary.count)") }
        for id in ids { expect(box.shelf.filed(id)?.state.isFinal != true, "\(id) is said after its last word") }
        guard summary?.isOffline != true else { return }
        let first = ids.filter { played.insert($0).inserted }
        for group in Set(first.compactMap { groups[$0] }) {
            let places = first.filter { groups[$0] == group }.compactMap { arrival[$0] }
            expect((places.min() ?? 0) > lastPlayed[group] ?? -1, "\(ids) out of order")
            lastPlayed[group] = places.max()
        }
    }

    private func look(at receipt: JSON) {
        guard let id = receipt["id"]?.string, let state = receipt["state"]?.string else { return }
        let chain = chains[id] ?? []
        switch state {
        case "duplicate": return
        case "rejected":
            // It may come again, and is then another.
            excused.insert(id)
            arrival[id] = nil
            return
        case "accepted":
            expect(chain.isEmpty, "\(id): accepted after \(chain)")
            if receipt["durable"] == false { notDurable.insert(id) }
        case "speaking": expect(["accepted", "speaking"].contains(chain.last), "\(id): speaking after \(chain)")
        default: expect(["accepted", "speaking"].contains(chain.last), "\(id): \(state) after \(chain)")
        }
        chains[id] = chain + [state]
    }

    private func acknowledged() {
        for notice in inFlight {
            expect(
                box.shelf.filed(notice.id) != nil || notDurable.contains(notice.id) || excused.contains(notice.id),
                "\(notice.id) is acknowledged and nowhere")
        }
        inFlight = []
        isAwaited = false
    }

    // MARK: - The end

    private var isSettled: Bool {
        let speaker = box.speaker
        return undelivered.isEmpty && !isAwaited && box.unanswered.isEmpty && speaker.current == nil
            && speaker.queueLength == 0 && speaker.settlements.isEmpty && !speaker.overflow.isBehind
    }

    /// Everything comes to its end: the card is there, the journal answers, what waits is said.
    private func settle() {
        box.send(.cardOpened("z"))
        // What a commit could not write goes with the next one.
        command()
        box.endTurn()
        look()
        var turns = 0
        while !isSettled, turns < 2000 {
            turns += 1
            deliver(3)
            look()
            commit(isFailing: false)
            look()
            if let id = box.speaker.current?.id { box.send(.began(id, at: box.time)) }
            look()
            end()
            look()
            box.tick()
            look()
        }
        expect(isSettled, "it does not come to an end")
        for notice in sent {
            if let state = box.shelf.filed(notice.id)?.state {
                expect(state.isFinal, "\(notice.id) is still \(state)")
                expect(chains[notice.id]?.last == state.rawValue, "\(notice.id): \(state), \(chains[notice.id] ?? [])")
            } else {
                expect(excused.contains(notice.id), "\(notice.id) is lost")
            }
        }
        expect(box.speaker.open.isEmpty && box.speaker.waiting.isEmpty, "something is still open")
        expect(box.speaker.summaries.isEmpty && box.speaker.offline.summaries.isEmpty, "a summary is still open")
        expect(box.speaker.uncommitted.isEmpty && box.speaker.overflow.uncommitted.isEmpty, "a commit is still open")
    }
}
