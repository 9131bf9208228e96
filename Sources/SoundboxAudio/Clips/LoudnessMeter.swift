import CEbur128

/// A meter of loudness and true peak after ITU-R BS.1770 and EBU R 128: an `ebur128_state *` that frees itself.
///
/// A mono programme is read as one channel (not as the same sound from two speakers, which would be 3 LU more). One
/// thread at a time. `ebur128_init`, for one channel.
struct LoudnessMeter: ~Copyable {
    private let state: UnsafeMutablePointer<ebur128_state>

    /// A meter for mono sound; nil where there is no memory for it.
    ///
    /// - Parameter truePeak: whether that is measured too, which takes four times as long.
    init?(rate: Int, truePeak: Bool = false) {
        let mode = (truePeak ? EBUR128_MODE_TRUE_PEAK.rawValue : 0) | EBUR128_MODE_I.rawValue
        guard let state = ebur128_init(1, UInt(rate), Int32(bitPattern: mode)) else { return nil }
        self.state = state
    }

    deinit {
        var state: UnsafeMutablePointer<ebur128_state>? = state
        ebur128_destroy(&state)
    }

    /// Takes more samples, full scale 1. `ebur128_add_frames_float`; false where there is no memory.
    func add(_ samples: [Float]) -> Bool {
        ebur128_add_frames_float(state, samples, samples.count) == Int32(EBUR128_SUCCESS.rawValue)
    }

    /// Takes more samples of 16 bits. `ebur128_add_frames_short`; false where there is no memory.
    func add(_ samples: [Int16]) -> Bool {
        ebur128_add_frames_short(state, samples, samples.count) == Int32(EBUR128_SUCCESS.rawValue)
    }

    /// The gated loudness of all samples in LUFS; nil for less than 400 ms, or for silence. `ebur128_loudness_global`.
    var loudness: Double? {
        var value = 0.0
        guard ebur128_loudness_global(state, &value) == Int32(EBUR128_SUCCESS.rawValue), value.isFinite else {
            return nil
        }
        return value
    }

    /// The highest peak between the samples too, in full scale; four times oversampled below 96 kHz.
    /// `ebur128_true_peak`.
    var truePeak: Double {
        var value = 0.0
        ebur128_true_peak(state, 0, &value)
        return value
    }
}
