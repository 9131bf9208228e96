import Foundation
import Glibc
import TestSupport
import Testing

@testable import SoundboxRuntime

struct ServiceManagerTests {
    /// A datagram socket like systemd's, at a path or at a name in the abstract namespace.
    private func listen(at name: String) throws -> Int32 {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(2 + bytes.count)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(socket, $0, length) }
        }
        try #require(status == 0)
        return socket
    }

    @Test("Readiness reaches the notify socket, at a path and in the abstract namespace", arguments: [true, false])
    func notify(isAbstract: Bool) throws {
        let folder = try TemporaryFolder()
        let name = isAbstract ? "@soundbox-test-\(UUID().uuidString)" : "\(folder.path)/notify"
        let socket = try listen(at: name)
        defer { close(socket) }
        ServiceManager { $0 == "NOTIFY_SOCKET" ? name : nil }.notify("READY=1")
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        #expect(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) == "READY=1")
    }

    @Test(
        "Without a service manager, and with a name that is none, nothing happens",
        arguments: ["", "x", "relative/path"])
    func noManager(name: String) {
        let manager = ServiceManager { $0 == "NOTIFY_SOCKET" ? name : nil }
        manager.notify("READY=1")
        #expect(manager.watchdogInterval == nil)
    }

    @Test("The watchdog is this process's or nobody's")
    func watchdogInterval() {
        func interval(_ environment: [String: String]) -> UInt64? {
            ServiceManager { environment[$0] }.watchdogInterval
        }
        #expect(interval(["WATCHDOG_USEC": "30000000"]) == 30_000_000_000)
        #expect(interval(["WATCHDOG_USEC": "1000", "WATCHDOG_PID": "\(getpid())"]) == 1_000_000)
        #expect(interval(["WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"]) == nil)
        #expect(interval(["WATCHDOG_USEC": "soon"]) == nil)
        #expect(interval(["WATCHDOG_USEC": "0"]) == nil)
    }

    @Test("The watchdog is fed only while every thread has come by since the last time")
    func watchdog() {
        var watchdog = Watchdog(interval: 4000)
        /// The times between looks are of no matter here.
        func look(_ beats: [UInt64]) -> Bool { watchdog.look(beats, at: 10) }
        #expect(watchdog.deadline == 0)
        let first = look([1, 1, 1])
        #expect(first && watchdog.deadline == 1010)
        let second = look([2, 2, 2])
        #expect(second)
        for stuck in 0..<3 {
            var beats: [UInt64] = [3, 3, 3]
            beats[stuck] = 2
            let isFed = look(beats)
            #expect(!isFed, "thread \(stuck) is stuck")
        }
        let last = look([3, 3, 3])
        #expect(last)
        #expect(Watchdog(interval: nil).deadline == .max)
    }

    @Test("No control character of somebody's text ends a log line")
    func log() {
        #expect(Log.escaped("支付宝 ok") == "支付宝 ok")
        #expect(Log.escaped("a\nb\u{1B}[2J\u{85}\u{2028}") == "a\\u{a}b\\u{1b}[2J\\u{85}\\u{2028}")
    }
}
