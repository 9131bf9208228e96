import CLinux
import Glibc

/// Signals as something to wait for in poll(2), instead of handlers that interrupt anything anywhere. signalfd(2).
public final class SignalDescriptor: Sendable {
    /// Readable while a signal waits.
    public let descriptor: Int32

    /// Blocks the signals in this thread, and so in every thread that it starts later. sigprocmask(2).
    public init(_ signals: [Int32]) throws(SystemError) {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        guard sigprocmask(SIG_BLOCK, &set, nil) == 0 else { throw SystemError("sigprocmask") }
        descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
        guard descriptor >= 0 else { throw SystemError("signalfd") }
    }

    deinit {
        close(descriptor)
    }

    /// The next signal that waits; nil where none does.
    public func take() -> Int32? {
        var information = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        guard read(descriptor, &information, size) == size else { return nil }
        return Int32(information.ssi_signo)
    }
}
