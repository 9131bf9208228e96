import Testing

@testable import SoundboxCore

/// Every gesture as a row: what the fingers do, and what comes of it when.
struct ButtonsTests {
    typealias Press = Finger.Press

    static let gestures: [(name: String, presses: [Press], actions: [String])] = [
        ("short", [.init(.repeat, 0, 300)], ["20 pressed repeat", "320 repeat 0"]),
        ("just short", [.init(.repeat, 0, 1000)], ["20 pressed repeat", "1020 repeat 0"]),
        ("neither short nor long", [.init(.repeat, 0, 1500)], ["20 pressed repeat"]),
        (
            "twice", [.init(.repeat, 0, 200), .init(.repeat, 1700, 1900)],
            ["20 pressed repeat", "220 repeat 0", "1720 pressed repeat", "1920 repeat 1"]
        ),
        (
            "three times", [.init(.repeat, 0, 200), .init(.repeat, 500, 700), .init(.repeat, 1000, 1200)],
            [
                "20 pressed repeat", "220 repeat 0", "520 pressed repeat", "720 repeat 1", "1020 pressed repeat",
                "1220 repeat 2",
            ]
        ),
        (
            "twice, slowly", [.init(.repeat, 0, 200), .init(.repeat, 1701, 1900)],
            ["20 pressed repeat", "220 repeat 0", "1721 pressed repeat", "1920 repeat 0"]
        ),
        ("total, at least", [.init(.repeat, 0, 2000)], ["20 pressed repeat", "2020 total"]),
        ("total, at most", [.init(.repeat, 0, 5000)], ["20 pressed repeat", "5020 total"]),
        (
            "total, then short", [.init(.repeat, 0, 3000), .init(.repeat, 3500, 3700)],
            ["20 pressed repeat", "3020 total", "3520 pressed repeat", "3720 repeat 0"]
        ),
        (
            "reset, thought better of", [.init(.repeat, 0, 7500)],
            ["20 pressed repeat", "5020 countdown 5", "6020 countdown 4", "7020 countdown 3"]
        ),
        (
            "reset", [.init(.repeat, 0, 12_000)],
            [
                "20 pressed repeat", "5020 countdown 5", "6020 countdown 4", "7020 countdown 3", "8020 countdown 2",
                "9020 countdown 1", "10020 reset",
            ]
        ),
        (
            "released at the last moment", [.init(.repeat, 0, 10_000)],
            [
                "20 pressed repeat", "5020 countdown 5", "6020 countdown 4", "7020 countdown 3", "8020 countdown 2",
                "9020 countdown 1",
            ]
        ),
        ("up", [.init(.up, 0, 100)], ["20 pressed up", "50 volume 1"]),
        ("up, the shortest", [.init(.up, 0, 20)], ["20 pressed up", "40 volume 1"]),
        ("down", [.init(.down, 0, 100)], ["20 pressed down", "50 volume -1"]),
        (
            "up, held", [.init(.up, 0, 1100)],
            ["20 pressed up", "50 volume 1", "650 volume 1", "850 volume 1", "1050 volume 1"]
        ),
        (
            "both", [.init(.up, 0, 400), .init(.down, 25, 300)],
            ["20 pressed up", "45 pressed down", "45 mute"]
        ),
        (
            "both, one late", [.init(.up, 0, 2000), .init(.down, 400, 500)],
            ["20 pressed up", "50 volume 1", "420 pressed down", "420 mute"]
        ),
        (
            "both, one again", [.init(.up, 0, 2000), .init(.down, 10, 500), .init(.down, 900, 1000)],
            ["20 pressed up", "30 pressed down", "30 mute", "920 pressed down"]
        ),
        (
            "both, then one", [.init(.up, 0, 200), .init(.down, 10, 300), .init(.up, 500, 600)],
            ["20 pressed up", "30 pressed down", "30 mute", "520 pressed up", "550 volume 1"]
        ),
        (
            "both, twice",
            [.init(.up, 0, 200), .init(.down, 10, 300), .init(.down, 500, 700), .init(.up, 510, 600)],
            [
                "20 pressed up", "30 pressed down", "30 mute", "520 pressed down", "530 pressed up", "530 mute",
            ]
        ),
        ("mute", [.init(.mute, 0, 3000)], ["20 pressed mute", "20 mute"]),
        ("a spike", [.init(.repeat, 100, 119)], []),
        (
            "nobody means that", [.init(.mute, 0, 31_000), .init(.mute, 32_000, 32_100)],
            [
                "20 pressed mute", "20 mute", "30020 stuck mute", "31020 freed mute", "32020 pressed mute",
                "32020 mute",
            ]
        ),
        (
            "volume held for ever", [.init(.repeat, 0, 29_000)],
            [
                "20 pressed repeat", "5020 countdown 5", "6020 countdown 4", "7020 countdown 3", "8020 countdown 2",
                "9020 countdown 1", "10020 reset",
            ]
        ),
    ]

