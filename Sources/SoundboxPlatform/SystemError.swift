import Glibc

/// A failed system call.
public struct SystemError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was tried, and on what: `open /etc/soundbox/soundbox.conf`.
    public var operation: String
    /// The errno.
    public var code: Int32

    /// The error of a call that has just failed.
    public init(_ operation: String, code: Int32 = errno) {
        self.operation = operation
        self.code = code
    }

    /// `open /etc/soundbox/soundbox.conf: No such file or directory`
    public var description: String { "\(operation): \(SystemError.text(code))" }

    /// The message of an errno. strerror_r(3), since strerror(3) is one buffer for all threads.
    public static func text(_ code: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let base = buffer.baseAddress, strerror_r(code, base, buffer.count) == 0 else {
                return "error \(code)"
            }
            return String(cString: base)
        }
    }
}
