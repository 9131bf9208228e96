import CLinux
import Glibc

/// A POSIX thread with a name, as `ps -L` and `top -H` show it.
///
/// It takes no signals, so that SIGTERM reaches the thread that waits for it, and a write to a closed socket is EPIPE and
/// not SIGPIPE (libmosquitto writes with write(2)). Faults stay deliverable, for the backtrace.
public struct NamedThread: ~Copyable, Sendable {
    private let thread: pthread_t

    /// Starts a thread. pthread_create(3).
    ///
    /// - Parameters:
    ///   - name: at most 15 bytes.
    ///   - body: runs on the new thread, which is alone with what it holds.
    public init(_ name: String, _ body: @escaping @Sendable () -> Void) throws(SystemError) {
        var blocked = sigset_t()
        var before = sigset_t()
        sigfillset(&blocked)
        for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&blocked, fault) }
        pthread_sigmask(SIG_SETMASK, &blocked, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
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

    /// Waits until the thread has ended. pthread_join(3).
    public consuming func join() {
        pthread_join(thread, nil)
    }

    /// Lets the thread end by itself. pthread_detach(3).
    public consuming func detach() {
        pthread_detach(thread)
    }

    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }
}
