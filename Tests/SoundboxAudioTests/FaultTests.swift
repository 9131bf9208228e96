import Glibc
import TestSupport
import Testing

@testable import SoundboxAudio

/// What breaks, and that nothing of an announcement is lost by it.
@Suite struct FaultTests {
    /// Every fault at every call, on every kind of card: each clip is heard whole and in order, from its beginning where it
    /// broke, and after a loss from the beginning of the announcement.
    @Test(
        arguments: [
            Fault.error(EPIPE), .error(ESTRPIPE), .error(ENODEV), .error(EIO), .error(EAGAIN), .error(EINTR), .short(1),
            .short(79), .short(0),
        ], CardKind.allCases)
    func everyFaultAtEveryCall(fault: Fault, kind: CardKind) throws {
        let plain = try Rig(kind)
        plain.say(2000, 300, 1700)
        plain.run()
        plain.expectAllHeard("plain")
        let calls = plain.card.with(\.calls)
        #expect(calls > 30)
        for index in 0..<calls {
            for resumes in fault == .error(ESTRPIPE) ? [[], [EAGAIN], [ENOSYS]] : [[]] {
                let rig = try Rig(kind)
                rig.card.with {
                    $0.faults = [index: fault]
                    $0.resumes = resumes
                }
                rig.say(2000, 300, 1700)
                rig.run()
                rig.expectAllHeard("\(fault) at call \(index) of \(calls), resumes \(resumes)")
                #expect(rig.steps < 250)
            }
        }
    }

    @Test(arguments: CardKind.allCases)
    func manyFaultsAtRandomCalls(kind: CardKind) throws {
        let faults: [Fault] = [
            .error(EPIPE), .error(ESTRPIPE), .error(ENODEV), .error(EAGAIN), .short(1), .short(33), .short(0),
        ]
        for _ in 0..<200 {
            var generator = SeededGenerator()
            let rig = try Rig(kind)
            rig.card.with { state in
                for _ in 0..<Int.random(in: 2...12, using: &generator) {
                    state.faults[.random(in: 0..<120, using: &generator)] = faults.randomElement(using: &generator)
                }
                state.resumes = Bool.random(using: &generator) ? [ENOSYS, EAGAIN] : []
            }
            rig.say(2000, 300, 1700)
            rig.run()
            rig.expectAllHeard("\(kind), seed \(generator.seed)")
        }
    }

    /// The thread stands still for a while, in mid-word. Some cards stop, others play silence.
    @Test(arguments: CardKind.allCases, [20, 700])
    func aBrokenWordIsSaidAgain(kind: CardKind, stall: Int) throws {
        let rig = try Rig(kind)
        rig.say(16_000)
        var isStalled = false
        rig.run {
            guard !isStalled, rig.heard > 3900 else { return }
            isStalled = true
            // The device plays what it holds, and then runs dry.
            let queued = rig.card.with { $0.position - $0.heard }
            rig.stall = (queued * 1000 / 8000 + stall) * 1_000_000
        }
        rig.expectAllHeard("stalled for \(stall) ms")
        let repeated = rig.sound.count - 16_000
        guard case .underrun(1, let count, let replayed) = rig.events.first(where: { $0.name == "underrun" }) else {
            Issue.record("\(rig.events)")
            return
        }
        #expect(count == 1 && replayed == repeated)
        // Up to 30 ms are a stumble, and no more than the one clip is said again.
        #expect(stall > 30 ? repeated > 0 && repeated < Rig.clip : repeated == 0)
    }

    @Test func itGoesOnWithAFadeIn() throws {
        let rig = try Rig(.free, fade: 5)
        // One clip of a constant sample, so that the fade can be seen.
        rig.feed([Int16](repeating: 1000, count: 4000))
        rig.send(.play(Announcement(id: 1, start: 0, end: 4000)))
        var isStalled = false
        rig.run {
            if !isStalled, rig.heard > 1000 {
                isStalled = true
                rig.stall = 700_000_000
            }
        }
        let log = rig.card.with(\.log)
        let parts = log.split(separator: 0)
        // 40 frames from nothing to everything; the first of them is nothing.
        #expect(parts.count == 2 && parts[0].allSatisfy { $0 == 1000 })
        let fade = (1..<40).map { Int16(25 * $0) }
        let second = Array(parts.last ?? [])
        #expect(Array(second.prefix(39)) == fade)
        #expect(second.count == 3999)
        #expect(second.dropFirst(39).allSatisfy { $0 == 1000 })
    }

    @Test(arguments: [[], [EAGAIN, EAGAIN], [ENOSYS], [EAGAIN, ENOSYS]], CardKind.allCases)
    func afterSuspendNothingIsMissing(resumes: [Int32], kind: CardKind) throws {
        let rig = try Rig(kind)
        rig.card.with {
            $0.faults = [22: .error(ESTRPIPE)]
            $0.resumes = resumes
        }
        rig.say(8000)
        rig.run()
        // Before or after the first sample was heard.
        #expect(Set(rig.events.map(\.name)) == ["began 1", "underrun", "ended 1"] && rig.events.count == 3)
        rig.expectAllHeard("suspended, resumes \(resumes)")
    }

    @Test func aClipLongerThanTheRingKeepsGoesOnWhereItBroke() throws {
        let rig = try Rig(.free)
        let total = AudioShared.ringCapacity
        rig.feed([Int16](repeating: 7, count: total))
        rig.send(.play(Announcement(id: 1, start: 0, end: total)))
        var isStalled = false
        rig.run(atMost: 5000) {
            if !isStalled, rig.card.with(\.log.count) > total * 3 / 4 {
                isStalled = true
                rig.stall = 700_000_000
            }
        }
        #expect(rig.events.map(\.name) == ["began 1", "underrun", "ended 1"])
        #expect(rig.sound.count == total)
    }

    /// The marks of where clips begin do not fit: what is said again begins earlier, and all is heard.
    @Test func withoutMarksTheAnnouncementIsSaidAgain() throws {
        let rig = try Rig(.rewinding)
        while rig.shared.pointee.marks.push(0) {}
        rig.say(3000, 12_000)
        var isStalled = false
        rig.run {
            if !isStalled, rig.heard > 5000 {
                isStalled = true
                rig.stall = 1_500_000_000
            }
        }
        rig.expectAllHeard("without marks")
        #expect(rig.events.map(\.name) == ["began 1", "ended 1", "began 2", "underrun", "ended 2"])
    }
}
