import CAllocationCounter
import Foundation
import SoundboxCore
import SoundboxPlatform
import TestSupport
import Testing

@testable import SoundboxAudio

/// What the audio thread must not do while it plays. Serialized: only one thread can be watched at a time.
@Suite(.serialized, .enabled(if: allocation_counter_works(), "a sanitizer has an allocator of its own"))
struct AllocationTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// As many frames as a minute of speech has, through ALSA, in a few seconds: announcements of all kinds, a cut, the
    /// volume, and idling between them.
    @Test func theAudioThreadAllocatesAndCountsNothing() throws {
        // 16 times as fast as 48 kHz: nothing can come too late for `null`.
        try watch(device: "null", PCM.self, rate: 768_000, rounds: 30)
    }

    /// The same on a card that runs freely and takes frames back, for some seconds: such a card does not wait for a busy
    /// machine, and a hurried one would have every word said again.
    @Test func norOnACardThatRunsFreely() throws {
        try watch(device: "free", FreeCard.self, rate: 48_000, rounds: 1)
    }

    private func watch<Device: PCMDevice & ~Copyable>(
        device: String, _: Device.Type, rate: Int, rounds: Int
    ) throws {
        let bank = try folder.bank([.noise(48_000, seed: 1)], sourceRate: rate, rate: rate)
        var settings = AudioSettings(device: device, rate: rate)
        // A name of its own: other tests have audio threads, too.
        settings.threadName = "counted"
        let engine = AudioEngine(settings, driver: Device.self)
        try engine.start()
        allocation_counter_watch(try #require(try thread(named: "counted")))
        defer { allocation_counter_watch(0) }
        let minute = ClipPlan(text: "", steps: (0..<rounds).flatMap { _ in [.clip(0), .pause(1), .clip(0)] })
        for id: UInt64 in 1...2 {
            try engine.play(id: id, plan: minute, bank: bank, volume: 80)
        }
        _ = engine.wait { $0.name == "began 1" }
        engine.setVolume(50)
        _ = engine.wait(forEndOf: 2)
        try engine.play(id: 3, plan: minute, bank: bank, volume: 80)
        _ = engine.wait { $0.name == "began 3" }
        engine.stop()
        _ = engine.wait { $0 == .stopped(id: 3) }
        engine.ping()
        #expect(allocation_counter_count() == 0)
        #expect(reference_counter_count() == 0)
        // The counters count: closing the device frees it, and ends the closure.
        engine.close()
        #expect(allocation_counter_count() > 0)
        #expect(reference_counter_count() > 0 || !reference_counter_works())
    }

    private func thread(named name: String) throws -> pid_t? {
        let tasks = "/proc/self/task"
        let task = try FileManager.default.contentsOfDirectory(atPath: tasks).first { task in
            (try? String(contentsOfFile: "\(tasks)/\(task)/comm", encoding: .utf8)) == "\(name)\n"
        }
        return task.flatMap { pid_t($0) }
    }
}

/// A card that runs freely by the clock and forgets what it is given. It does not allocate, either.
private struct FreeCard: PCMDevice, ~Copyable {
    let format: PCMFormat
    private let state = UnsafeMutablePointer<(start: UInt64, position: Int)>.allocate(capacity: 1)

    init(rate: Int) {
        format = PCMFormat(
            rate: rate, channels: 2, sample: .s32, period: rate / 100, buffer: rate / 2, runsFree: true, rewinds: true)
        state.initialize(to: (0, 0))
    }

    deinit {
        state.deallocate()
    }

    static func open(_ name: UnsafePointer<CChar>, rate: Int, known: PCMFormat?) throws(PCMError) -> FreeCard {
        FreeCard(rate: rate)
    }

    private var queued: Int {
        guard state.pointee.start > 0 else { return 0 }
        let played = Double(SystemClock.monotonic - state.pointee.start) / 1e9 * Double(format.rate)
        return state.pointee.position - Int(played)
    }

    func status() throws(PCMError) -> (available: Int, delay: Int) {
        let queued = queued
        return (format.buffer - queued, queued)
    }

    func write(_ frames: UnsafeRawPointer, count: Int) throws(PCMError) -> Int {
        if state.pointee.start == 0 { state.pointee.start = SystemClock.monotonic }
        let taken = min(count, format.buffer - queued)
        if taken <= 0 { throw PCMError(.write, EAGAIN) }
        state.pointee.position += taken
        return taken
    }

    func rewind(_ count: Int) throws(PCMError) -> Int {
        let taken = min(count, max(0, queued))
        state.pointee.position -= taken
        return taken
    }

    func forward(_ count: Int) throws(PCMError) -> Int {
        let moved = min(count, format.buffer - queued)
        state.pointee.position += moved
        return moved
    }

    func prepare() throws(PCMError) {
        state.pointee = (0, 0)
    }

    func drop() throws(PCMError) {
        state.pointee = (0, 0)
    }

    func resume() throws(PCMError) {}
}
