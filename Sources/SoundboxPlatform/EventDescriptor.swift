import CLinux
import Glibc

/// Wakes a thread that sleeps in poll(2): signals before a sleep are not lost, and several are one. eventfd(2).
public struct EventDescriptor: ~Copyable, Sendable {
    /// Readable while there is a signal that was not cleared.
    public let descriptor: Int32

    /// Closed on exec.
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

    /// Forgets the signals so far; true where there were any. Neither blocks nor allocates.
    @discardableResult
    public func clear() -> Bool {
        var count: UInt64 = 0
        return read(descriptor, &count, MemoryLayout<UInt64>.size) == MemoryLayout<UInt64>.size
    }

    /// Sleeps until a signal, or for so many milliseconds (negative: for ever), and forgets the signals; true where there
    /// were any. Allocates nothing.
    @discardableResult
    public func wait(milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, milliseconds)
        return clear()
    }
}
