import Foundation

import SoundboxPlatform
@testable import SoundboxAudio

/// What a fake card does at a call, instead of what it should.
enum Fault: Equatable {
    case error(Int32)
    /// A call that moves frames moves this many at most.
    case short(Int)
}

/// A sound card in memory, with a time of its own, that fails at will.
///
/// It remembers what was really heard: what it was given, but for frames that a stop or a failure kept from it, and the
/// silence of a card that runs freely.
///
/// Its lock is a pthread mutex: ThreadSanitizer does not see the one of `Synchronization`.
final class FakeCard: @unchecked Sendable {
    struct State {
        var format = PCMFormat(rate: 8000, channels: 1, sample: .s16, period: 80, buffer: 1200)
        /// Fails to open with this code.
        var missing: Int32?
        /// Like ALSA's `null`: room for everything at any time, and no delay.
        var isBottomless = false
        /// What a sound server adds to the delay; it never runs dry, either.
        var latency = 0
        /// The card stands still: takes its buffer full, and plays nothing.
        var isStuck = false
        /// What `resume` gives, one after the other, before it succeeds.
        var resumes: [Int32] = []
        var faults: [Int: Fault] = [:]
        /// The thread is kept from running for so many nanoseconds, right before a call.
        var stalls: [Int: Int] = [:]

        var time = 0
        var calls = 0
        var opens = 0
        var closes = 0
        /// All that was given to the card, in the order in which it is heard: what is heard already is final.
        var log: [Int16] = []
        /// Where the next frame is written. Behind it may be frames that were taken back, and are still in memory.
        var position = 0
        /// Frames that were written where the card had already been: nobody hears them in time.
        var late = 0
        /// Positions in the log before which sound was cut or repeated.
        var restarts: [Int] = []
        /// Frames of the log that were heard when the stream was started, and when that was.
        var start: (heard: Int, time: Int)?
        var broken: Int32?

        /// A start in a future that does not come: nothing is heard.
        let asleep = Int.max / 2
    }

    private static let lock = NSLock()
    nonisolated(unsafe) private static var cards: [String: FakeCard] = [:]
    let name = "fake-\(UUID().uuidString)"
    private let lock = NSLock()
    private var state = State()
    /// Takes the time from the machine instead of from the test.
    let isRealTime: Bool

    init(isRealTime: Bool = false) {
        self.isRealTime = isRealTime
        Self.lock.withLock { Self.cards[name] = self }
    }

    static func named(_ name: String) -> FakeCard? {
        lock.withLock { cards[name] }
    }

    func with<Result>(_ body: (inout State) -> Result) -> Result {
        lock.withLock {
            if isRealTime { state.time = Int(SystemClock.monotonic) }
            state.runOn()
            return body(&state)
        }
    }
}

extension FakeCard.State {
    /// Where the card is.
    var heard: Int {
        if isBottomless { return position }
        guard let start, !isStuck else { return start?.heard ?? min(log.count, position) }
        let heard = start.heard + max(0, time - start.time) * format.rate / 1_000_000_000
        return format.runsFree ? heard : min(position, heard)
    }

    /// What a freely running card plays by itself.
    mutating func runOn() {
        guard format.runsFree, heard > log.count else { return }
        log += [Int16](repeating: 0, count: heard - log.count)
    }

    /// Everything not heard yet never will be.
    mutating func discard() {
        log.removeLast(log.count - heard)
        position = log.count
        restarts.append(log.count)
        start = nil
    }

    /// One call of the engine: fails where it should.
    mutating func call(_ operation: PCMError.Operation) throws(PCMError) -> Fault? {
        let index = calls
        calls += 1
        time += stalls[index] ?? 0
        runOn()
        switch faults[index] {
        case .error(let code):
            switch code {
            case EAGAIN, EINTR: break
            case EPIPE:
                // It ran dry.
                start = nil
                broken = code
            case ESTRPIPE:
                // Asleep; whether the buffer survives is known at the resume.
                if start != nil { start = (heard, asleep) }
                broken = code
            default:
                discard()
                broken = code
            }
            throw PCMError(operation, code)
        case .short(let count): return .short(count)
        case nil: break
        }
        let moves = operation != .prepare && operation != .drop && operation != .resume
        if let broken, broken == ENODEV || moves { throw PCMError(operation, broken) }
        if start != nil, !isBottomless, !format.runsFree, latency == 0, heard == position, moves {
            start = nil
            broken = EPIPE
            throw PCMError(operation, EPIPE)
        }
        return nil
    }

