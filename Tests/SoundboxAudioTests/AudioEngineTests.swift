import CSndFile
import Foundation
import SoundboxCore
import SoundboxPlatform
import TestSupport
import Testing

@testable import SoundboxAudio

/// The engine with its thread, on ALSA's own `null` and `file` devices and on a fake card.
@Suite struct AudioEngineTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// ALSA's `file` device: writes what it is given, and plays it to `null`.
    private func engine(recordingTo file: String, format: String = "raw") -> AudioEngine {
        AudioEngine(AudioSettings(device: "file:FILE=\(folder.path)/\(file),FORMAT=\(format)"))
    }

    private func recording(_ file: String) throws -> [Int16] {
        let data = try Data(contentsOf: URL(filePath: "\(folder.path)/\(file)"))
        return data.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
    }

    private func fake(_ card: FakeCard, change: (inout AudioSettings) -> Void = { _ in }) -> AudioEngine {
        var settings = AudioSettings(device: card.name, rate: 8000)
        settings.retryAfter = 1_000_000
        settings.retryLimit = 4_000_000
        change(&settings)
        return AudioEngine(settings, driver: FakePCM.self)
    }

    @Test func whatReachesALSAIsWhatIsRendered() throws {
        let bank = try folder.bank([.noise(9000, seed: 1), .noise(4321, seed: 2)])
        let plans = [
            (ClipPlan(.clip(0), .pause(7), .clip(1), .pause(20)), 100), (ClipPlan(.clip(1)), 63),
            (ClipPlan(.pause(3), .clip(1), .clip(0)), 85),
        ]
        let engine = engine(recordingTo: "out.raw")
        try engine.start()
        for (id, (plan, volume)) in plans.enumerated() {
            try engine.play(id: UInt64(id), plan: plan, bank: bank, volume: volume)
        }
        let events = engine.wait(forEndOf: 2)
        engine.close()
        #expect(
            events.map(\.name) == ["opened", "began 0", "ended 0", "began 1", "ended 1", "began 2", "ended 2"])
        let expected = try plans.flatMap { try bank.render($0, volume: $1) }
        #expect(try recording("out.raw") == expected)
    }

    @Test func theDemonstrationIsAWAVFile() throws {
        let bank = try folder.bank([.noise(3000, seed: 3)])
        let plan = ClipPlan(.clip(0), .pause(10), .clip(0))
        let engine = engine(recordingTo: "out.wav", format: "wav")
        try engine.start()
        // One after the other, with the device at rest in between.
        for id in 0..<2 {
            try engine.play(id: UInt64(id), plan: plan, bank: bank, volume: 90)
            _ = engine.wait(forEndOf: UInt64(id))
        }
        engine.close()
        let written = try ClipBank(folder: folder.path, files: ["out.wav"], sourceRate: 48000, rate: 48000)
        let once = try bank.render(plan, volume: 90)
        #expect(try written.render(ClipPlan(.clip(0)), volume: 100) == once + once)
    }

    @Test func anAnnouncementLongerThanTheRingIsFedAsItPlays() throws {
        let card = FakeCard(isRealTime: true)
        // A fast card, 600,000 frames in 0.6 s, that never runs dry: nothing is said again on a busy machine.
        card.with {
            $0.isBottomless = true
            $0.format = PCMFormat(rate: 1_000_000, channels: 1, sample: .s16, period: 10_000, buffer: 150_000)
        }
        let noise = [Int16].noise(30_000, seed: 4)
        let bank = try folder.bank([noise], sourceRate: 1_000_000, rate: 1_000_000)
        let engine = fake(card)
        try engine.start()
        let plan = ClipPlan(text: "", steps: (0..<20).map { _ in .clip(0) })
        #expect(try bank.frames(of: plan) > AudioShared.ringCapacity)
        try engine.play(id: 1, plan: plan, bank: bank, volume: 100)
        try engine.play(id: 2, plan: ClipPlan(.clip(0)), bank: bank, volume: 100)
        let events = engine.wait(forEndOf: 2)
        #expect(events.map(\.name) == ["opened", "began 1", "ended 1", "began 2", "ended 2"])
        let heard = card.with(\.log)
        #expect(heard == (0..<21).flatMap { _ in noise })
    }

    /// Each bound is one that a busy machine only makes easier to keep.
    @Test func nullIsPacedByTheClockAndIdleCostsNothing() throws {
        let bank = try folder.bank([.noise(24000, seed: 5)])
        let engine = AudioEngine(AudioSettings(device: "null"))
        try engine.start()
        let before = Int(SystemClock.monotonic)
        try engine.play(id: 1, plan: ClipPlan(.clip(0)), bank: bank, volume: 100)
        let events = engine.wait(forEndOf: 1)
        let after = Int(SystemClock.monotonic)
        guard case .began(1, let nanoseconds) = events.first(where: { $0.name == "began 1" }) else {
            Issue.record("\(events)")
            return
        }
        let began = Int(nanoseconds)
        #expect(before <= began && began < after)
        // Half a second of sound, less the tolerance for cards that run fast.
        #expect(after - began >= 499_700_000)
        let busy = engine.activity
        #expect(busy.writes <= 24000 / 480 + busy.wakeUps)
        #expect(busy.wakeUps <= 50)
        // Nothing to say: the thread sleeps until it is asked.
        var descriptors = pollfd(fd: engine.wakeDescriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&descriptors, 1, 300) == 0)
        #expect(engine.activity.writes == busy.writes)
        #expect(engine.activity.wakeUps - busy.wakeUps <= 1)
    }

    @Test func stopCutsAndTheNextBegins() throws {
        let bank = try folder.bank([.noise(480_000, seed: 6), .noise(4800, seed: 7)])
        let engine = engine(recordingTo: "out.raw")
        try engine.start()
        for id: UInt64 in 1...3 { try engine.play(id: id, plan: ClipPlan(.clip(0)), bank: bank, volume: 100) }
        var events = engine.wait { $0.name == "began 1" }
        engine.stop()
        engine.stop()
        try engine.play(id: 4, plan: ClipPlan(.clip(1)), bank: bank, volume: 100)
        events += engine.wait(forEndOf: 4)
        engine.stop()
        engine.close()
        #expect(
            events.map(\.name) == [
                "opened", "began 1", "stopped 1", "stopped 2", "stopped 3", "began 4", "ended 4",
            ])
        let samples = try recording("out.raw")
        let next = try bank.render(ClipPlan(.clip(1)), volume: 100)
        #expect(samples.count < 480_000 && Array(samples.suffix(4800)) == next)
    }

    @Test func aMissingDeviceIsReportedOnceAndPickedUp() throws {
        let bank = try folder.bank([.noise(400, seed: 8)], sourceRate: 8000, rate: 8000)
        let card = FakeCard(isRealTime: true)
        card.with { $0.missing = ENODEV }
        let engine = fake(card)
        try engine.start()
        #expect(engine.format == nil)
        #expect(throws: AudioEngine.Refusal.noDevice) {
            try engine.play(id: 1, plan: ClipPlan(.clip(0)), bank: bank, volume: 100)
        }
        // Many attempts, one report.
        let beat = engine.heartbeat
        while card.with(\.opens) < 5 { sched_yield() }
        #expect(engine.heartbeat > beat)
        card.with { $0.missing = nil }
        let events = engine.wait { $0.isOpened }
        #expect(events.map(\.name) == ["lost open", "opened"])
        #expect(engine.format?.rate == 8000)
        try engine.play(id: 1, plan: ClipPlan(.clip(0)), bank: bank, volume: 100)
        #expect(engine.wait(forEndOf: 1).map(\.name) == ["began 1", "ended 1"])
    }

    @Test func aLostDeviceForgetsAndComesBackAtAnotherRate() throws {
        let bank = try folder.bank([.noise(40_000, seed: 9)], sourceRate: 8000, rate: 8000)
        let card = FakeCard(isRealTime: true)
        let engine = fake(card)
        try engine.start()
        try engine.play(id: 1, plan: ClipPlan(.clip(0)), bank: bank, volume: 100)
        _ = engine.wait { $0.name == "began 1" }
        card.with {
            $0.discard()
            $0.broken = ENODEV
            $0.format.rate = 16000
        }
        // Accepted before the loss is known: it is lost with the first.
        try engine.play(id: 2, plan: ClipPlan(.clip(0)), bank: bank, volume: 100)
        engine.stop()
        // The thread does not go on before the control thread knows.
        var descriptors = pollfd(fd: engine.wakeDescriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&descriptors, 1, 60_000) == 1)
        for _ in 0..<3 { turn(engine) }
        #expect(card.with(\.opens) == 1)
        let events = engine.wait { $0.isOpened }.filter { !["stopped 1", "stopped 2", "underrun"].contains($0.name) }
        #expect(events.count == 2 && events.first?.isLost == true)
        if case .lost(let error) = events.first { #expect(error.code == ENODEV) }
        #expect(throws: AudioEngine.Refusal.rate(bank: 8000, device: 16000)) {
            try engine.play(id: 3, plan: ClipPlan(.clip(0)), bank: bank, volume: 100)
        }
        let reloaded = try folder.bank([.noise(400, seed: 9)], sourceRate: 8000, rate: 16000)
        try engine.play(id: 3, plan: ClipPlan(.clip(0)), bank: reloaded, volume: 100)
        #expect(engine.wait(forEndOf: 3).map(\.name) == ["began 3", "ended 3"])
    }

    @Test func aDeviceThatALSADoesNotKnowIsAnErrorWithAReason() throws {
        let engine = AudioEngine(AudioSettings(device: "no-such-device"))
        try engine.start()
        guard case .lost(let error) = engine.events().first else {
            Issue.record("not lost")
            return
        }
        #expect(error.description == "open: No such file or directory")
    }

    @Test func refusesMoreThanItCanHold() throws {
        let bank = try folder.bank([.noise(48000, seed: 10)])
        let engine = AudioEngine(AudioSettings(device: "null"))
        try engine.start()
        let plan = ClipPlan(.clip(0))
        for id in 0..<UInt64(AudioShared.announcementLimit) {
            try engine.play(id: id, plan: plan, bank: bank, volume: 100)
        }
        #expect(throws: AudioEngine.Refusal.queueFull) {
            try engine.play(id: 99, plan: plan, bank: bank, volume: 100)
        }
        engine.stop()
        let events = engine.wait { $0 == .stopped(id: UInt64(AudioShared.announcementLimit) - 1) }
        #expect(events.filter { $0.name.hasPrefix("stopped") }.count == AudioShared.announcementLimit)
        #expect(throws: AudioEngine.Refusal.clip(ClipError(file: "", problem: .unknownClip(7)))) {
            try engine.play(id: 99, plan: ClipPlan(.clip(7)), bank: bank, volume: 100)
        }
        try engine.play(id: 100, plan: ClipPlan(), bank: bank, volume: 100)
        #expect(engine.wait(forEndOf: 100).map(\.name) == ["began 100", "ended 100"])
    }

    @Test func aPingMovesTheHeartbeat() throws {
        let engine = AudioEngine(AudioSettings(device: "null"))
        try engine.start()
        for _ in 0..<3 { turn(engine) }
    }

    /// Waits until the audio thread was awake once more.
    private func turn(_ engine: AudioEngine) {
        let beat = engine.heartbeat
        engine.ping()
        while engine.heartbeat == beat { sched_yield() }
    }

    /// Closed when it has been idle, opened for what is to be said, and nobody is told.
    @Test func standbyClosesTheDeviceAndOpensItAgain() throws {
        let bank = try folder.bank([.noise(400, seed: 12)], sourceRate: 8000, rate: 8000)
        let card = FakeCard(isRealTime: true)
        let engine = fake(card) {
            $0.standbyAfter = 0
            $0.leadIn = 20
        }
        try engine.start()
        for id: UInt64 in 1...3 {
            while card.with(\.closes) < id { sched_yield() }
            try engine.play(id: id, plan: ClipPlan(.clip(0)), bank: bank, volume: 100)
            let events = engine.wait(forEndOf: id).map(\.name)
            #expect(events == (id == 1 ? ["opened"] : []) + ["began \(id)", "ended \(id)"])
        }
        let clip = try bank.render(ClipPlan(.clip(0)), volume: 100)
        let silence = [Int16](repeating: 0, count: 160)
        #expect(card.with(\.log) == silence + clip + silence + clip + silence + clip)
    }

    /// The card that comes out of standby is another one: what was accepted for it is lost, and the caller says it again.
    @Test func standbyWakesUpAtAnotherRate() throws {
        let bank = try folder.bank([.noise(400, seed: 13)], sourceRate: 8000, rate: 8000)
        let card = FakeCard(isRealTime: true)
        let engine = fake(card) { $0.standbyAfter = 0 }
        try engine.start()
        while card.with(\.closes) < 1 { sched_yield() }
        card.with { $0.format.rate = 16000 }
        try engine.play(id: 1, plan: ClipPlan(.clip(0)), bank: bank, volume: 100)
        let events = engine.wait { $0.isOpened && engine.format?.rate == 16000 }
        #expect(events.map(\.name) == ["opened", "lost configure", "opened"])
        card.with { $0.missing = ENODEV }
        let reloaded = try folder.bank([.noise(400, seed: 13)], sourceRate: 8000, rate: 16000)
        while card.with(\.closes) < 3 { sched_yield() }
        try engine.play(id: 2, plan: ClipPlan(.clip(0)), bank: reloaded, volume: 100)
        #expect(engine.wait(\.isLost).map(\.name) == ["lost open"])
    }

    @Test func startsAgainAfterClose() throws {
        let bank = try folder.bank([.noise(480, seed: 11)])
        let engine = AudioEngine(AudioSettings(device: "null"))
        for id: UInt64 in 1...3 {
            #expect(engine.wakeDescriptor == -1)
            try engine.start()
            try engine.play(id: id, plan: ClipPlan(.clip(0)), bank: bank, volume: 100)
            #expect(engine.wait(forEndOf: id).map(\.name) == ["opened", "began \(id)", "ended \(id)"])
            engine.close()
            #expect(engine.format == nil)
        }
    }
}
