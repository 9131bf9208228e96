import CSndFile

/// An open file of sound: an `SNDFILE *` that closes itself.
///
/// Used by one thread at a time; libsndfile keeps the text of a failed open in one place for the whole process.
struct SoundFile: ~Copyable {
    let path: String
    let frames: Int
    let channels: Int
    let rate: Int
    private let handle: OpaquePointer

    /// Opens a file to read, in whatever format libsndfile knows. `sf_open`.
    init(reading path: String) throws(ClipError) {
        var info = SF_INFO()
        guard let handle = sf_open(path, Int32(SFM_READ), &info) else { throw Self.openError(path) }
        self.path = path
        self.handle = handle
        frames = Int(info.frames)
        channels = Int(info.channels)
        rate = Int(info.samplerate)
    }

    /// Creates a 16-bit WAV file, or replaces it. `sf_open`.
    init(writingWAV path: String, channels: Int, rate: Int) throws(ClipError) {
        var info = SF_INFO()
        info.channels = Int32(clamping: channels)
        info.samplerate = Int32(clamping: rate)
        info.format = Int32(SF_FORMAT_WAV | SF_FORMAT_PCM_16)
        guard let handle = sf_open(path, Int32(SFM_WRITE), &info) else { throw Self.openError(path) }
        self.path = path
        self.handle = handle
        self.channels = channels
        self.rate = rate
        frames = 0
    }

    deinit {
        sf_close(handle)
    }

    /// Reads every frame of a mono file, as floats of full scale 1. `sf_readf_float`.
    ///
    /// Float carries 24 bits exactly, so one path serves 16-bit, 24-bit and lossy files.
    func readAll() throws(ClipError) -> [Float] {
        var samples = [Float](repeating: 0, count: frames)
        let count = samples.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { Int(sf_readf_float(handle, $0, sf_count_t(buffer.count))) } ?? 0
        }
        guard count == frames else {
            if sf_error(handle) != 0 { throw error() }
            throw ClipError(file: path, problem: .cutShort(frames: count, expected: frames))
        }
        return samples
    }

    /// Writes mono frames behind those already written. `sf_writef_short`.
    func write(_ samples: [Int16]) throws(ClipError) {
        guard sf_writef_short(handle, samples, sf_count_t(samples.count)) == sf_count_t(samples.count) else {
            throw error()
        }
    }

    /// Puts header and samples on their way to the disk, so that a full disk is an error here and not silence in
    /// `deinit`. `sf_write_sync` itself reports nothing.
    func flush() throws(ClipError) {
        sf_command(handle, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
        sf_write_sync(handle)
        if sf_error(handle) != 0 { throw error() }
    }

    private func error() -> ClipError {
        ClipError(
            file: path, problem: .file(code: sf_error(handle), text: String(cString: sf_strerror(handle))))
    }

    private static func openError(_ path: String) -> ClipError {
        ClipError(file: path, problem: .file(code: sf_error(nil), text: String(cString: sf_strerror(nil))))
    }
}
