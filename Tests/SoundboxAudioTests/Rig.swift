import Glibc
import SoundboxPlatform
import Testing

@testable import SoundboxAudio

/// The audio thread's work without the thread, in the fake card's own time, and the control thread's part beside it.
final class Rig {
    /// Frames of one clip; each announcement consists of as many as it needs.
    static let clip = 370

    let card = FakeCard()
    let shared: UnsafeMutablePointer<AudioShared>
    private(set) var events: [AudioEvent] = []
    /// Turns of the audio thread, which each cost a wake-up.
    private(set) var steps = 0
    private(set) var time = 1_000_000_000
    /// Nanoseconds that the thread sleeps next, instead of what it wanted.
    var stall: Int?
    /// What is to be said, by id; what was told to have been heard is taken out.
    private var announcements: [(id: UInt64, frames: [Int16])] = []
    private var end = 0
    /// Where the next player begins.
    private var position = 0

    /// - Parameter fade: milliseconds; without it every frame that is heard tells which one it is.
    init(_ card: CardKind = .timed, fade: Int = 0, change: (inout AudioSettings) -> Void = { _ in }) throws {
        var settings = AudioSettings(device: self.card.name, rate: 8000)
        settings.fade = fade
        change(&settings)
        shared = .allocate(capacity: 1)
        shared.initialize(
            to: AudioShared(settings, toAudio: try EventDescriptor(), toControl: try EventDescriptor()))
        self.card.with {
            $0.time = time
            card.set(&$0.format)
        }
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

    func stop() {
        end = shared.pointee.ring.written
        send(.cut(end))
    }

    /// Says again what was not told to have been heard, as the caller does after a loss.
    private func sayAgain() {
        while shared.pointee.commands.pop() != nil {}
        card.with { $0.restarts.append($0.log.count) }
        end = shared.pointee.ring.written
        position = end
        shared.pointee.forgetMarks(before: end)
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
            for clip in stride(from: 0, to: announcement.frames.count, by: Self.clip) {
                _ = shared.pointee.marks.push(end + clip)
            }
            feed(announcement.frames)
            let start = end
            end += announcement.frames.count
            send(.play(Announcement(id: announcement.id, start: start, end: end)))
        }
    }

    func feed(_ frames: some Collection<Int16>) {
        var left = Array(frames)[...]
        shared.pointee.ring.write { room in
            let count = min(room.count, left.count)
            for index in 0..<count { room[index] = left[left.startIndex + index] }
            left = left.dropFirst(count)
            return count
        }
    }

    /// Runs until there is nothing to do, opening the device again where it is lost.
    ///
    /// - Parameter limit: stops what is said at the first turn at this time or later.
    func run(stopAt limit: Int = .max, atMost stepLimit: Int = 2000, eachStep: () -> Void = {}) {
        while steps < stepLimit {
            do throws(PCMError) {
                var device = try open()
                var player = Player<FakePCM>(shared: shared, format: device.format, position: position)
                while steps < stepLimit {
                    if time >= limit { stop() }
                    steps += 1
                    let wait = try player.step(&device, now: time)
                    collect()
                    eachStep()
                    let isDone = player.restsSince != nil && shared.pointee.commands.peek(0) == nil
                    if isDone, player.isRunning || !device.format.runsFree {
                        position = player.handed
                        return
                    }
                    // A command wakes the thread.
                    let isWoken = shared.pointee.commands.peek(0) != nil
                    advance(stall.take() ?? (isWoken ? 1_000_000 : Int(wait.milliseconds) * 1_000_000))
                }
            } catch {
                collect()
                events.append(.lost(error))
                advance(1_000_000_000)
                sayAgain()
            }
        }
    }

    func open() throws(PCMError) -> FakePCM {
        try FakePCM.open(card.name, rate: 8000, known: nil)
    }

    func advance(_ nanoseconds: Int) {
        time = max(time, card.with(\.time)) + nanoseconds
        card.with { $0.time = time }
    }

    func collect() {
        while let event = shared.pointee.events.pop() {
            events.append(event)
            guard case .ended(let id) = event,
                let last = announcements.first(where: { $0.id == id })?.frames.last
            else { continue }
            let heard = card.with { state in
                (state.isBottomless ? state.log[...] : state.log[..<min(state.log.count, state.heard)]).last { $0 != 0 }
            }
            #expect(heard ?? 0 >= last, "told to have been heard, and was not: \(id)")
        }
    }

    /// Every clip was heard whole and in order; what was heard twice begins where a clip begins.
    func expectAllHeard(_ comment: Comment) {
        let (log, restarts, late) = card.with { ($0.log, Set($0.restarts), $0.late) }
        #expect(late == 0, comment)
        let starts = Set(
            announcements.flatMap { announcement in
                stride(from: 0, to: announcement.frames.count, by: Self.clip).map { announcement.frames[$0] }
            })
        var furthest: Int16 = 0
        var last: Int16 = 0
        var mayJump = true
        for (index, frame) in log.enumerated() {
            if restarts.contains(index) { mayJump = true }
            guard frame != 0 else {
                mayJump = true
                continue
            }
            let follows = frame == last + 1
            let goesOn = frame == furthest + 1
            let begins = frame <= furthest && starts.contains(frame)
            if !(mayJump ? follows || goesOn || begins : follows) {
                Issue.record("from \(last) to \(frame), furthest \(furthest): \(comment)")
                return
            }
            mayJump = false
            last = frame
            furthest = max(furthest, frame)
        }
        #expect(furthest == announcements.last?.frames.last ?? 0, comment)
        expectAllEnded(comment)
    }

    /// Every clip was heard whole, and all of them in order, whatever was heard in between. A stumble breaks no clip.
    func expectAllHeardAmongOthers(_ comment: Comment) {
        var clips = announcements.flatMap { announcement in
            stride(from: 0, to: announcement.frames.count, by: Self.clip).map { start in
                (announcement.frames[start], announcement.frames[min(start + Self.clip, announcement.frames.count) - 1])
            }
        }[...]
        var (first, last, gap): (Int16, Int16, Int) = (0, 0, 0)
        for frame in card.with(\.log) {
            guard frame != 0 else {
                gap += 1
                continue
            }
            // 30 ms, and the lead with which it enters again.
            if frame != last + 1 || gap > 320 { first = frame }
            (last, gap) = (frame, 0)
            while let clip = clips.first, first <= clip.0, last >= clip.1 { clips.removeFirst() }
        }
        #expect(clips.isEmpty, comment)
        expectAllEnded(comment)
    }

    private func expectAllEnded(_ comment: Comment) {
        let ended = events.compactMap { if case .ended(let id) = $0 { id } else { nil } }
        #expect(ended == announcements.map(\.id), comment)
    }

    /// What was given to the card, but for silence.
    var sound: [Int16] { card.with { $0.log.filter { $0 != 0 } } }

    /// How many frames were heard, but for silence.
    var heard: Int { card.with { state in state.log[..<min(state.log.count, state.heard)].count { $0 != 0 } } }
}

/// What a fake card can do.
enum CardKind: CaseIterable {
    case timed, free, rewinding

    func set(_ format: inout PCMFormat) {
        format.runsFree = self != .timed
        format.rewinds = self == .rewinding
        // 500 ms, as cards have that let frames be taken back.
        if self == .rewinding { format.buffer = 4000 }
    }
}
