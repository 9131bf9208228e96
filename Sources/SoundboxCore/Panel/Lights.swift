/// Decides what each light shows: patterns by role, and one pattern of everything where there is a single light.
///
/// Pure, like the ``Speaker``: time is handed in, in nanoseconds of the monotonic clock.
public struct Lights: Sendable {
    /// What a light is for. The raw value ends the configuration's key: `led_power`.
    public enum Role: String, CaseIterable, Sendable {
        case power, network, payment, error
    }

    /// How long a light shows that a press was felt: long enough to be seen, in nanoseconds.
    static let answerLength: UInt64 = 120_000_000
    /// Payments that blink at most one behind the other: a hundred that come at once must not blink for minutes.
    static let paymentLimit: UInt64 = 5

    /// A pattern and when it began.
    private struct Show {
        var pattern = BlinkPattern.dark
        var since: UInt64 = 0
    }

    private let roles: [Role]
    private var shows: [Role: Show] = [:]
    private var indication = Indication()
    private var isOn = true
    /// The blinks of payments, from and to.
    private var blinks: (since: UInt64, end: UInt64) = (0, 0)
    /// What else the payment light shows, and since when.
    private var answerEnd: UInt64 = 0

    /// Lights of these roles; with a single one it shows the combined pattern, whichever its role is.
    public init(roles: [Role], at now: UInt64) {
        self.roles = Role.allCases.filter(roles.contains)
        update(at: now)
    }

    /// Takes what there is to tell now.
    public mutating func show(_ indication: Indication, at now: UInt64) {
        let news = indication.payments - self.indication.payments
        self.indication = indication
        if news > 0 { blink(UInt64(news), at: now) }
        update(at: now)
    }

    /// Lets a light show that a press was felt.
    public mutating func answer(at now: UInt64) {
        answerEnd = now + Lights.answerLength
    }

    /// Everything dark, for ever: the program ends.
    public mutating func turnOff() {
        isOn = false
    }

    /// The lights that are lit.
    public func lit(at now: UInt64) -> Set<Role> {
        guard isOn else { return [] }
        return Set(roles.filter { state(of: $0, at: now).isLit })
    }

    /// The monotonic time after `now` at which ``lit(at:)`` may change; `UInt64.max` for never.
    public func deadline(after now: UInt64) -> UInt64 {
        guard isOn else { return .max }
        var due = [blinks.end, answerEnd].filter { $0 > now }
        due += roles.compactMap { role in state(of: role, at: now).remaining.map { now + $0 } }
        return due.min() ?? .max
    }

    // MARK: - Patterns

    private mutating func blink(_ payments: UInt64, at now: UInt64) {
        let length = BlinkPattern.payment.length
        if blinks.end <= now { blinks = (now, now) }
        let left = (blinks.end - now + length - 1) / length
        blinks.end += length * (min(left + payments, Lights.paymentLimit) - min(left, Lights.paymentLimit))
    }

    private mutating func update(at now: UInt64) {
        for role in roles {
            let pattern = roles.count == 1 ? combined : pattern(of: role)
            if shows[role]?.pattern != pattern { shows[role] = Show(pattern: pattern, since: now) }
        }
    }

    private func pattern(of role: Role) -> BlinkPattern {
        switch role {
        case .power: .lit
        case .network:
            switch indication.network {
            case .connecting: .slow
            case .online: .lit
            case .refused: .double
            }
        case .payment: indication.isSpeaking ? .lit : .dark
        case .error: .codes(indication.causes.sorted().map(\.rawValue))
        }
    }

    /// What concerns the customer first, then what the shop has to do something about.
    private var combined: BlinkPattern {
        if indication.isSpeaking { return .lit }
        return indication.causes.isEmpty ? pattern(of: .network) : pattern(of: .error)
    }

    private func state(of role: Role, at now: UInt64) -> (isLit: Bool, remaining: UInt64?) {
        let isPayments = role == .payment || roles.count == 1
        var state: (isLit: Bool, remaining: UInt64?)
        if isPayments, now < blinks.end {
            state = BlinkPattern.payment.state(after: now - blinks.since)
        } else {
            let show = shows[role] ?? Show()
            state = show.pattern.state(after: now - min(show.since, now))
        }
        // The other way round than it was: seen on a light that is lit, too.
        if role == answerRole, now < answerEnd { state.isLit.toggle() }
        return state
    }

    private var answerRole: Role? { roles.contains(.payment) ? .payment : roles.first }
}
