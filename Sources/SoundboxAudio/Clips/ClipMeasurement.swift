import Glibc

/// What can be measured of one recording.
public struct ClipMeasurement: Equatable, Sendable {
    /// Frames per second.
    public var rate: Int
    /// 1 for mono; of other files nothing more is measured.
    public var channels: Int
    /// Its length.
    public var frames: Int
    /// The mean of the samples, full scale 1: a constant that clicks where a clip begins and ends.
    public var offset = 0.0
    /// The longest run of samples at full scale.
    public var clippedRun = 0
    /// The highest peak between the samples too, in dBTP.
    public var truePeak = -Double.infinity
    /// Loudness in LUFS as if the clip were said over and over; nil for silence.
    public var loudness: Double?
    /// Milliseconds in front of the first sample that is not silence (``silence``), and behind the last.
    public var leadingSilence = 0.0
    /// See ``leadingSilence``.
    public var trailingSilence = 0.0
    /// The magnitude of the first and the last sample, full scale 1: the step at a join.
    public var firstStep = 0.0
    /// See ``firstStep``.
    public var lastStep = 0.0

    /// What counts as silence: −60 dBFS, under the noise of any counter and over that of any recording worth its
    /// name.
    public static let silence: Float = 0.001

    /// Measures a file, in whatever format libsndfile knows. Any thread.
    ///
    /// - Throws: ``ClipError`` where the file cannot be read.
    public init(of path: String) throws(ClipError) {
        let file = try SoundFile(reading: path)
        rate = file.rate
        channels = file.channels
        frames = file.frames
        guard channels == 1, frames > 0, frames <= ClipBank.longestClip * rate else { return }
        let samples = try file.readAll()
        measure(samples)
        guard let meter = LoudnessMeter(rate: rate, truePeak: true), meter.add(samples) else { return }
        truePeak = 20 * log10(meter.truePeak)
        // A block of the meter is 400 ms, longer than many a clip: a second or more of repetition fills it.
        guard let meter = LoudnessMeter(rate: rate) else { return }
        for _ in 0...rate / samples.count where !meter.add(samples) { return }
        loudness = meter.loudness
    }

    private mutating func measure(_ samples: [Float]) {
        var sum = 0.0
        var run = 0
        // The largest 16-bit value below full scale.
        let fullScale: Float = 32_767.0 / 32_768.0
        for sample in samples {
            sum += Double(sample)
            run = abs(sample) >= fullScale ? run + 1 : 0
            clippedRun = max(clippedRun, run)
        }
        offset = sum / Double(samples.count)
        let isHeard: (Float) -> Bool = { abs($0) > Self.silence }
        let first = samples.firstIndex(where: isHeard) ?? samples.count
        let last = samples.lastIndex(where: isHeard) ?? -1
        leadingSilence = Double(first) * 1000 / Double(rate)
        trailingSilence = Double(samples.count - 1 - last) * 1000 / Double(rate)
        firstStep = Double(abs(samples.first ?? 0))
        lastStep = Double(abs(samples.last ?? 0))
    }
}

extension ClipBank {
    /// The loudness of rendered samples in LUFS, gated as ITU-R BS.1770 has it; nil for less than 400 ms or silence. Any
    /// thread.
    public func loudness(of samples: [Int16]) -> Double? {
        guard let meter = LoudnessMeter(rate: rate), meter.add(samples) else { return nil }
        return meter.loudness
    }
}
