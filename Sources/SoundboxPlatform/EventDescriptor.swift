import CLinux
import Glibc

/// A counter that one thread raises and another sleeps on in poll(2). eventfd(2).
public final class EventDescriptor: Sendable {
    /// Readable while the counter is raised.
    public let descriptor: Int32

    /// A new counter, closed on exec.
    public init() throws(SystemError) {
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard descriptor >= 0 else { throw SystemError("eventfd") }
    }

    deinit {
        close(descriptor)
    }

    /// Wakes the sleeper. Any thread; neither blocks nor allocates.
    public func signal() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    /// Lowers the counter, so that the next sleep lasts until the next signal. Neither blocks nor allocates.
    public func clear() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
