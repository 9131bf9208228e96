import Glibc
import Testing

@testable import SoundboxAudio

/// A card that goes on by itself: how announcements enter, and how they are cut.
@Suite struct FreeRunningTests {
    /// Frames of 10 ms.
    let lead = 80

    @Test(arguments: [CardKind.free, .rewinding])
    func idleCostsNothingAndAnAnnouncementEntersAtOnce(kind: CardKind) throws {
        let rig = try Rig(kind)
        rig.run()
        #expect(rig.steps == 1)
        let writes = rig.shared.pointee.writes.load(ordering: .relaxed)
        // An hour later.
        rig.advance(3_600_000_000_000)
        #expect(rig.sound.isEmpty)
        let before = rig.card.with(\.heard)
        rig.say(8000, 500)
        rig.run()
        rig.expectAllHeard("plain")
        // Each frame once, in its place, and no silence between two announcements.
        let log = rig.card.with(\.log)
        let first = try #require(log.firstIndex { $0 != 0 })
        #expect(first == before + lead)
        #expect(log[first..<first + 8500].elementsEqual(1...8500))
        #expect(rig.events.first == .began(id: 1, nanoseconds: UInt64(3_601_010_000_000)))
        #expect(rig.events.map(\.name) == ["began 1", "ended 1", "began 2", "ended 2"])
        // The rewinding one holds half a second, of which half is played between two turns.
        #expect(rig.steps < (kind == .rewinding ? 14 : 40))
        #expect(rig.shared.pointee.writes.load(ordering: .relaxed) - writes <= 8500 / 40)
    }