    @Test("Every gesture", arguments: gestures.indices)
    func gesture(_ index: Int) {
        let (name, presses, expected) = ButtonsTests.gestures[index]
        var finger = Finger(presses)
        #expect(finger.run() == expected, "\(name)")
    }

    @Test("A press while a payment is repeated stops it, and its release does nothing")
    func stop() {
        var finger = Finger([.init(.repeat, 0, 200), .init(.repeat, 2000, 2300), .init(.repeat, 2600, 2800)])
        finger.repeating = [0...2019]
        // Less than 1.5 s later, but after a stop: a first press again.
        #expect(
            finger.run() == [
                "20 pressed repeat", "20 stop", "2020 pressed repeat", "2320 repeat 0", "2620 pressed repeat",
                "2820 repeat 1",
            ])
        finger = Finger([.init(.repeat, 0, 200), .init(.repeat, 500, 700), .init(.repeat, 2900, 3100)])
        finger.repeating = [220...3000]
        #expect(
            finger.run() == [
                "20 pressed repeat", "220 repeat 0", "520 pressed repeat", "720 repeat 1", "2920 pressed repeat",
                "2920 stop",
            ])
        finger = Finger([.init(.repeat, 0, 3000)])
        finger.repeating = [0...100]
        #expect(finger.run() == ["20 pressed repeat", "20 stop", "3020 total"])
    }

    @Test("Where the reset is forbidden nothing counts down")
    func noReset() {
        var finger = Finger([.init(.repeat, 0, 12_000)], allowsReset: false)
        #expect(finger.run() == ["20 pressed repeat"])
    }

    @Test(
        "A button that is down at the start is reported, and does nothing until it was released",
        arguments: Buttons.Role.allCases)
    func stuckAtStart(_ role: Buttons.Role) {
        var finger = Finger([.init(role, -100, 15_000), .init(role, 16_000, 16_100)])
        let expected: [Buttons.Role: [String]] = [
            .repeat: ["16020 pressed repeat", "16120 repeat 0"], .up: ["16020 pressed up", "16050 volume 1"],
            .down: ["16020 pressed down", "16050 volume -1"], .mute: ["16020 pressed mute", "16020 mute"],
        ]
        #expect(finger.run() == ["0 stuck \(role)", "15020 freed \(role)"] + (expected[role] ?? []))
    }

    @Test("A stuck volume button makes no chord of the other's press")
    func stuckPartner() {
        var finger = Finger([.init(.up, -100, 5000), .init(.down, 1000, 1100)])
        #expect(
            finger.run() == ["0 stuck up", "1020 pressed down", "1050 volume -1", "5020 freed up"])
    }

    @Test("After both were held for so long that they were taken for stuck, both mute again")
    func chordAfterStuck() {
        var finger = Finger([
            .init(.up, 0, 31_000), .init(.down, 0, 31_000), .init(.down, 32_000, 32_100), .init(.up, 32_010, 32_100),
        ])
        #expect(finger.run().suffix(3) == ["32020 pressed down", "32030 pressed up", "32030 mute"])
    }

    @Test("Edges that are handed in late count at their own time")
    func lateEdges() {
        var buttons = Buttons(allowsReset: true, at: 0)
        _ = buttons.add(.repeat, isPressed: false, at: 0)
        let second: UInt64 = 1_000_000_000
        // The loop hung for 12 s, in which there was a short press.
        var actions = buttons.edge(.repeat, isPressed: true, at: second)
        actions += buttons.edge(.repeat, isPressed: false, at: second + second / 4)
        actions += buttons.level(.repeat, isPressed: false, at: 12 * second)
        actions += buttons.tick(at: 12 * second)
        #expect(actions == [.pressed(.repeat), .repeatPayment(back: 0)])
    }

    @Test("A button that goes away takes what was begun along")
    func removed() {
        var buttons = Buttons(allowsReset: true, at: 0)
        _ = buttons.add(.repeat, isPressed: false, at: 0)
        _ = buttons.edge(.repeat, isPressed: true, at: 0)
        #expect(buttons.remove(.repeat, at: 4_000_000_000) == [.pressed(.repeat)])
        #expect(buttons.deadline == .max)
        #expect(buttons.edge(.repeat, isPressed: false, at: 4_100_000_000).isEmpty)
        #expect(buttons.tick(at: 60_000_000_000).isEmpty)
    }

    @Test("Without a finger on a button nothing is due")
    func idle() {
        var buttons = Buttons(allowsReset: true, at: 0)
        for role in Buttons.Role.allCases { _ = buttons.add(role, isPressed: false, at: 0) }
        #expect(buttons.deadline == .max)
        _ = buttons.edge(.up, isPressed: true, at: 5)
        #expect(buttons.deadline == 5 + Buttons.debounce)
    }
}
