import TestSupport
import Testing

@testable import SoundboxCore

/// What each light shows, looked at every 50 ms: `#` lit, `.` dark.
struct LightsTests {
    let start: UInt64 = 7_000_000_123

    func trace(
        _ lights: Lights, _ role: Lights.Role, milliseconds: Int, from time: UInt64? = nil
    ) -> String {
        String(
            stride(from: 0, to: milliseconds, by: 50).map { (offset: Int) -> Character in
                lights.lit(at: (time ?? start) + UInt64(offset) * 1_000_000).contains(role) ? "#" : "."
            })
    }

    func times(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    @Test("Network: a slow blink while connecting, steady online, two blinks and a pause where the broker refuses us")
    func network() {
        let cases: [(Indication.Network, String)] = [
            (.connecting, times(times("#", 20) + times(".", 20), 2)),
            (.online, times("#", 80)),
            (.refused, times("###...###" + times(".", 21), 2) + "###...###" + times(".", 11)),
        ]
        for (network, expected) in cases {
            var lights = Lights(roles: Lights.Role.allCases, at: start)
            lights.show(Indication(network: network), at: start)
            #expect(trace(lights, .network, milliseconds: 4000) == expected)
            #expect(trace(lights, .power, milliseconds: 4000) == times("#", 80))
            #expect(trace(lights, .payment, milliseconds: 4000) == times(".", 80))
            #expect(trace(lights, .error, milliseconds: 4000) == times(".", 80))
        }
    }

    @Test("Error: as many blinks as the cause's number, one cause after the other", arguments: ErrorCause.allCases)
    func errors(_ cause: ErrorCause) {
        var lights = Lights(roles: [.error, .power], at: start)
        lights.show(Indication(causes: [cause]), at: start)
        func code(_ number: Int) -> String { times("#####.....", number) + times(".", 30) }
        let single = code(cause.rawValue)
        #expect(trace(lights, .error, milliseconds: single.count * 100) == single + single)
        guard let other = ErrorCause.allCases.last(where: { $0 != cause }) else { return }
        lights.show(Indication(causes: [other, cause]), at: start)
        let both = [cause, other].sorted().map { code($0.rawValue) }.joined()
        #expect(trace(lights, .error, milliseconds: both.count * 50) == both)
    }

    @Test("Payment: three blinks, then lit until it was said")
    func payment() {
        var lights = Lights(roles: [.payment, .power], at: start)
        lights.show(Indication(isSpeaking: true, payments: 1), at: start)
        let blinks = "###...###...###........."
        #expect(trace(lights, .payment, milliseconds: 3000) == blinks + times("#", 36))
        lights.show(Indication(isSpeaking: false, payments: 1), at: start + 3_000_000_000)
        #expect(trace(lights, .payment, milliseconds: 1000, from: start + 3_000_000_000) == times(".", 20))
    }

    @Test("Muted payments blink one after the other, and a flood of them no more than five times")
    func mutedPayments() {
        let blinks = "###...###...###........."
        for (payments, shown) in [(2, 2), (5, 5), (900, 5)] {
            var lights = Lights(roles: [.payment, .power], at: start)
            lights.show(Indication(payments: payments), at: start)
            #expect(trace(lights, .payment, milliseconds: 8000) == times(blinks, shown) + times(".", 160 - 24 * shown))
        }
        var lights = Lights(roles: [.payment, .power], at: start)
        lights.show(Indication(payments: 1), at: start)
        lights.show(Indication(payments: 2), at: start + 300_000_000)
        #expect(trace(lights, .payment, milliseconds: 3000) == times(blinks, 2) + times(".", 12))
    }

    @Test(
        "A single light shows the payment before the errors and those before the network",
        arguments: Lights.Role.allCases)
    func single(_ role: Lights.Role) {
        var lights = Lights(roles: [role], at: start)
        #expect(trace(lights, role, milliseconds: 2000) == times("#", 20) + times(".", 20))
        lights.show(Indication(network: .online), at: start)
        #expect(trace(lights, role, milliseconds: 1000) == times("#", 20))
        lights.show(Indication(network: .online, causes: [.journal]), at: start)
        #expect(trace(lights, role, milliseconds: 3000) == times("#####.....", 3) + times(".", 30))
        lights.show(Indication(network: .online, isSpeaking: true, payments: 1, causes: [.journal]), at: start)
        #expect(trace(lights, role, milliseconds: 2000) == "###...###...###........." + times("#", 16))
    }

    @Test("A press is answered by the payment light turned the other way for a moment, by another where there is none")
    func answer() {
        for (roles, role) in [
            (Lights.Role.allCases, Lights.Role.payment), ([.error], .error), ([.error, .power], .power),
        ] {
            var lights = Lights(roles: roles, at: start)
            lights.show(Indication(network: .online), at: start)
            let before = trace(lights, role, milliseconds: 50)
            lights.answer(at: start)
            let flash = before == "#" ? "..." : "###"
            #expect(trace(lights, role, milliseconds: 300) == flash + times(before, 3))
        }
    }

    @Test("At a clean stop everything is dark")
    func off() {
        var lights = Lights(roles: Lights.Role.allCases, at: start)
        lights.show(Indication(network: .online, isSpeaking: true, payments: 1, causes: [.card]), at: start)
        lights.turnOff()
        #expect(lights.lit(at: start).isEmpty && lights.deadline(after: start) == .max)
    }

    @Test("Nothing changes before the deadline that was announced, whatever happened")
    func deadlines() {
        var random = SeededGenerator()
        for _ in 0..<200 {
            let roles = Lights.Role.allCases.filter { _ in Bool.random(using: &random) }
            var lights = Lights(roles: roles, at: start)
            var indication = Indication()
            var now = start
            for _ in 0..<40 {
                switch Int.random(in: 0..<6, using: &random) {
                case 0: indication.network = [.connecting, .online, .refused][Int.random(in: 0..<3, using: &random)]
                case 1: indication.isSpeaking.toggle()
                case 2: indication.payments += Int.random(in: 1..<4, using: &random)
                case 3: indication.causes = Set(ErrorCause.allCases.filter { _ in Bool.random(using: &random) })
                case 4: lights.answer(at: now)
                default: break
                }
                lights.show(indication, at: now)
                let lit = lights.lit(at: now)
                let due = lights.deadline(after: now)
                #expect(due > now, "seed \(random.seed)")
                let last = min(due, now + 5_000_000_000)
                for _ in 0..<5 {
                    let time = UInt64.random(in: now..<last, using: &random)
                    #expect(lights.lit(at: time) == lit, "seed \(random.seed)")
                }
                now = Bool.random(using: &random) ? last : UInt64.random(in: now..<last, using: &random)
            }
        }
    }
}
