import Glibc

/// A lock on a file that one process at a time holds, until the value or the process ends, however it ends.
/// fcntl(2), F_SETLK. The file must not be opened by anything else in this process: closing that would end the lock.
public struct ProcessLock: ~Copyable {
    /// Why the lock was not taken.
    public enum Refusal: Error, Equatable {
        /// Another process has it: this one, or one that is hidden from us (0).
        case held(by: Int32)
        /// The file cannot be made, or not be locked.
        case system(SystemError)
    }

    private let descriptor: Int32

    /// Takes the lock, making the file where there is none; does not wait.
    public init(_ path: String) throws(Refusal) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .system(SystemError("open \(path)")) }
        var lock = ProcessLock.whole
        guard fcntl(descriptor, F_SETLK, &lock) == 0 else {
            let code = errno
            close(descriptor)
            guard code == EACCES || code == EAGAIN else { throw .system(SystemError("lock \(path)", code: code)) }
            throw .held(by: ProcessLock.holder(of: path) ?? 0)
        }
    }

    deinit {
        close(descriptor)
    }

    /// The process that holds the lock of this file; nil where none does, or nobody may look. fcntl(2), F_GETLK.
    public static func holder(of path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var lock = whole
        guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return nil }
        return lock.l_pid
    }

    private static var whole: flock {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        return lock
    }
}
