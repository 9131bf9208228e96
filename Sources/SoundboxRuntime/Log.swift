import Glibc
import SoundboxCore
import SoundboxPlatform
import Synchronization

/// The log: one line an event to standard error, in journald's `<N>` form under systemd.
public final class Log: Sendable {
    private let level: Atomic<Int>
    private let isJournal: Bool

    /// A log of everything from `level` up. It is read by journald where `JOURNAL_STREAM` is set (systemd.exec(5)).
    public init(level: LogLevel = .info) {
        self.level = Atomic(level.severity)
        isJournal = Environment["JOURNAL_STREAM"] != nil
    }

    /// Changes how much is logged. Any thread.
    public func setLevel(_ level: LogLevel) {
        self.level.store(level.severity, ordering: .relaxed)
    }

    /// Writes one line. Any thread but the audio thread: it allocates, and standard error may block.
    public func write(_ level: LogLevel, _ text: String, notice: String? = nil) {
        guard level.severity <= self.level.load(ordering: .relaxed) else { return }
        let prefix = isJournal ? "<\(level.severity)>" : "\(SystemClock.wall.text) \(level.rawValue): "
        let line = prefix + Log.escaped(notice.map { "[\($0)] \(text)" } ?? text) + "\n"
        var bytes = Array(line.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }

    /// A notice's id is somebody's text: no control character of it may end the line or drive a terminal.
    public static func escaped(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        return text.unicodeScalars.reduce(into: "") { out, scalar in
            if isControl(scalar) {
                out += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                out.unicodeScalars.append(scalar)
            }
        }
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value) || scalar.value == 0x2028 || scalar.value == 0x2029
    }
}
