import TestSupport
import Testing

@testable import SoundboxCore

/// Random fingers on bouncing contacts, against an oracle that knows what the fingers did and reads it off the press as
/// a whole, without a state from edge to edge.
struct RandomPressTests {
    typealias Press = Finger.Press

    /// What presses of one button mean, from the presses alone: `(MILLISECONDS, ACTION)`.
    static func meaning(_ presses: [Press], repeating: [ClosedRange<Int>], allowsReset: Bool) -> [(Int, String)] {
        let debounce = 20
        var meaning: [(Int, String)] = []
        for (index, press) in presses.enumerated() {
            let (down, up, length) = (press.from + debounce, press.to + debounce, press.to - press.from)
            meaning.append((down, "pressed \(press.role)"))
            guard press.role == .repeat else { continue }
            let back = self.back(index, presses, repeating)
            if back == nil { meaning.append((down, "stop")) }
            for second in 5..<10 where allowsReset && length > second * 1000 {
                meaning.append((down + second * 1000, "countdown \(10 - second)"))
            }
            if allowsReset, length > 10_000 { meaning.append((down + 10_000, "reset")) }
            if length <= 1000, let back { meaning.append((up, "repeat \(back)")) }
            if (2000...5000).contains(length) { meaning.append((up, "total")) }
        }
        return meaning
    }

    /// How far back a press goes: as many short presses lie before it without a pause; nil where it stops instead.
    static func back(_ index: Int, _ presses: [Press], _ repeating: [ClosedRange<Int>]) -> Int? {
        if index > 0, presses[index].from - presses[index - 1].to <= 1500,
            presses[index - 1].to - presses[index - 1].from <= 1000,
            let before = back(index - 1, presses, repeating)
        {
            return before + 1
        }
        return repeating.contains { $0.contains(presses[index].from + 20) } ? nil : 0
    }

    /// Bounces of a contact around each change: changes with less than the debounce time between them.
    static func bouncing(_ presses: [Press], using random: inout SeededGenerator) -> [Finger.Edge] {
        var edges: [Finger.Edge] = []
        for press in presses {
            for (settled, isPressed) in [(press.from, true), (press.to, false)] {
                var at = settled
                // Going back from the settled edge, every other change is the opposite one.
                var level = isPressed
                edges.append(Finger.Edge(at: at, role: press.role, isPressed: level))
                for _ in 0..<(2 * Int.random(in: 0...3, using: &random)) {
                    at -= Int.random(in: 1...4, using: &random)
                    level.toggle()
                    edges.append(Finger.Edge(at: at, role: press.role, isPressed: level))
                }
            }
        }
        return edges.sorted { $0.at < $1.at }
    }

    /// Presses of one button one after the other, at least so far apart that their bounces do not mix.
    static func presses(
        _ role: Buttons.Role, lengths: [ClosedRange<Int>], pauses: [ClosedRange<Int>],
        using random: inout SeededGenerator
    ) -> [Press] {
        var at = 100
        return (0..<Int.random(in: 1...12, using: &random)).map { _ in
            at += Int.random(in: pauses.randomElement(using: &random) ?? 100...100, using: &random)
            let from = at
            at += Int.random(in: lengths.randomElement(using: &random) ?? 100...100, using: &random)
            return Press(role, from, at)
        }
    }

    @Test("Bouncing presses of any length mean what they mean, to the millisecond")
    func bounces() {
        var random = SeededGenerator()
        for _ in 0..<400 {
            let lengths = [60...400, 900...1100, 1900...2100, 4900...5100, 6000...9000, 9900...10_100, 60...12_000]
            let presses = Self.presses(
                .repeat, lengths: lengths, pauses: [60...1600, 1400...1600, 1600...9000], using: &random)
            let allowsReset = Int.random(in: 0..<4, using: &random) > 0
            var finger = Finger(edges: Self.bouncing(presses, using: &random), allowsReset: allowsReset)
            finger.repeating = presses.filter { _ in Int.random(in: 0..<3, using: &random) == 0 }.map {
                $0.from + 20...$0.to + 4000
            }
            let expected = Self.meaning(presses, repeating: finger.repeating, allowsReset: allowsReset)
            let lines = finger.run()
            #expect(lines == expected.map { "\($0) \($1)" }, "seed \(random.seed), \(presses)")
        }
    }

