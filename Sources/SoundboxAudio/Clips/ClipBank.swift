import CSampleRate
import SoundboxCore

/// The recordings of a voice pack, decoded and resampled to the device's rate once, in one piece of memory.
///
/// A value without mutable state: any thread may use it, and a copy shares the samples.
public struct ClipBank: Sendable {
    /// Longest clip that is accepted, in seconds: a guard against a file of hours, not a limit on speech.
    public static let longestClip = 60

    /// Frames per second of every clip in the bank.
    public let rate: Int
    let samples: [Int16]
    /// Where each clip begins in `samples`, and the end of the last.
    let bounds: [Int]
    /// Where each ``ClipPlan/Tone`` is in `samples`, by its raw value.
    let tones: [Range<Int>]

    /// How many clips there are.
    public var count: Int { bounds.count - 1 }

    /// Decodes every file, and resamples it where the rates differ. Any thread.
    ///
    /// The samples pass through bit for bit where the rates are equal and the file has 16 bits. libsndfile's
    /// `sf_readf_float`; libsamplerate's `src_simple` with the medium sinc filter (121 dB signal to noise, flat to 90 %
    /// of the band: more than 16 bits hold, in a third of the best one's time). That takes twenty times as long as
    /// decoding, so the one ratio that nearly every box needs, 24000 to 48000 Hz, has a filter of its own.
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
            last += Self.frames(try Self.check(file, sourceRate: sourceRate), from: sourceRate, to: rate)
            bounds.append(last)
        }
        let tones = ClipPlan.Tone.allCases.map { $0.samples(rate: rate) }
        var places: [Range<Int>] = []
        for tone in tones {
            let start = places.last?.upperBound ?? last
            places.append(start..<start + tone.count)
        }
        var samples = [Int16](repeating: 0, count: places.last?.upperBound ?? last)
        for (tone, place) in zip(tones, places) {
            samples.withUnsafeMutableBufferPointer { Self.convert(tone, to: $0, at: place.lowerBound) }
        }
        for (index, name) in files.enumerated() {
            let file = try SoundFile(reading: "\(folder)/\(name)")
            var decoded = try file.readAll()
            let frames = bounds[index + 1] - bounds[index]
            if rate == 2 * sourceRate {
                decoded = Doubler.double(decoded)
            } else if sourceRate != rate {
                decoded = try Self.resample(decoded, from: sourceRate, to: rate, count: frames, of: file.path)
            }
            guard decoded.count == frames else {
                throw ClipError(file: file.path, problem: .cutShort(frames: decoded.count, expected: frames))
            }
            samples.withUnsafeMutableBufferPointer { Self.convert(decoded, to: $0, at: bounds[index]) }
        }
        self.rate = rate
        self.samples = samples
        self.bounds = bounds
        self.tones = places
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

    /// Floats of full scale 1 as 16 bits: rounded to the nearest and saturated. `src_float_to_short_array`.
    static func convert(_ floats: [Float], to samples: UnsafeMutableBufferPointer<Int16>, at start: Int) {
        guard let base = samples.baseAddress else { return }
        src_float_to_short_array(floats, base + start, Int32(clamping: floats.count))
    }

    private static func check(_ file: borrowing SoundFile, sourceRate: Int) throws(ClipError) -> Int {
        func refuse(_ problem: ClipError.Problem) -> ClipError { ClipError(file: file.path, problem: problem) }
        guard file.channels == 1 else { throw refuse(.channels(file.channels)) }
        guard file.rate == sourceRate else { throw refuse(.rate(file.rate, expected: sourceRate)) }
        guard file.frames > 0 else { throw refuse(.empty) }
        guard file.frames <= longestClip * sourceRate else { throw refuse(.tooLong(seconds: file.frames / sourceRate)) }
        return file.frames
    }

    /// How many frames a clip has at another rate, rounded to the nearest.
    private static func frames(_ count: Int, from source: Int, to rate: Int) -> Int {
        max(1, (count * rate + source / 2) / source)
    }

    private static func resample(
        _ input: [Float], from source: Int, to rate: Int, count: Int, of file: String
    ) throws(ClipError) -> [Float] {
        var output = [Float](repeating: 0, count: count)
        let code = input.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                var data = SRC_DATA()
                data.data_in = input.baseAddress
                data.data_out = output.baseAddress
                data.input_frames = input.count
                data.output_frames = output.count
                data.src_ratio = Double(rate) / Double(source)
                return src_simple(&data, Int32(SRC_SINC_MEDIUM_QUALITY), 1)
            }
        }
        guard code == 0 else {
            throw ClipError(
                file: file, problem: .resampling(code: code, text: String(cString: src_strerror(code))))
        }
        return output
    }
}
