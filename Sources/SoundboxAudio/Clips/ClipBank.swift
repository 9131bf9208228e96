import SoundboxCore

/// The recordings of a voice pack, decoded once, in one piece of memory, at the rate at which they were recorded; they are
/// read at the device's.
///
/// A value without mutable state: any thread may use it, and a copy shares the samples.
public struct ClipBank: Sendable {
    /// Longest clip that is accepted, in seconds: a guard against a file of hours, not a limit on speech.
    public static let longestClip = 60

    /// Frames per second of every clip as it is read.
    public let rate: Int
    private let sourceRate: Int
    private let samples: [Int16]
    /// Where each clip begins in `samples`, and the end of the last.
    private let bounds: [Int]
    /// Each ``ClipPlan/Tone`` at `rate`, by its raw value.
    private let tones: [[Int16]]
    /// Nil where the rates are equal.
    private let resampler: Resampler?

    /// How many clips there are.
    public var count: Int { bounds.count - 1 }

    /// Decodes every file. Any thread.
    ///
    /// The samples pass through bit for bit where the rates are equal and the file has 16 bits, unless their true peak is
    /// above full scale: then it is limited. libsndfile's `sf_readf_float`.
    ///
    /// - Parameters:
    ///   - folder: the folder of the recordings.
    ///   - files: their names in it, in the order of ``VoicePack/clips``.
    ///   - sourceRate: the rate in Hz that each of them must have.
    ///   - rate: the device's rate in Hz.
    /// - Throws: ``ClipError`` for the first file that cannot be used.
    public init(folder: String, files: [String], sourceRate: Int, rate: Int) throws(ClipError) {
        // The headers first: then the samples need one allocation of the right size, and a wrong file is found early.
        var bounds = [0]
        var last = 0
        for name in files {
            let file = try SoundFile(reading: "\(folder)/\(name)")
            last += try Self.check(file, sourceRate: sourceRate)
            bounds.append(last)
        }
        var samples = [Int16](repeating: 0, count: last)
        for (index, name) in files.enumerated() {
            let file = try SoundFile(reading: "\(folder)/\(name)")
            var decoded = try file.readAll()
            let frames = bounds[index + 1] - bounds[index]
            guard decoded.count == frames else {
                throw ClipError(file: file.path, problem: .cutShort(frames: decoded.count, expected: frames))
            }
            Limiter.limit(&decoded, rate: sourceRate)
            samples.withUnsafeMutableBufferPointer { Self.convert(decoded, to: $0, at: bounds[index]) }
        }
        self.init(samples: samples, bounds: bounds, sourceRate: sourceRate, rate: rate)
    }

    private init(samples: [Int16], bounds: [Int], sourceRate: Int, rate: Int) {
        self.samples = samples
        self.bounds = bounds
        self.sourceRate = sourceRate
        self.rate = rate
        tones = ClipPlan.Tone.allCases.map { $0.samples(rate: rate) }
        resampler = sourceRate == rate ? nil : Resampler(from: sourceRate, to: rate)
    }

    /// The same clips for a device of another rate in Hz: nothing is decoded again. Any thread.
    public func at(rate: Int) -> ClipBank {
        ClipBank(samples: samples, bounds: bounds, sourceRate: sourceRate, rate: rate)
    }

    /// How many frames a clip has.
    func frames(ofClip clip: Int) -> Int {
        let count = bounds[clip + 1] - bounds[clip]
        return resampler?.count(count) ?? count
    }

    /// Reads frames of a clip from `start` on, as many as there is room for; there must be so many.
    func read(_ clip: Int, from start: Int, into room: UnsafeMutableBufferPointer<Int16>) {
        samples.withUnsafeBufferPointer { samples in
            let whole = UnsafeBufferPointer(rebasing: samples[bounds[clip]..<bounds[clip + 1]])
            if let resampler {
                resampler.read(whole, from: start, into: room)
            } else {
                _ = room.update(fromContentsOf: whole[start..<start + room.count])
            }
        }
    }

    /// How many frames a tone has.
    func frames(of tone: ClipPlan.Tone) -> Int { tones[tone.rawValue].count }

    /// Reads frames of a tone from `start` on, as many as there is room for; there must be so many.
    func read(_ tone: ClipPlan.Tone, from start: Int, into room: UnsafeMutableBufferPointer<Int16>) {
        tones[tone.rawValue].withUnsafeBufferPointer { samples in
            _ = room.update(fromContentsOf: UnsafeBufferPointer(rebasing: samples[start..<start + room.count]))
        }
    }

    /// How many frames the announcement has: clips and pauses. Any thread.
    ///
    /// - Throws: ``ClipError/Problem/unknownClip(_:)`` where the plan belongs to another pack.
    public func frames(of plan: ClipPlan) throws(ClipError) -> Int {
        try PlanReader(plan, bank: self).frames
    }

    /// Where each step of the announcement ends, in frames from its beginning. Any thread.
    ///
    /// - Throws: ``ClipError/Problem/unknownClip(_:)`` where the plan belongs to another pack.
    public func ends(of plan: ClipPlan) throws(ClipError) -> [Int] {
        var ends: [Int] = []
        var part = ClipPlan(text: "", steps: [])
        for step in plan.steps {
            part.steps.append(step)
            ends.append(try frames(of: part))
        }
        return ends
    }

    /// The announcement's samples: what the speaker gets, bit for bit. Any thread.
    ///
    /// - Parameter volume: 0…100 in steps of 0.4 dB below 100, which is unity; 0 is silence.
    /// - Throws: ``ClipError/Problem/unknownClip(_:)`` where the plan belongs to another pack.
    public func render(_ plan: ClipPlan, volume: Int) throws(ClipError) -> [Int16] {
        var reader = try PlanReader(plan, bank: self)
        let gain = Volume(volume).gain
        return [Int16](unsafeUninitializedCapacity: reader.frames) { buffer, count in
            count = reader.read(into: buffer)
            for index in 0..<count { buffer[index] = Volume.scale(buffer[index], gain) }
        }
    }

    /// Floats of full scale 1 as 16 bits: rounded to the nearest and saturated.
    static func convert(_ floats: [Float], to samples: UnsafeMutableBufferPointer<Int16>, at start: Int) {
        floats.withUnsafeBufferPointer { floats in
            for index in 0..<floats.count {
                let value = max(-32768, min(32767, floats[index] * 32768))
                samples[start + index] = Int16(value.rounded(.toNearestOrEven))
            }
        }
    }

    private static func check(_ file: borrowing SoundFile, sourceRate: Int) throws(ClipError) -> Int {
        func refuse(_ problem: ClipError.Problem) -> ClipError { ClipError(file: file.path, problem: problem) }
        guard file.channels == 1 else { throw refuse(.channels(file.channels)) }
        guard file.rate == sourceRate else { throw refuse(.rate(file.rate, expected: sourceRate)) }
        guard file.frames > 0 else { throw refuse(.empty) }
        guard file.frames <= longestClip * sourceRate else { throw refuse(.tooLong(seconds: file.frames / sourceRate)) }
        return file.frames
    }
}
