import Foundation
import SoundboxPlatform
import Synchronization
import TestSupport
import Testing

@testable import SoundboxAudio

@Suite struct SampleRingTests {
    /// Against a plain array: whatever was written and not released is there, unchanged.
    @Test func behavesLikeAnArrayOfEverythingWritten() {
        var generator = SeededGenerator()
        for _ in 0..<50 {
            let ring = SampleRing(capacity: 1 << Int.random(in: 0...7, using: &generator))
            var model: [Int16] = []
            for _ in 0..<200 {
                switch Int.random(in: 0..<3, using: &generator) {
                case 0:
                    let wish = Int.random(in: 0...2 * ring.capacity, using: &generator)
                    let free = ring.free
                    var left = wish
                    ring.write { room in
                        let count = min(left, room.count)
                        for index in 0..<count {
                            room[index] = Int16(truncatingIfNeeded: model.count)
                            model.append(room[index])
                        }
                        left -= count
                        return count
                    }
                    #expect(wish - left == min(wish, free), "seed \(generator.seed)")
                case 1:
                    ring.release(upTo: .random(in: -5...ring.written, using: &generator))
                default:
                    guard ring.released < ring.written else { continue }
                    let position = Int.random(in: ring.released..<ring.written, using: &generator)
                    let frames = ring.read(at: position, count: ring.written - position)
                    #expect(!frames.isEmpty)
                    #expect(Array(frames) == Array(model[position..<position + frames.count]), "seed \(generator.seed)")
                }
                #expect(ring.written == model.count, "seed \(generator.seed)")
                #expect(ring.free == ring.capacity - (ring.written - ring.released), "seed \(generator.seed)")
            }
        }
    }

    @Test func releaseNeverGoesBackwards() {
        let ring = SampleRing(capacity: 8)
        ring.write { $0.count }
        ring.release(upTo: 5)
        ring.release(upTo: 2)
        #expect(ring.released == 5)
    }

    /// A pattern from one thread to the other, with the played frames looked at again while the writer goes on.
    @Test func carriesAPatternBetweenThreads() throws {
        let total = 300_000
        let kept = 16
        let ring = UnsafeMutablePointer<SampleRing>.allocate(capacity: 1)
        ring.initialize(to: SampleRing(capacity: 64))
        defer {
            ring.deinitialize(count: 1)
            ring.deallocate()
        }
        nonisolated(unsafe) let shared = ring
        let producer = try NamedThread("producer") {
            var next = 0
            while next < total {
                shared.pointee.write { room in
                    let count = min(room.count, total - next)
                    for index in 0..<count { room[index] = Int16(truncatingIfNeeded: (next + index) &* 31) }
                    next += count
                    return count
                }
                if shared.pointee.free == 0 { sched_yield() }
            }
        }
        var wrong = 0
        var position = 0
        while position < total {
            let written = ring.pointee.written
            guard written > position else {
                sched_yield()
                continue
            }
            var from = max(ring.pointee.released, position - kept)
            while from < written {
                let frames = ring.pointee.read(at: from, count: written - from)
                for (index, frame) in frames.enumerated() where frame != Int16(truncatingIfNeeded: (from + index) &* 31)
                {
                    wrong += 1
                }
                from += frames.count
            }
            position = written
            ring.pointee.release(upTo: position - kept)
        }
        producer.join()
        #expect(wrong == 0)
    }
}

@Suite struct MailboxTests {
    @Test func keepsTheOrderAndSaysWhenItIsFull() {
        let box = Mailbox<Int>(capacity: 3)
        var sent = 0
        var received = 0
        for _ in 0..<10 {
            while box.push(sent) { sent += 1 }
            #expect(box.free == 0 && sent - received == 3)
            while let number = box.pop() {
                #expect(number == received)
                received += 1
            }
            #expect(box.free == 3)
        }
        #expect(received == 30)
    }
}
