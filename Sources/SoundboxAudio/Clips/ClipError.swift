/// Why a recording cannot be used, or a file of sound cannot be written: the file, and what is wrong with it.
public struct ClipError: Error, Equatable, CustomStringConvertible {
    /// What is wrong.
    public enum Problem: Equatable, Sendable {
        /// libsndfile cannot open, read or write the file: `sf_error`'s code and its text.
        case file(code: Int32, text: String)
        /// Clips are mono; this file has so many channels.
        case channels(Int)
        /// The file's rate in Hz is not the one that the pack promises.
        case rate(Int, expected: Int)
        /// There is not one frame in it.
        case empty
        /// It is longer than ``ClipBank/longestClip`` seconds.
        case tooLong(seconds: Int)
        /// The header promises more frames than there are.
        case cutShort(frames: Int, expected: Int)
        /// A plan names a clip that the bank does not have: it belongs to another voice pack.
        case unknownClip(Int)
    }

    /// The file's path; empty where no file is concerned.
    public var file: String
    /// What is wrong with it.
    public var problem: Problem

    /// One line for a person: the file, and why.
    public var description: String {
        let reason =
            switch problem {
            case .file(_, let text): text
            case .channels(let count): "has \(count) channels; a clip must be mono"
            case .rate(let rate, let expected): "has \(rate) Hz; the pack says \(expected) Hz"
            case .empty: "is empty"
            case .tooLong(let seconds): "lasts \(seconds) s; a clip may last \(ClipBank.longestClip) s"
            case .cutShort(let frames, let expected): "is cut short: \(frames) of \(expected) frames"
            case .unknownClip(let index): "clip \(index) is not in this voice pack"
            }
        return file.isEmpty ? reason : "\(file): \(reason)"
    }
}