    @Test("With any of its edges lost a press still means the same, a little later")
    func lostEdges() {
        var random = SeededGenerator()
        for _ in 0..<200 {
            // Lengths away from every limit: what is repaired is late by up to the time between two looks.
            let lengths = [250...700, 2300...4600, 5300...5600, 10_300...10_700]
            let presses = Self.presses(.repeat, lengths: lengths, pauses: [300...1100, 1900...4000], using: &random)
            let edges = Self.bouncing(presses, using: &random).map { edge in
                var edge = edge
                edge.isLost = Int.random(in: 0..<2, using: &random) == 0
                return edge
            }
            var finger = Finger(edges: edges)
            // Something else wakes the loop all the time.
            finger.visits = Array(stride(from: 0, through: (presses.last?.to ?? 0) + 1000, by: 97))
            let expected = Self.meaning(presses, repeating: [], allowsReset: true).map(\.1)
            let lines = finger.run()
            #expect(lines.map(Self.action) == expected, "seed \(random.seed), \(presses)")
        }
    }

    @Test("The release is found also where every edge after the first was lost and nothing else wakes the loop")
    func lostRelease() {
        for length in stride(from: 100, through: 900, by: 7) {
            let edges = [
                Finger.Edge(at: 0, role: .repeat, isPressed: true),
                Finger.Edge(at: length, role: .repeat, isPressed: false, isLost: true),
            ]
            var finger = Finger(edges: edges)
            #expect(finger.run().map(Self.action) == ["pressed repeat", "repeat 0"])
        }
    }

    @Test(
        "Whatever the edges, a volume step is never lost nor made up: one for a press, more while it is held, none for both"
    )
    func volume() {
        var random = SeededGenerator()
        for _ in 0..<200 {
            let presses = Self.presses(.up, lengths: [60...400, 500...4000], pauses: [60...2000], using: &random)
            var finger = Finger(edges: Self.bouncing(presses, using: &random))
            let expected = presses.flatMap { press -> [String] in
                let held = stride(from: 630, to: press.to - press.from, by: 200).map {
                    "\(press.from + 20 + $0) volume 1"
                }
                return ["\(press.from + 20) pressed up", "\(press.from + 50) volume 1"] + held
            }
            let lines = finger.run()
            #expect(lines == expected, "seed \(random.seed), \(presses)")
        }
    }

    @Test("Any edges at all, in any order of time and on any button, end with every button released and nothing due")
    func noise() {
        var random = SeededGenerator()
        for _ in 0..<100 {
            var buttons = Buttons(allowsReset: true, at: 0)
            var now: UInt64 = 0
            for role in Buttons.Role.allCases { _ = buttons.add(role, isPressed: .random(using: &random), at: now) }
            var presses: [Buttons.Role: Int] = [:]
            for _ in 0..<300 {
                guard let role = Buttons.Role.allCases.randomElement(using: &random) else { continue }
                now += UInt64.random(in: 0..<50_000_000, using: &random)
                let time = now - min(now, UInt64.random(in: 0..<200_000_000, using: &random))
                var actions: [Buttons.Action] = []
                switch Int.random(in: 0..<4, using: &random) {
                case 0: actions = buttons.level(role, isPressed: .random(using: &random), at: now)
                case 1: actions = buttons.tick(at: now)
                default: actions = buttons.edge(role, isPressed: .random(using: &random), at: time)
                }
                for case .pressed(let role) in actions { presses[role, default: 0] += 1 }
                #expect(!actions.contains(.reset), "seed \(random.seed)")
            }
            for role in Buttons.Role.allCases { _ = buttons.level(role, isPressed: false, at: now) }
            _ = buttons.tick(at: now + 60_000_000_000)
            #expect(buttons.deadline == .max, "seed \(random.seed)")
        }
    }

    static func action(_ line: String) -> String {
        String(line.drop { $0 != " " }.dropFirst())
    }
}
