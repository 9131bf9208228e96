import CAllocationCounter
import Foundation
import SoundboxCore
import TestSupport
import Testing

@testable import SoundboxAudio

@Suite struct AllocationTests {
    /// From the opened device on: announcements of all kinds, a gap, a cut, and idling between them.
    @Test(.enabled(if: allocation_counter_works(), "a sanitizer has an allocator of its own"))
    func theAudioThreadAllocatesNothing() throws {
        let folder = try TemporaryFolder()
        let bank = try folder.bank([.noise(9600, seed: 1)])
        // A name of its own: other tests have audio threads, too.
        var settings = AudioSettings(device: "file:FILE=\(folder.path)/out.raw,FORMAT=raw")
        settings.threadName = "counted"
        let engine = AudioEngine(settings, driver: PCM.self)
        try engine.start()
        let thread = try #require(try thread(named: "counted"))
        allocation_counter_watch(thread)
        defer { allocation_counter_watch(0) }
        for id: UInt64 in 1...3 {
            try engine.play(id: id, plan: ClipPlan(.clip(0), .pause(10), .clip(0)), bank: bank, volume: 80)
        }
        _ = engine.wait(forEndOf: 3)
        try engine.play(id: 4, plan: ClipPlan(.clip(0)), bank: bank, volume: 80)
        _ = engine.wait { $0.name == "began 4" }
        engine.stop()
        _ = engine.wait { $0 == .stopped(id: 4) }
        engine.ping()
        #expect(allocation_counter_count() == 0)
        // The counter counts: closing the device frees it.
        engine.close()
        #expect(allocation_counter_count() > 0)
    }

    private func thread(named name: String) throws -> pid_t? {
        let tasks = "/proc/self/task"
        let task = try FileManager.default.contentsOfDirectory(atPath: tasks).first { task in
            (try? String(contentsOfFile: "\(tasks)/\(task)/comm", encoding: .utf8)) == "\(name)\n"
        }
        return task.flatMap { pid_t($0) }
    }
}
