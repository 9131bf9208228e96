import SoundboxCore

/// Reads the samples of an announcement from its beginning to its end, a buffer at a time.
///
/// This is the one place that says what an announcement sounds like; ``ClipBank/render(_:volume:)`` and the engine
/// both read through it. Clips join without a frame between them, and the pauses are rounded to frames by their sum,
/// so that an announcement with many of them does not drift.
struct PlanReader {
    /// How many frames the announcement has in all.
    let frames: Int
    private let bank: ClipBank
    private let steps: [ClipPlan.Step]
    private var step = 0
    /// How far the reader is in the current step, in frames.
    private var offset = 0
    /// Milliseconds of pause in the steps that were read.
    private var paused = 0

    init(_ plan: ClipPlan, bank: ClipBank) throws(ClipError) {
        var total = 0
        var paused = 0
        for step in plan.steps {
            switch step {
            case .clip(let index):
                guard (0..<bank.count).contains(index) else {
                    throw ClipError(file: "", problem: .unknownClip(index))
                }
                total += bank.frames(ofClip: index)
            case .pause(let milliseconds):
                paused += Self.bounded(milliseconds)
            case .tone(let tone):
                total += bank.frames(of: tone)
            }
        }
        frames = total + Self.frames(paused, rate: bank.rate)
        self.bank = bank
        steps = plan.steps
    }

    /// Whether every frame was read.
    var isAtEnd: Bool { step == steps.count }

    /// Copies the next frames, as many as fit, and returns how many those are: fewer than fit only at the end.
    ///
    /// - Parameter begins: is called with the place in the buffer of each first frame of a clip or pause.
    mutating func read(
        into buffer: UnsafeMutableBufferPointer<Int16>, begins: (Int) -> Void = { _ in }
    ) -> Int {
        var filled = 0
        while step < steps.count {
            let length: Int
            let wanted: Int
            switch steps[step] {
            case .clip(let index):
                length = bank.frames(ofClip: index)
                wanted = min(length - offset, buffer.count - filled)
                bank.read(index, from: offset, into: buffer.extracting(filled..<filled + wanted))
            case .pause(let milliseconds):
                let after = paused + Self.bounded(milliseconds)
                length = Self.frames(after, rate: bank.rate) - Self.frames(paused, rate: bank.rate)
                wanted = min(length - offset, buffer.count - filled)
                buffer.extracting(filled..<filled + wanted).update(repeating: 0)
            case .tone(let tone):
                length = bank.frames(of: tone)
                wanted = min(length - offset, buffer.count - filled)
                bank.read(tone, from: offset, into: buffer.extracting(filled..<filled + wanted))
            }
            if offset == 0, wanted > 0 { begins(filled) }
            filled += wanted
            offset += wanted
            guard offset == length else { break }
            if case .pause(let milliseconds) = steps[step] { paused += Self.bounded(milliseconds) }
            step += 1
            offset = 0
        }
        return filled
    }

    /// A pause that a pack writes by mistake, negative or of hours, neither traps nor silences the box.
    private static func bounded(_ milliseconds: Int) -> Int {
        min(max(0, milliseconds), 60_000)
    }

    private static func frames(_ milliseconds: Int, rate: Int) -> Int {
        (milliseconds * rate + 500) / 1000
    }
}
