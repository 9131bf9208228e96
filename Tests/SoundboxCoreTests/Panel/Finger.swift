@testable import SoundboxCore

/// Presses buttons as it was told, and writes down what comes of it: `MILLISECONDS ACTION`.
struct Finger {
    /// One press, in milliseconds; one that begins before 0 is there at the start.
    struct Press {
        var role: Buttons.Role
        var from: Int
        var to: Int

        init(_ role: Buttons.Role, _ from: Int, _ to: Int) {
            self.role = role
            self.from = from
            self.to = to
        }
    }

    /// One edge as the kernel tells it, or does not.
    struct Edge {
        var at: Int
        var role: Buttons.Role
        var isPressed: Bool
        var isLost = false
    }

    /// When a payment is being repeated.
    var repeating: [ClosedRange<Int>] = []
    /// When the loop comes by for other reasons.
    var visits: [Int] = []
    private let allowsReset: Bool
    private let edges: [Edge]
    private let initial: Set<Buttons.Role>

    init(_ presses: [Press], allowsReset: Bool = true) {
        let edges = presses.flatMap {
            [Edge(at: $0.from, role: $0.role, isPressed: true), Edge(at: $0.to, role: $0.role, isPressed: false)]
        }
        self.init(edges: edges, allowsReset: allowsReset)
    }

    init(edges: [Edge], allowsReset: Bool = true) {
        self.edges = edges.filter { $0.at > 0 || $0.isPressed }.enumerated().sorted {
            ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
        }.map(\.element)
        initial = Set(edges.filter { $0.at < 0 }.map(\.role))
        self.allowsReset = allowsReset
    }

    /// Plays it to the end, coming by at every edge that is told, at every deadline and at every visit.
    mutating func run() -> [String] {
        var buttons = Buttons(allowsReset: allowsReset, at: 0)
        var lines: [String] = []
        var levels: [Buttons.Role: Bool] = [:]
        func note(_ actions: [Buttons.Action], at time: Int) {
            lines += actions.map { "\(time) \(Finger.text($0))" }
        }
        for role in Buttons.Role.allCases {
            levels[role] = initial.contains(role)
            note(buttons.add(role, isPressed: initial.contains(role), at: 0), at: 0)
        }
        var rest = edges.filter { $0.at >= 0 }[...]
        var visits = visits[...]
        while true {
            let due = buttons.deadline == .max ? Int.max : Int((buttons.deadline + 999_999) / 1_000_000)
            // A lost edge wakes nobody.
            let now = min(due, rest.first { !$0.isLost }?.at ?? .max, visits.first ?? .max)
            guard now < .max else { return lines }
            while visits.first == now { visits.removeFirst() }
            buttons.isRepeating = repeating.contains { $0.contains(now) }
            let time = UInt64(now) * 1_000_000
            while let edge = rest.first, edge.at <= now {
                rest.removeFirst()
                levels[edge.role] = edge.isPressed
                if !edge.isLost { note(buttons.edge(edge.role, isPressed: edge.isPressed, at: time), at: now) }
            }
            for role in Buttons.Role.allCases {
                note(buttons.level(role, isPressed: levels[role] ?? false, at: time), at: now)
            }
            note(buttons.tick(at: time), at: now)
        }
    }

    static func text(_ action: Buttons.Action) -> String {
        switch action {
        case .pressed(let role): "pressed \(role)"
        case .repeatPayment(let back): "repeat \(back)"
        case .stop: "stop"
        case .total: "total"
        case .countdown(let seconds): "countdown \(seconds)"
        case .reset: "reset"
        case .volume(let steps): "volume \(steps)"
        case .mute: "mute"
        case .stuck(let role): "stuck \(role)"
        case .freed(let role): "freed \(role)"
        }
    }
}
