import Glibc
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
        // 0.8 s in a depth of 100 ms, filled again when it is half empty.
        #expect(rig.steps < 40)
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
        // It runs dry, and is prepared.
        let calls = plain.card.with(\.calls)
        let rig = try Rig()
        rig.card.with { $0.faults = [calls - 1: .error(ENODEV)] }
        rig.say(4000)
        rig.run()
        #expect(rig.events.map(\.name) == ["began 1", "ended 1", "lost prepare"])
        #expect(rig.card.with(\.log).elementsEqual(1...4000))
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
}
