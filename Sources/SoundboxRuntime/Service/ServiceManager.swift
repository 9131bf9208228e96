import Glibc
import SoundboxPlatform

/// Tells systemd how the service is, by the notify socket of sd_notify(3): a datagram to `$NOTIFY_SOCKET`.
///
/// A plain socket, since libsystemd would bring six libraries along. Control thread.
struct ServiceManager {
    private let address: sockaddr_un?
    private let length: socklen_t

    /// How often the watchdog wants to be fed, in nanoseconds; nil without one. `$WATCHDOG_USEC`, where `$WATCHDOG_PID`
    /// is this process.
    let watchdogInterval: UInt64?

    init(environment: (String) -> String? = { Environment[$0] }) {
        (address, length) = ServiceManager.address(of: environment("NOTIFY_SOCKET") ?? "")
        let isOurs = environment("WATCHDOG_PID").map { Int32($0) == getpid() } ?? true
        let interval = environment("WATCHDOG_USEC").flatMap { UInt64($0) } ?? 0
        watchdogInterval = isOurs && interval > 0 ? interval.multipliedReportingOverflow(by: 1000).partialValue : nil
    }

    /// Sends lines like `READY=1`. Without a service manager nothing happens.
    func notify(_ state: String) {
        guard var address else { return }
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return }
        defer { close(socket) }
        let bytes = Array(state.utf8)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                _ = sendto(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL), address, length)
            }
        }
    }

    /// A path, or a name in the abstract namespace, which systemd writes with `@` for its leading zero byte.
    private static func address(of path: String) -> (sockaddr_un?, socklen_t) {
        var address = sockaddr_un()
        var bytes = Array(path.utf8)
        guard bytes.count > 1, bytes.count < MemoryLayout.size(ofValue: address.sun_path),
            bytes[0] == UInt8(ascii: "/") || bytes[0] == UInt8(ascii: "@")
        else { return (nil, 0) }
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        return (address, socklen_t(offset + bytes.count))
    }
}
