import CALSA

/// A call on the sound device that failed: what was tried, and the code it gave.
public struct PCMError: Error, Equatable, BitwiseCopyable, CustomStringConvertible {
    /// What was tried.
    public enum Operation: UInt8, Sendable, BitwiseCopyable {
        /// `snd_pcm_open`
        case open
        /// `snd_pcm_hw_params`, `snd_pcm_sw_params` and what they choose from
        case configure
        /// `snd_pcm_avail_delay`
        case status
        /// `snd_pcm_writei`
        case write
        /// `snd_pcm_rewind`
        case rewind
        /// `snd_pcm_forward`
        case forward
        /// `snd_pcm_prepare`
        case prepare
        /// `snd_pcm_drop`
        case drop
        /// `snd_pcm_resume`
        case resume
        /// The device takes or plays nothing any more, without an error of its own.
        case progress
        /// `pthread_create`
        case thread
        /// `eventfd`
        case wakeUp
    }

    /// What was tried.
    public var operation: Operation
    /// The error's number, positive, as in errno.h.
    public var code: Int32

    init(_ operation: Operation, _ code: Int32) {
        self.operation = operation
        self.code = abs(code)
    }

    /// One line: the operation, and `snd_strerror`'s text.
    public var description: String {
        "\(operation): \(String(cString: snd_strerror(-code)))"
    }
}