    /// Puts frames where the card will be.
    mutating func take(_ frames: UnsafeBufferPointer<Int16>) {
        if start == nil || latency > 0 && heard == position { start = (position, time) }
        for frame in frames {
            if position < heard {
                late += frame == 0 ? 0 : 1
            } else if position < log.count {
                log[position] = frame
            } else {
                log.append(frame)
            }
            position += 1
        }
    }
}

struct FakePCM: PCMDevice, ~Copyable {
    let card: FakeCard
    let format: PCMFormat

    deinit {
        card.with {
            $0.closes += 1
            if $0.start != nil { $0.discard() }
        }
    }

    static func open(_ name: UnsafePointer<CChar>, rate: Int, known: PCMFormat?) throws(PCMError) -> FakePCM {
        guard let card = FakeCard.named(String(cString: name)) else { throw PCMError(.open, ENOENT) }
        let missing = card.with { state in
            state.opens += 1
            state.broken = nil
            return state.missing
        }
        if let missing { throw PCMError(.open, missing) }
        return FakePCM(card: card, format: card.with(\.format))
    }

    func status() throws(PCMError) -> (available: Int, delay: Int) {
        try perform { state throws(PCMError) in
            _ = try state.call(.status)
            if state.isBottomless { return (state.format.buffer, 0) }
            let queued = state.position - state.heard
            return (state.format.buffer - queued, queued + (state.start == nil ? 0 : state.latency))
        }
    }

    func write(_ frames: UnsafeRawPointer, count: Int) throws(PCMError) -> Int {
        try perform { state throws(PCMError) in
            let fault = try state.call(.write)
            var room = state.isBottomless ? count : state.format.buffer - (state.position - state.heard)
            if case .short(let limit) = fault { room = min(room, limit) }
            let taken = min(room, count)
            if taken == 0 { throw PCMError(.write, EAGAIN) }
            state.take(UnsafeBufferPointer(start: frames.assumingMemoryBound(to: Int16.self), count: taken))
            return taken
        }
    }

    func rewind(_ count: Int) throws(PCMError) -> Int {
        try perform { state throws(PCMError) in
            var most = max(0, state.position - state.heard)
            if case .short(let limit) = try state.call(.rewind) { most = min(most, limit) }
            if !state.format.rewinds { most = 0 }
            state.position -= min(count, most)
            return min(count, most)
        }
    }

    func forward(_ count: Int) throws(PCMError) -> Int {
        try perform { state throws(PCMError) in
            var most = state.format.buffer - (state.position - state.heard)
            if case .short(let limit) = try state.call(.forward) { most = min(most, limit) }
            let moved = min(count, most)
            state.position += moved
            let missing = state.position - state.log.count
            if missing > 0 { state.log += [Int16](repeating: 0, count: missing) }
            return moved
        }
    }

    func prepare() throws(PCMError) {
        try perform { state throws(PCMError) in
            _ = try state.call(.prepare)
            state.discard()
            state.broken = nil
        }
    }

    func drop() throws(PCMError) {
        try perform { state throws(PCMError) in
            _ = try state.call(.drop)
            if state.start != nil { state.discard() }
        }
    }

    func resume() throws(PCMError) {
        try perform { state throws(PCMError) in
            _ = try state.call(.resume)
            if !state.resumes.isEmpty { throw PCMError(.resume, state.resumes.removeFirst()) }
            if let start = state.start { state.start = (start.heard, state.time) }
            state.broken = nil
        }
    }

    private func perform<Value>(
        _ body: (inout FakeCard.State) throws(PCMError) -> Value
    ) throws(PCMError) -> Value {
        let result: Result<Value, PCMError> = card.with { state in
            do throws(PCMError) {
                return .success(try body(&state))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
