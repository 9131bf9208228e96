import Glibc
import TestSupport
import Testing

@testable import SoundboxAudio

/// What the audio thread does, step by step, on a fake card of 8 kHz with 150 ms of buffer.
@Suite struct PlayerTests {
    @Test func announcementsFollowEachOtherWithoutAGap() throws {
        let rig = try Rig()
        rig.say(4000, 1, 2500)
        rig.run()
        #expect(
            rig.events.map(\.name) == ["began 1", "ended 1", "began 2", "ended 2", "began 3", "ended 3"])
        rig.expectAllHeard("plain")
        #expect(rig.card.with(\.log).elementsEqual(1...6501))
        // 0.8 s in a buffer of 150 ms, filled again when it is half empty.
        #expect(rig.steps < 30)
    }

    @Test func anEmptyAnnouncementBeginsAndEnds() throws {
        let rig = try Rig()
        rig.say(0)
        rig.run()
        #expect(rig.events.map(\.name) == ["began 1", "ended 1"])
    }

    @Test func aSoundServersLatencyCounts() throws {
        let rig = try Rig()
        let begin = rig.time
        // A quarter of a second.
        rig.card.with { $0.latency = 2000 }
        rig.say(4000, 800)
        rig.run()
        #expect(rig.events.map(\.name) == ["began 1", "ended 1", "began 2", "ended 2"])
        let began = rig.events.compactMap { if case .began(_, let time) = $0 { Int(time) - begin } else { nil } }
        try #require(began.count == 2)
        #expect(abs(began[0] - 250_000_000) < 1_000_000)
        // Behind its last frame the server's delay stands still, and a sleep may be as long as the delay.
        #expect(began[1] >= 749_000_000 && began[1] < 1_000_000_000)
        #expect(rig.time - begin >= 850_000_000)
        #expect(rig.card.with(\.log).elementsEqual(1...4800))
    }

    @Test func theBeginningIsToldAtOnce() throws {
        let rig = try Rig()
        rig.say(4000)
        let begin = rig.time
        rig.run(stopAt: begin + 1)
        #expect(rig.events == [.began(id: 1, nanoseconds: UInt64(begin)), .stopped(id: 1)])
    }

    @Test func aBottomlessDeviceIsPacedByTheClock() throws {
        let rig = try Rig()
        rig.card.with { $0.isBottomless = true }
        let begin = rig.time
        rig.say(8000, 4000)
        rig.run {
            let elapsed = Double(rig.time - begin) / 1e9
            #expect(Double(rig.card.with(\.log.count)) <= elapsed * 8000 * 1.0005 + 1200)
        }
        rig.expectAllHeard("bottomless")
        #expect(Double(rig.time - begin) / 1e9 >= 1.499)
        #expect(rig.steps < 60)
    }

    @Test func framesThatComeLateGiveNoRightToHurry() throws {
        let rig = try Rig()
        rig.card.with { $0.isBottomless = true }
        // The announcement is known, and of its frames there are only some.
        rig.send(.play(Announcement(id: 1, start: 0, end: 4000)))
        var position: Int16 = 0
        func feed(_ frames: Int) {
            rig.shared.pointee.ring.write { room in
                for index in 0..<frames { room[index] = position + Int16(index) }
                return frames
            }
            position += Int16(frames)
        }
        feed(800)
        let begin = rig.time
        var fed: (time: Int, count: Int)?
        rig.run(atMost: 100) {
            if fed == nil, rig.time > begin + 500_000_000 {
                fed = (rig.time, rig.card.with(\.log.count))
                feed(3200)
            } else if let fed {
                let elapsed = Double(rig.time - fed.time) / 1e9
                #expect(Double(rig.card.with(\.log.count) - fed.count) <= elapsed * 8000 * 1.0005 + 1200)
            }
        }
        #expect(rig.card.with(\.log).elementsEqual(0..<4000))
    }

    @Test func stopCutsWhatPlaysAndWhatFollows() throws {
        let rig = try Rig()
        rig.say(4000, 4000)
        rig.run(stopAt: rig.time + 300_000_000)
        #expect(rig.events.map(\.name) == ["began 1", "stopped 1", "stopped 2"])
        let heard = rig.card.with(\.log.count)
        #expect(heard >= 2400 && heard < 2400 + 1200)
        // What comes next is heard from its beginning.
        rig.say(500)
        rig.run()
        #expect(rig.events.suffix(2).map(\.name) == ["began 3", "ended 3"])
        #expect(rig.card.with { $0.log[heard...].elementsEqual(8001...8500) })
    }

    @Test func aGapIsCountedAndNothingIsSkipped() throws {
        let rig = try Rig()
        rig.card.with { $0.faults = [20: .error(EPIPE), 40: .error(EPIPE)] }
        rig.say(8000)
        rig.run()
        #expect(rig.events.map(\.name) == ["began 1", "underrun", "underrun", "ended 1"])
        #expect(rig.events.contains(.underrun(count: 2)))
        rig.expectAllHeard("underrun")
        #expect(rig.card.with(\.log).elementsEqual(1...8000))
    }

    @Test(arguments: [[], [EAGAIN, EAGAIN], [ENOSYS], [EAGAIN, ENOSYS]])
    func afterSuspendNothingIsMissing(resumes: [Int32]) throws {
        let rig = try Rig()
        rig.card.with {
            $0.faults = [22: .error(ESTRPIPE)]
            $0.resumes = resumes
        }
        rig.say(8000)
        rig.run()
        #expect(rig.events.map(\.name).filter { $0 != "underrun" } == ["began 1", "ended 1"])
        rig.expectAllHeard("suspended, resumes \(resumes)")
        let repeated = rig.card.with(\.log.count) - 8000
        // What is said again is no more than what could not be known to have been heard: the time of one sleep.
        #expect(repeated >= 0 && repeated < 800)
        #expect((repeated > 0) == resumes.contains(ENOSYS))
    }

    @Test func aCardThatStandsStillIsLost() throws {
        let rig = try Rig()
        rig.card.with { $0.isStuck = true }
        rig.say(4000)
        let begin = rig.time
        rig.run(atMost: 150) {
            if rig.time > begin + 5_000_000_000 { rig.card.with { $0.isStuck = false } }
        }
        #expect(rig.events.map(\.name).prefix(3) == ["began 1", "lost progress", "began 1"])
        #expect(rig.events.last?.name == "ended 1")
        // 20 turns a second at most while it stands still.
        #expect(rig.steps < 150)
    }

    /// A card that fails when all was heard already does not make the box say it again.
    @Test func whatWasHeardIsNotSaidAgain() throws {
        let plain = try Rig()
        plain.say(4000)
        plain.run()
        // It runs dry, is prepared, asked, dropped and prepared.
        let calls = plain.card.with(\.calls)
        for index in calls - 4..<calls {
            let rig = try Rig()
            rig.card.with { $0.faults = [index: .error(ENODEV)] }
            rig.say(4000)
            rig.run()
            #expect(rig.events.prefix(2).map(\.name) == ["began 1", "ended 1"])
            #expect(rig.events.count == 3 && rig.events[2].isLost)
            #expect(rig.card.with(\.log).elementsEqual(1...4000))
        }
    }

    @Test func theControlThreadIsWokenToFeedTheRing() throws {
        let rig = try Rig()
        let total = AudioShared.ringCapacity * 5 / 4
        var fed = 0
        func feed() {
            rig.shared.pointee.ring.write { room in
                let count = min(room.count, total - fed)
                room.extracting(0..<count).update(repeating: 1)
                fed += count
                return count
            }
            rig.shared.pointee.isHungry.store(fed < total, ordering: .relaxed)
        }
        feed()
        rig.send(.play(Announcement(id: 1, start: 0, end: total)))
        rig.run(atMost: 5000) {
            var descriptors = pollfd(fd: rig.shared.pointee.toControl.descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptors, 1, 0) == 1 else { return }
            rig.shared.pointee.toControl.clear()
            if !rig.shared.pointee.isHungry.load(ordering: .relaxed) { feed() }
        }
        #expect(rig.events.map(\.name) == ["began 1", "ended 1"])
        #expect(rig.card.with(\.log.count) == total)
    }

    /// Every fault at every call: each announcement is heard whole and in order, from its beginning after a loss.
    @Test(arguments: [
        Fault.error(EPIPE), .error(ESTRPIPE), .error(ENODEV), .error(EIO), .error(EAGAIN), .error(EINTR), .short(1),
        .short(79),
    ])
    func everyFaultAtEveryCall(fault: Fault) throws {
        let plain = try Rig()
        plain.say(2000, 300, 1700)
        plain.run()
        let calls = plain.card.with(\.calls)
        #expect(calls > 50)
        for index in 0..<calls {
            for resumes in fault == .error(ESTRPIPE) ? [[], [EAGAIN], [ENOSYS]] : [[]] {
                let rig = try Rig()
                rig.card.with {
                    $0.faults = [index: fault]
                    $0.resumes = resumes
                }
                rig.say(2000, 300, 1700)
                rig.run()
                rig.expectAllHeard("\(fault) at call \(index) of \(calls), resumes \(resumes)")
                #expect(rig.steps < 200)
            }
        }
    }

    @Test func manyFaultsAtRandomCalls() throws {
        var generator = SeededGenerator()
        let faults: [Fault] = [
            .error(EPIPE), .error(ESTRPIPE), .error(ENODEV), .error(EAGAIN), .short(1), .short(33),
        ]
        for _ in 0..<100 {
            let rig = try Rig()
            rig.card.with { state in
                for _ in 0..<Int.random(in: 2...12, using: &generator) {
                    state.faults[.random(in: 0..<120, using: &generator)] = faults.randomElement(using: &generator)
                }
                state.resumes = Bool.random(using: &generator) ? [ENOSYS, EAGAIN] : []
            }
            rig.say(2000, 300, 1700)
            rig.run()
            rig.expectAllHeard("seed \(generator.seed)")
        }
    }
}
