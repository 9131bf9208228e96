/// Files of sound that the box writes.
public enum WAVFile {
    /// Writes a mono WAV file of 16 bits, replacing what is there. Any thread.
    ///
    /// - Parameters:
    ///   - samples: one sample per frame.
    ///   - rate: frames per second.
    /// - Throws: ``ClipError`` with the file and libsndfile's reason.
    public static func write(_ samples: [Int16], rate: Int, to path: String) throws(ClipError) {
        let file = try SoundFile(writingWAV: path, channels: 1, rate: rate)
        try file.write(samples)
        try file.flush()
    }
}
