/// What was agreed with the sound device.
public struct PCMFormat: Equatable, Sendable, BitwiseCopyable, CustomStringConvertible {
    /// How the device wants a sample.
    public enum Sample: UInt8, Sendable, BitwiseCopyable, CaseIterable {
        /// Signed 16 bits. `SND_PCM_FORMAT_S16_LE`
        case s16
        /// Signed 32 bits. `SND_PCM_FORMAT_S32_LE`
        case s32
        /// Signed 24 bits in the lower part of four bytes. `SND_PCM_FORMAT_S24_LE`
        case s24
        /// Signed 24 bits in three bytes, as USB cards have it. `SND_PCM_FORMAT_S24_3LE`
        case s24In3
        /// Float of full scale 1. `SND_PCM_FORMAT_FLOAT_LE`
        case float

        /// Bytes of one sample.
        public var bytes: Int {
            switch self {
            case .s16: 2
            case .s24In3: 3
            case .s32, .s24, .float: 4
            }
        }
    }

    /// Frames per second.
    public var rate: Int
    /// Each gets the same sample.
    public var channels: Int
    /// How the device wants a sample.
    public var sample: Sample
    /// Frames between two interrupts of the device.
    public var period: Int
    /// Frames that the device holds.
    public var buffer: Int
    /// The device goes on by itself on silence, and an announcement can enter at any time; else a timer paces it.
    public var runsFree = false
    /// What the device was given and has not played can be taken back.
    public var rewinds = false
    /// The device tells its position by the period only, so that it may be one further than it says.
    public var isBatch = false

    /// One line for the log.
    public var description: String {
        "\(rate) Hz, \(channels) channel\(channels == 1 ? "" : "s"), \(sample), "
            + "buffer \(buffer) frames in periods of \(period), "
            + (runsFree ? "runs on silence" : "paced by a timer") + (rewinds ? ", rewinds" : "")
    }

    /// Whether both are the same device as far as can be seen, which then can do the same.
    func isSameSetup(as other: PCMFormat) -> Bool {
        var other = other
        other.runsFree = runsFree
        other.rewinds = rewinds
        return self == other
    }

    /// So many milliseconds in frames.
    func frames(milliseconds: Int) -> Int {
        milliseconds * rate / 1000
    }

    /// Writes mono frames as the device wants them: every channel the same, the value unchanged, from the top bit down.
    func convert(_ frames: UnsafeBufferPointer<Int16>, to bytes: UnsafeMutableRawPointer) {
        var place = bytes
        for index in 0..<frames.count {
            let frame = frames[index]
            for _ in 0..<channels {
                switch sample {
                case .s16: place.storeBytes(of: frame.littleEndian, as: Int16.self)
                case .s32: place.storeBytes(of: (Int32(frame) << 16).littleEndian, as: Int32.self)
                case .s24: place.storeBytes(of: (Int32(frame) << 8).littleEndian, as: Int32.self)
                case .s24In3:
                    place.storeBytes(of: 0, as: UInt8.self)
                    place.storeBytes(of: UInt8(truncatingIfNeeded: frame), toByteOffset: 1, as: UInt8.self)
                    place.storeBytes(of: UInt8(truncatingIfNeeded: frame >> 8), toByteOffset: 2, as: UInt8.self)
                case .float:
                    place.storeBytes(of: (Float(frame) / 32768).bitPattern.littleEndian, as: UInt32.self)
                }
                place += sample.bytes
            }
        }
    }
}
