import TestVoice
import Testing

@testable import SoundboxCore

/// How loud, at what hour, and what is kept of it.
struct VolumeTests {
    let planner: Planner

    init() throws {
        planner = try TestVoice.planner()
    }

    private func box(night: Speaker.Night? = nil, kept: Speaker.Kept? = nil) -> TestBox {
        var settings = TestBox.settings
        settings.night = night
        return TestBox(settings: settings, planner: planner, kept: kept)
    }

    private func volumes(_ box: TestBox) -> [Int] {
        box.effects.compactMap { if case .setVolume(let volume) = $0 { volume } else { nil } }
    }

    private func played(_ box: TestBox) -> [Int] {
        box.effects.compactMap { if case .play(_, let volume) = $0 { volume } else { nil } }
    }

    @Test("Volume and mute survive a restart, and are kept with the command that set them")
    func kept() {
        let box = box()
        box.command(#"{"id":"1","do":"volume","volume":30}"#)
        box.command(#"{"id":"2","do":"mute"}"#)
        let order = box.effects.compactMap { effect -> String? in
            switch effect {
            case .keep(let kept): "\(kept.volume) \(kept.isMuted)"
            case .commit: "commit"
            default: nil
            }
        }
        #expect(order == ["30 false", "30 false", "commit", "30 true", "commit"])
        box.commitAll()
        let reborn = TestBox(planner: planner, shelf: box.shelf.afterCrash())
        #expect(reborn.speaker.kept.volume == 30 && reborn.speaker.isSilent)
        #expect(reborn.speaker.status("online")["volume"] == 30)
    }

    @Test("The engine is told at once, and told nothing where nothing changes")
    func told() {
        let box = box()
        box.notice(TestBox.payment("n1"))
        box.command(#"{"id":"1","do":"volume","volume":30}"#)
        box.command(#"{"id":"2","do":"volume","volume":30}"#)
        box.command(#"{"id":"3","do":"volume","volume":"-40"}"#)
        #expect(volumes(box) == [30, 0])
    }

    @Test(
        "The night caps the volume from its first minute to the one before its last",
        arguments: [
            // 10:11 it is.
            (611, 700, true), (612, 700, false), (500, 611, false), (500, 612, true), (700, 611, false),
            (700, 612, true), (611, 610, true), (612, 611, false), (611, 611, false),
        ])
    func edges(from: Int, to: Int, isNight: Bool) {
        let box = box(night: .init(from: from, to: to, volume: 20))
        box.notice(TestBox.payment("n1"))
        #expect(played(box) == [isNight ? 20 : 80])
        #expect(box.speaker.kept.volume == 80)
    }

    @Test("The engine hears of the night when it begins and when it ends, also in mid-word")
    func deadlines() {
        let box = box(night: .init(from: 612, to: 613, volume: 20))
        box.advance(milliseconds: 30_000)
        box.notice(TestBox.payment("n1"))
        for volume in [20, 80] {
            box.forget()
            while volumes(box).isEmpty { box.tick() }
            #expect(volumes(box) == [volume])
            #expect(box.wall % 60_000 == 0)
        }
        #expect(box.wall == 1_700_014_260_000 + 120_000)
    }

    @Test("A quieter box is not made louder, and a night at 0 is silent", arguments: [(10, 20, 10), (80, 0, 0)])
    func caps(volume: Int, cap: Int, heard: Int) {
        let box = box(night: .init(from: 0, to: 1439, volume: cap), kept: .init(volume: volume))
        box.notice(TestBox.payment("n1"))
        box.commitAll()
        #expect(played(box) == (heard > 0 ? [heard] : []))
        #expect(box.states.last == (heard > 0 ? "n1 accepted" : "n1 failed muted"))
    }

    @Test("Without a clock there is no night, and a step of the clock finds the right one")
    func clock() {
        let box = box(night: .init(from: 720, to: 780, volume: 20))
        box.wallIsTrusted = false
        box.wall += 120 * 60_000
        box.send(.tick)
        #expect(volumes(box).isEmpty)
        box.wallIsTrusted = true
        box.send(.tick)
        #expect(volumes(box) == [20])
        box.wall += 60 * 60_000
        box.send(.tick)
        #expect(volumes(box) == [20, 80])
    }
}
