import Foundation

import SoundboxPlatform
@testable import SoundboxAudio

/// What a fake card does at a call, instead of what it should.
enum Fault: Equatable {
    case error(Int32)
    /// A write takes this many frames at most.
    case short(Int)
}

/// A sound card in memory, with a time of its own, that fails at will.
///
/// It remembers what was really heard: what it was given, but for frames that a stop or a failure kept from it.
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

        var time = 0
        var calls = 0
        var opens = 0
        var log: [Int16] = []
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
            return body(&state)
        }
    }
}

extension FakeCard.State {
    var heard: Int {
        guard let start, !isStuck else { return start?.heard ?? log.count }
        return min(log.count, start.heard + max(0, time - start.time) * format.rate / 1_000_000_000)
    }

    /// Everything not heard yet never will be.
    mutating func discard() {
        log.removeLast(log.count - heard)
        restarts.append(log.count)
        start = nil
    }

    /// One call of the engine: fails where it should.
    mutating func call(_ operation: PCMError.Operation) throws(PCMError) -> Fault? {
        let index = calls
        calls += 1
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
        if let broken, broken == ENODEV || operation == .status || operation == .write {
            throw PCMError(operation, broken)
        }
        if start != nil, !isBottomless, latency == 0, heard == log.count, operation == .status || operation == .write {
            start = nil
            broken = EPIPE
            throw PCMError(operation, EPIPE)
        }
        return nil
    }
}

struct FakePCM: PCMDevice, ~Copyable {
    let card: FakeCard
    let format: PCMFormat

    deinit {
        card.with { if $0.start != nil { $0.discard() } }
    }

    static func open(_ name: UnsafePointer<CChar>, rate: Int) throws(PCMError) -> FakePCM {
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
            let queued = state.log.count - state.heard
            return (state.format.buffer - queued, queued + (state.start == nil ? 0 : state.latency))
        }
    }

    func write(_ frames: UnsafeRawPointer, count: Int) throws(PCMError) -> Int {
        try perform { state throws(PCMError) in
            let fault = try state.call(.write)
            var room = state.isBottomless ? count : state.format.buffer - (state.log.count - state.heard)
            if case .short(let limit) = fault { room = min(room, limit) }
            let taken = min(room, count)
            if taken == 0 { throw PCMError(.write, EAGAIN) }
            if state.start == nil || state.latency > 0 && state.heard == state.log.count {
                state.start = (state.log.count, state.time)
            }
            state.log += UnsafeBufferPointer(start: frames.assumingMemoryBound(to: Int16.self), count: taken)
            return taken
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
