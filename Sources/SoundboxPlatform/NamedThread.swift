import CLinux
import Glibc

/// A POSIX thread with a name that `top -H` shows.
public final class NamedThread: Sendable {
    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    private let thread: pthread_t

    /// Starts a thread. Signals that the caller has blocked are blocked in it, too. pthread_create(3).
    ///
    /// - Parameter name: at most 15 bytes.
    public init(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        var thread = pthread_t()
        let start = Unmanaged.passRetained(Start(name: name, body: body))
        let status = pthread_create(
            &thread, nil,
            { argument in
                guard let argument else { return nil }
                let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                soundbox_thread_set_name(start.name)
                start.body()
                return nil
            }, start.toOpaque())
        guard status == 0 else {
            start.release()
            throw SystemError("pthread_create \(name)", code: status)
        }
        self.thread = thread
    }

    /// Waits until the thread ends; false where it did not within so many milliseconds. Once, by the owner.
    /// pthread_timedjoin_np(3).
    public func join(milliseconds: Int) -> Bool {
        var deadline = timespec()
        clock_gettime(CLOCK_REALTIME, &deadline)
        let nanoseconds = deadline.tv_nsec + (milliseconds % 1000) * 1_000_000
        deadline.tv_sec += milliseconds / 1000 + nanoseconds / 1_000_000_000
        deadline.tv_nsec = nanoseconds % 1_000_000_000
        return soundbox_thread_timed_join(thread, &deadline) == 0
    }
}