    @Test(arguments: CardKind.allCases)
    func stopCutsWithinItsTimeAndFades(kind: CardKind) throws {
        let rig = try Rig(kind, fade: 5)
        rig.feed([Int16](repeating: 10_000, count: 16_000))
        for id: UInt64 in 1...2 {
            rig.send(.play(Announcement(id: id, start: 8000 * Int(id - 1), end: 8000 * Int(id))))
        }
        var cutAt: Int?
        rig.run {
            guard cutAt == nil, rig.heard > 3000 else { return }
            cutAt = rig.card.with(\.heard)
            rig.send(.cut(16_000))
        }
        #expect(rig.events.map(\.name) == ["began 1", "stopped 1", "stopped 2"])
        let log = rig.card.with(\.log)
        let last = try #require(log.lastIndex { $0 != 0 })
        let time = (last - (try #require(cutAt))) * 1000 / 8000
        #expect(time <= (kind == .rewinding ? 20 : 106), "\(time) ms")
        // From everything to nothing in 40 frames, in even steps.
        let fade = (1..<40).reversed().map { Int16(250 * $0) }
        #expect(Array(log[last - 38...last]) == fade)
        #expect(log[last - 39] == 10_000)
    }

    /// What is more urgent does not wait for the silence that took the place of what was cut.
    @Test(arguments: CardKind.allCases)
    func whatFollowsACutEntersAtOnce(kind: CardKind) throws {
        let rig = try Rig(kind)
        rig.say(8000)
        var cutAt: Int?
        rig.run {
            guard cutAt == nil, rig.heard > 3000 else { return }
            cutAt = rig.card.with(\.heard)
            rig.stop()
            rig.say(500)
        }
        #expect(rig.events.map(\.name) == ["began 1", "stopped 1", "began 2", "ended 2"])
        let log = rig.card.with(\.log)
        let first = try #require(log.firstIndex(of: 8001))
        let time = (first - (try #require(cutAt))) * 1000 / 8000
        #expect(time <= (kind == .rewinding ? 20 : 106), "\(time) ms")
        #expect(log[first..<first + 500].elementsEqual(8001...8500))
        #expect(log[(first + 500)...].allSatisfy { $0 == 0 })
    }

    /// During a word, within 20 ms, without a step; frames that the device has already are taken back where that can be.
    @Test(arguments: CardKind.allCases)
    func theVolumeChangesWithoutAClick(kind: CardKind) throws {
        let rig = try Rig(kind)
        rig.feed([Int16](repeating: 10_000, count: 8000))
        rig.send(.play(Announcement(id: 1, start: 0, end: 8000)))
        var changedAt: Int?
        rig.run {
            guard changedAt == nil, rig.heard > 3000 else { return }
            changedAt = rig.card.with(\.heard)
            rig.send(.volume(Volume(50).gain))
        }
        let sound = rig.sound
        #expect(sound.count == 8000 && sound.first == 10_000 && sound.last == 1000)
        let first = try #require(sound.firstIndex { $0 != 10_000 })
        let last = try #require(sound.lastIndex { $0 != 1000 })
        // 160 frames; from a tenth to the whole in even steps.
        #expect(last - first < 160)
        let steps = zip(sound, sound.dropFirst()).map { abs(Int($0) - Int($1)) }
        #expect(steps.allSatisfy { $0 <= 57 })
        let log = rig.card.with(\.log)
        let heard = try #require(log.firstIndex { $0 != 10_000 && $0 != 0 })
        let time = (heard - (try #require(changedAt))) * 1000 / 8000
        #expect(time <= (kind == .rewinding ? 12 : 106), "\(time) ms")
    }

    @Test(arguments: CardKind.allCases)
    func aLeadInComesBeforeTheFirstSampleOfACardThatStood(kind: CardKind) throws {
        let rig = try Rig(kind) { $0.leadIn = 250 }
        let begin = rig.time
        rig.say(800, 400)
        rig.run()
        rig.expectAllHeard("lead-in")
        // 2000 frames; a freely running one is started on 10 ms of silence.
        let expected = kind == .timed ? 2000 : 2000 + lead
        #expect(rig.card.with { $0.log.firstIndex { $0 != 0 } } == expected)
        let began = UInt64(begin + expected * 125_000)
        guard case .began(1, let nanoseconds) = rig.events.first else {
            Issue.record("\(rig.events)")
            return
        }
        // The clock of a timed one runs a little fast, so that it is not starved.
        #expect(nanoseconds <= began && nanoseconds > began - 1_000_000)
    }

    @Test(arguments: [CardKind.free, .rewinding])
    func aCardThatRunsNeedsNoLeadIn(kind: CardKind) throws {
        let rig = try Rig(kind) { $0.leadIn = 250 }
        rig.say(800)
        var before: Int?
        rig.run {
            guard before == nil, rig.events.last?.name == "ended 1" else { return }
            rig.advance(1_000_000_000)
            before = rig.card.with(\.heard)
            rig.say(400)
        }
        let next = try #require(rig.card.with { $0.log.firstIndex(of: 801) })
        // The thread needs a millisecond to wake up.
        #expect(next - (try #require(before)) == 8 + lead)
    }

    /// Up before the first sample by its time, down when the last was heard, and on between two.
    @Test(arguments: CardKind.allCases, [0, 5, 40])
    func theAmplifierIsOnForAsLongAsThereIsSound(kind: CardKind, time: Int) throws {
        let witness = Witness()
        let rig = try Rig(kind) {
            let context = Unmanaged.passUnretained(witness).toOpaque()
            $0.amplifier = Amplifier(lead: time, context: context) { context, isOn in
                guard let context else { return }
                Unmanaged<Witness>.fromOpaque(context).takeUnretainedValue().note(isOn)
            }
        }
        witness.card = rig.card
        rig.say(800, 400)
        rig.run()
        rig.advance(100_000_000)
        rig.say(2000)
        rig.run {
            if rig.heard > 2000, rig.events.last?.name == "began 3" { rig.stop() }
        }
        try withExtendedLifetime(witness) {
            let log = rig.card.with(\.log)
            let states = witness.switches
            #expect(states.map(\.isOn) == [true, false, true, false])
            try #require(states.count == 4)
            for (up, down) in [(states[0].at, states[1].at), (states[2].at, states[3].at)] {
                let first = try #require(log[up...].firstIndex { $0 != 0 })
                let last = try #require(log[..<down].lastIndex { $0 != 0 })
                // Exactly: the one that runs freely has a lead of its own.
                #expect(first - up == max(time * 8, kind == .timed ? 0 : lead))
                #expect(down - last <= 20 + (kind == .rewinding ? 4000 : 1200))
            }
            #expect(log[states[1].at..<states[2].at].allSatisfy { $0 == 0 })
        }
    }

    /// A card at rest is looked at from time to time, and is missed when it is gone.
    @Test func aCardThatGoesWhileIdleIsLost() throws {
        let rig = try Rig(.rewinding)
        var device = try rig.open()
        var player = Player<FakePCM>(shared: rig.shared, format: device.format, position: 0)
        _ = try player.step(&device, now: rig.time)
        guard case .nanoseconds(let time) = try player.step(&device, now: rig.time) else {
            Issue.record("sleeps for ever")
            return
        }
        #expect(time >= 10_000_000_000)
        rig.card.with { $0.faults[$0.calls] = .error(ENODEV) }
        #expect(throws: PCMError(.status, ENODEV)) { _ = try player.step(&device, now: rig.time + time) }
    }

    /// Every fault while there is nothing to say: the card runs again soon after, and what is said then is heard.
    @Test(arguments: [EPIPE, ESTRPIPE, EAGAIN, EINTR], [CardKind.free, .rewinding])
    func faultsAtRest(code: Int32, kind: CardKind) throws {
        for index in 0..<6 {
            let rig = try Rig(kind)
            rig.card.with { $0.faults = [index: .error(code)] }
            for _ in 0..<4 {
                rig.run()
                rig.advance(1_000_000_000)
            }
            rig.say(1000)
            rig.run()
            rig.expectAllHeard("\(code) at call \(index)")
            #expect(rig.steps < 60)
        }
    }
}

/// Notes where the card was when the amplifier was switched.
private final class Witness {
    var card: FakeCard?
    private(set) var switches: [(isOn: Bool, at: Int)] = []

    func note(_ isOn: Bool) {
        switches.append((isOn, card?.with(\.heard) ?? 0))
    }
}
