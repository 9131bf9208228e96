/// Decides what presses mean: from the levels of up to four buttons to actions.
///
/// Pure, like the ``Speaker``: time is handed in, in nanoseconds of the monotonic clock. An edge may be handed in late; it
/// counts at its own time, so that a stalled loop turns no short press into a long one.
///
/// A change counts when the level has kept still for ``debounce``, which a contact's bounces and a spike do not; both
/// ends of a press are late by that much, and its length is right. Lost edges are repaired by ``level(_:isPressed:at:)``,
/// for which the caller reads the lines at each turn of its loop; ``deadline`` makes it turn while a button is held.
public struct Buttons: Sendable {
    /// What a button is for. The raw value ends the configuration's key: `button_repeat`.
    public enum Role: String, CaseIterable, Sendable {
        case `repeat`, up, down, mute
    }

    /// What presses mean.
    public enum Action: Equatable, Sendable {
        /// A press was felt and is to be answered at once.
        case pressed(Role)
        /// Say the payment that was spoken last for 0, instead of it the one before for 1, and so on.
        case repeatPayment(back: Int)
        /// Cut what is being repeated.
        case stop
        /// Say today's total.
        case total
        /// So many seconds more, and the box is reset.
        case countdown(Int)
        /// Go back to how the box was delivered.
        case reset
        /// So many steps louder, or quieter where negative.
        case volume(Int)
        /// Mute, or no longer.
        case mute
        /// A button was down at the start, or is for longer than anybody means it. It does nothing until it is released.
        case stuck(Role)
        /// The stuck button is released.
        case freed(Role)
    }

    /// How long a level must keep still to count, in nanoseconds.
    public static let debounce: UInt64 = 20_000_000
    static let short: UInt64 = 1_000_000_000
    static let again: UInt64 = 1_500_000_000
    static let total = (from: 2_000_000_000 as UInt64, to: 5_000_000_000 as UInt64)
    static let second: UInt64 = 1_000_000_000
    static let resetSeconds = 10
    /// Two fingers are never quite at once: so long a volume button waits for the other.
    static let chord: UInt64 = 30_000_000
    static let volumeRepeatDelay: UInt64 = 600_000_000
    static let volumeRepeat: UInt64 = 200_000_000
    static let stuckAfter: UInt64 = 30_000_000_000
    /// How often the lines are read while a button is held, and while all that are held are stuck.
    static let look: UInt64 = 100_000_000
    static let lookWhileStuck: UInt64 = 1_000_000_000

    /// One button: its contact, and what its press has come to.
    struct Button {
        /// The level as last heard of, and since when.
        var level: Bool
        var levelSince: UInt64
        /// The level that counts.
        var isPressed: Bool
        var pressedAt: UInt64 = 0
        var isStuck: Bool
        /// The next thing that happens while it is held.
        var due: UInt64 = .max
        /// Of the repeat button: seconds counted, and what its release would repeat; nil for nothing.
        var seconds = 0
        var back: Int?
        /// Of a volume button: both are held, and that was it until both are released.
        var isChord = false
        /// Of a volume button: the first step is still to come.
        var isFresh = false

        var settles: UInt64 { level == isPressed ? .max : levelSince + Buttons.debounce }
        var stuckDue: UInt64 { isPressed && !isStuck ? pressedAt + Buttons.stuckAfter : .max }
        var isHeld: Bool { isPressed && !isStuck }
    }

    /// Whether a payment is being repeated right now. The caller keeps it current.
    public var isRepeating = false

    private let allowsReset: Bool
    private var buttons: [Role: Button] = [:]
    private var lastShort: (releasedAt: UInt64, back: Int)?
    private var clock: UInt64
    private var lookedAt: UInt64
    private var actions: [Action] = []

    /// No buttons yet.
    public init(allowsReset: Bool, at now: UInt64) {
        self.allowsReset = allowsReset
        clock = now
        lookedAt = now
    }

    /// A button is there, with this level.
    public mutating func add(_ role: Role, isPressed: Bool, at now: UInt64) -> [Action] {
        advance(to: now)
        buttons[role] = Button(level: isPressed, levelSince: clock, isPressed: isPressed, isStuck: isPressed)
        if isPressed { actions.append(.stuck(role)) }
        return takeActions()
    }

    /// A button is gone, and what was begun with it.
    public mutating func remove(_ role: Role, at now: UInt64) -> [Action] {
        advance(to: now)
        buttons[role] = nil
        return takeActions()
    }

    /// An edge of the level, at the time that the kernel stamped on it.
    public mutating func edge(_ role: Role, isPressed: Bool, at time: UInt64) -> [Action] {
        advance(to: time)
        if let button = buttons[role], button.level != isPressed || button.level != button.isPressed {
            // A second edge in the same direction is one more bounce, whose other half was lost.
            buttons[role]?.level = isPressed
            buttons[role]?.levelSince = clock
        }
        return takeActions()
    }

    /// The level as it is now, read after all edges that waited were taken.
    public mutating func level(_ role: Role, isPressed: Bool, at now: UInt64) -> [Action] {
        lookedAt = max(lookedAt, now)
        guard let button = buttons[role], button.level != isPressed else { return [] }
        if button.settles != .max, now < button.settles + Buttons.debounce {
            // What is about to count, or was a moment ago, is not so: the edge that took it back was lost.
            buttons[role]?.level = isPressed
            buttons[role]?.levelSince = max(now, clock)
        }
        return edge(role, isPressed: isPressed, at: now)
    }

