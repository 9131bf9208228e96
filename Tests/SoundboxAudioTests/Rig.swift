import Glibc
import SoundboxPlatform
import Testing

@testable import SoundboxAudio

/// The audio thread's work without the thread, in the fake card's own time, and the control thread's part beside it.
final class Rig {
    let card = FakeCard()
    let shared: UnsafeMutablePointer<AudioShared>
    private(set) var events: [AudioEvent] = []
    /// Turns of the audio thread, which each cost a wake-up.
    private(set) var steps = 0
    private(set) var time = 1_000_000_000
    /// What is to be said, by id; what was told to have been heard is taken out.
    private var announcements: [(id: UInt64, frames: [Int16])] = []
    private var end = 0
    /// Where the next player begins.
    private var position = 0

    init() throws {
        shared = .allocate(capacity: 1)
        shared.initialize(
            to: AudioShared(
                AudioSettings(device: card.name, rate: 8000), toAudio: try EventDescriptor(),
                toControl: try EventDescriptor()))
        card.with { $0.time = time }
    }

    deinit {
        shared.deinitialize(count: 1)
        shared.deallocate()
    }

    /// Announcements one behind the other, whose samples count 1, 2, 3, …
    func say(_ lengths: Int...) {
        var next = announcements.last?.frames.last ?? 0
        for length in lengths {
            let id = UInt64(announcements.count + 1)
            announcements.append((id, (0..<length).map { next + Int16($0) + 1 }))
            next += Int16(length)
        }
        send(from: UInt64(announcements.count - lengths.count + 1))
    }

    private func stop() {
        end = shared.pointee.ring.written
        send(.cut(end))
    }

    /// Says again what was not told to have been heard, as the caller does after a loss.
    private func sayAgain() {
        while shared.pointee.commands.pop() != nil {}
        card.with { $0.restarts.append($0.log.count) }
        end = shared.pointee.ring.written
        position = end
        let done = events.compactMap { event in
            switch event {
            case .ended(let id), .stopped(let id): id
            default: nil
            }
        }
        if let first = announcements.first(where: { !done.contains($0.id) }) { send(from: first.id) }
    }

    /// A command of the control thread.
    func send(_ command: AudioCommand) {
        let fits = shared.pointee.commands.push(command)
        #expect(fits)
    }

    private func send(from id: UInt64) {
        for announcement in announcements where announcement.id >= id {
            var left = announcement.frames[...]
            shared.pointee.ring.write { room in
                let count = min(room.count, left.count)
                for index in 0..<count { room[index] = left[left.startIndex + index] }
                left = left.dropFirst(count)
                return count
            }
            let start = end
            end += announcement.frames.count
            send(.play(Announcement(id: announcement.id, start: start, end: end)))
        }
    }

    /// Runs until there is nothing to do, opening the device again where it is lost.
    ///
    /// - Parameter limit: stops what is said at the first turn at this time or later.
    func run(stopAt limit: Int = .max, atMost stepLimit: Int = 2000, eachStep: () -> Void = {}) {
        while steps < stepLimit {
            do throws(PCMError) {
                var device = try FakePCM.open(card.name, rate: 8000)
                var player = Player<FakePCM>(shared: shared, format: device.format, position: position)
                while steps < stepLimit {
                    if time >= limit { stop() }
                    steps += 1
                    let wait = try player.step(&device, now: time)
                    collect()
                    eachStep()
                    if wait == .forever {
                        position = end
                        return
                    }
                    advance(Int(wait.milliseconds) * 1_000_000)
                }
            } catch {
                collect()
                events.append(.lost(error))
                advance(1_000_000_000)
                sayAgain()
            }
        }
    }

    private func advance(_ nanoseconds: Int) {
        time += nanoseconds
        card.with { $0.time = time }
    }

    private func collect() {
        while let event = shared.pointee.events.pop() {
            events.append(event)
            guard case .ended(let id) = event,
                let last = announcements.first(where: { $0.id == id })?.frames.last
            else { continue }
            let heard = card.with { $0.isBottomless ? $0.log.last : $0.log[..<$0.heard].last } ?? 0
            #expect(heard >= last, "told to have been heard, and was not: \(id)")
        }
    }

    /// Every frame was heard in order, and what was heard twice begins again no later than where it broke.
    func expectAllHeard(_ comment: Comment) {
        let (log, restarts) = card.with { ($0.log, $0.restarts) }
        var furthest: Int16 = 0
        for (start, end) in zip([0] + restarts, restarts + [log.count]) where start < end {
            let first = log[start]
            if first > furthest + 1 { Issue.record("skipped from \(furthest) to \(first): \(comment)") }
            let expected = (0..<end - start).map { first &+ Int16($0) }
            let differs = memcmp(Array(log[start..<end]), expected, 2 * expected.count)
            #expect(differs == 0, comment)
            furthest = max(furthest, log[end - 1])
        }
        #expect(furthest == announcements.last?.frames.last ?? 0, comment)
        let ended = events.compactMap { if case .ended(let id) = $0 { id } else { nil } }
        #expect(ended == announcements.map(\.id), comment)
    }
}
