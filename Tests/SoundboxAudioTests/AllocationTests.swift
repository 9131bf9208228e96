import CAllocationCounter
import Foundation
import SoundboxCore
import Testing

@testable import SoundboxAudio

@Suite struct AllocationTests {
    /// From the opened device on: announcements of all kinds, a gap, a cut, and idling between them.
    @Test(.enabled(if: allocation_counter_works(), "a sanitizer has an allocator of its own"))
    func theAudioThreadAllocatesNothing() throws {
        let folder = try TemporaryFolder()
        let bank = try folder.bank([.noise(9600, seed: 1)])
        // Before the thread of this engine there may be those of other tests.
        let others = try threads(named: AudioThread.name)
        let engine = AudioEngine(device: "file:FILE=\(folder.path)/out.raw,FORMAT=raw")
        try engine.start()
        let mine = try threads(named: AudioThread.name).subtracting(others)
        let thread = try #require(mine.count == 1 ? mine.first : nil)
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

    private func threads(named name: String) throws -> Set<pid_t> {
        let tasks = "/proc/self/task"
        return try Set(
            FileManager.default.contentsOfDirectory(atPath: tasks).compactMap { task in
                let comm = try? String(contentsOfFile: "\(tasks)/\(task)/comm", encoding: .utf8)
                return comm == "\(name)\n" ? pid_t(task) : nil
            })
    }
}