    /// Time passed: ``deadline``.
    public mutating func tick(at now: UInt64) -> [Action] {
        advance(to: now)
        return takeActions()
    }

    /// The monotonic time at which the levels are to be read and ``tick(at:)`` is due.
    public var deadline: UInt64 {
        var due = UInt64.max
        for button in buttons.values {
            due = min(due, button.settles, button.due, button.stuckDue)
            guard button.isPressed || button.level else { continue }
            due = min(due, lookedAt + (button.isStuck ? Buttons.lookWhileStuck : Buttons.look))
        }
        return due
    }

    private mutating func takeActions() -> [Action] {
        defer { actions = [] }
        return actions
    }

    // MARK: - In the order of time

    private mutating func advance(to time: UInt64) {
        while true {
            var next: (due: UInt64, role: Role, settles: Bool)?
            for role in Role.allCases {
                guard let button = buttons[role] else { continue }
                // What the finger did comes before what a timer would do at the same time.
                for (due, settles) in [(button.settles, true), (min(button.due, button.stuckDue), false)]
                where due < next?.due ?? .max || (due == next?.due && settles && next?.settles == false) {
                    next = (due, role, settles)
                }
            }
            guard let next, next.due <= time else { break }
            clock = max(clock, next.due)
            if next.settles { settle(next.role) } else { fire(next.role) }
        }
        clock = max(clock, time)
    }

    private mutating func settle(_ role: Role) {
        guard var button = buttons[role] else { return }
        button.isPressed = button.level
        if button.isPressed { button.pressedAt = clock }
        buttons[role] = button
        if button.isPressed {
            actions.append(.pressed(role))
            press(role)
        } else if button.isStuck {
            buttons[role]?.isStuck = false
            actions.append(.freed(role))
        } else {
            buttons[role]?.due = .max
            release(role, after: clock - button.pressedAt)
        }
    }

    private mutating func press(_ role: Role) {
        switch role {
        case .repeat: pressRepeat()
        case .up: pressVolume(role, other: .down)
        case .down: pressVolume(role, other: .up)
        case .mute: actions.append(.mute)
        }
    }

    private mutating func release(_ role: Role, after held: UInt64) {
        switch role {
        case .repeat: releaseRepeat(after: held)
        case .up, .down: releaseVolume(role)
        case .mute: break
        }
    }

    private mutating func fire(_ role: Role) {
        guard let button = buttons[role] else { return }
        if clock >= button.stuckDue {
            buttons[role]?.isStuck = true
            buttons[role]?.due = .max
            actions.append(.stuck(role))
        } else if role == .repeat {
            count()
        } else {
            step(role)
        }
    }
}

// MARK: - The repeat button

extension Buttons {
    private mutating func pressRepeat() {
        var back: Int? = 0
        if let last = lastShort, clock - last.releasedAt <= Buttons.again {
            back = last.back + 1
        } else if isRepeating {
            actions.append(.stop)
            back = nil
        }
        lastShort = nil
        buttons[.repeat]?.back = back
        buttons[.repeat]?.seconds = 5
        buttons[.repeat]?.due = allowsReset ? clock + 5 * Buttons.second : .max
    }

    private mutating func releaseRepeat(after held: UInt64) {
        if held <= Buttons.short {
            guard let back = buttons[.repeat]?.back else { return }
            actions.append(.repeatPayment(back: back))
            lastShort = (clock, back)
        } else if held >= Buttons.total.from, held <= Buttons.total.to {
            actions.append(.total)
        }
    }

    private mutating func count() {
        guard let seconds = buttons[.repeat]?.seconds else { return }
        let left = Buttons.resetSeconds - seconds
        actions.append(left == 0 ? .reset : .countdown(left))
        buttons[.repeat]?.seconds += 1
        buttons[.repeat]?.due = left == 0 ? .max : clock + Buttons.second
    }
}

// MARK: - The volume buttons

extension Buttons {
    private mutating func pressVolume(_ role: Role, other: Role) {
        guard let partner = buttons[other], partner.isHeld else {
            buttons[role]?.isChord = false
            buttons[other]?.isChord = false
            buttons[role]?.isFresh = true
            buttons[role]?.due = clock + Buttons.chord
            return
        }
        if !partner.isChord { actions.append(.mute) }
        for button in [role, other] {
            buttons[button]?.isChord = true
            buttons[button]?.isFresh = false
            buttons[button]?.due = .max
        }
    }

    private mutating func releaseVolume(_ role: Role) {
        // A press shorter than the wait for the other button is a step all the same.
        if buttons[role]?.isFresh == true { step(role) }
        buttons[role]?.due = .max
    }

    private mutating func step(_ role: Role) {
        guard let button = buttons[role] else { return }
        actions.append(.volume(role == .up ? 1 : -1))
        buttons[role]?.isFresh = false
        buttons[role]?.due = clock + (button.isFresh ? Buttons.volumeRepeatDelay : Buttons.volumeRepeat)
    }
}
