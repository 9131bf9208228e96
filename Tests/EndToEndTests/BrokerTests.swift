import Foundation
import SoundboxCore
import TestBroker
import Testing

/// The broker comes and goes, refuses, and is far away.
@Suite(.timeLimit(.minutes(5)))
struct BrokerTests {
    @Test(
        "A broker that is away at the start, and again later, is told once each time, and the box speaks when it is back"
    )
    func comesAndGoes() throws {
        let broker = try Broker()
        broker.stop()
        let daemon = try Daemon(port: broker.port)
        try daemon.start()
        try daemon.awaitLog("no broker: ", times: 1)
        try broker.start()
        let backend = try Backend(port: broker.port)
        try backend.status("online")
        broker.kill()
        try daemon.awaitLog("no broker: ", times: 2)
        try broker.start()
        try daemon.awaitLog("connected to the broker", times: 2)
        try backend.pay(#"{"id":"n1","amount":"1"}"#)
        try backend.receipt("n1", "spoken")
        #expect(daemon.count("no broker: ") == 2)
    }

    @Test("What was published while the box was away is spoken when it is back")
    func persistentSession() throws {
        let broker = try Broker()
        let daemon = try Daemon(port: broker.port)
        let backend = try Backend(port: broker.port)
        try daemon.start()
        try backend.status("online")
        daemon.stop()
        try backend.status("offline")
        for id in 1...3 { try backend.pay(#"{"id":"n\#(id)","amount":"0.0\#(id)"}"#) }
        try daemon.start()
        for id in 1...3 { try backend.receipt("n\(id)", "spoken") }
    }

    @Test("SIGTERM ends it within two seconds, also while it tries a broker that never answers")
    func endsWhileConnecting() throws {
        let listener = try Listener()
        let daemon = try Daemon(port: listener.port)
        try daemon.start()
        try daemon.awaitLog("soundbox ", times: 1)
        let begin = Date()
        #expect(daemon.stop() == 0)
        // The bound is a promise to systemd and to whoever pulls the plug next.
        #expect(Date().timeIntervalSince(begin) < 2)
    }

    @Test("A name and password from a file are used over TLS; a wrong password is refused in the log, and never shown")
    func credentials() throws {
        let certificates = try Certificates(for: "127.0.0.1")
        var options = Broker.Options()
        options.users = ["box": "s3cret word"]
        options.tls = certificates
        let broker = try Broker(options)
        let daemon = try Daemon(port: broker.port)
        let password = daemon.folder.appendingPathComponent("password").path
        try daemon.add(
            "[broker]", "username = box", "password_file = \(password)", "ca_file = \(certificates.authority)")
        try "s3cret wrong\n".write(toFile: password, atomically: true, encoding: .utf8)
        try daemon.start()
        try daemon.awaitLog("broker refused: ", times: 1)
        daemon.stop()
        try "s3cret word\n".write(toFile: password, atomically: true, encoding: .utf8)
        try daemon.start()
        let backend = try Backend(
            port: broker.port, username: "box", password: "s3cret word", caFile: certificates.authority)
        try backend.status("online")
        try backend.pay(#"{"id":"n1","amount":"1"}"#)
        try backend.receipt("n1", "spoken")
        #expect(!daemon.log.contains("s3cret"))
    }

    @Test("A subscription that the broker refuses is an error in the status, never silence")
    func refusedSubscription() throws {
        // The second of the three: the box's own commands.
        let broker = try FakeBroker(subscribeCodes: [1, 0x80, 1])
        let daemon = try Daemon(port: broker.port)
        try daemon.start()
        let status = try broker.published.wait { messages in
            messages.last { $0.hasPrefix("soundbox/b1/status ") && $0.contains("subscription to soundbox/b1/cmd") }
        }
        #expect(status.contains(#""problems":{"broker":"subscription to soundbox/b1/cmd"}"#))
        #expect(daemon.log.contains("error: broker refused: subscription to soundbox/b1/cmd"))
    }

    @Test("The service manager hears when the box is ready, that its threads live, and when it stops")
    func serviceManager() throws {
        let broker = try Broker()
        let daemon = try Daemon(port: broker.port)
        let path = daemon.folder.appendingPathComponent("notify").path
        let socket = try NotifySocket(path: path)
        try daemon.start(environment: ["NOTIFY_SOCKET": path, "WATCHDOG_USEC": "400000"])
        #expect(socket.next() == "READY=1")
        for _ in 0..<3 { #expect(socket.next() == "WATCHDOG=1") }
        daemon.stop()
        var last = socket.next()
        while last == "WATCHDOG=1" { last = socket.next() }
        #expect(last == "STOPPING=1")
    }

    @Test("Under systemd each line of the log carries its priority")
    func journalPriorities() throws {
        let broker = try Broker()
        let daemon = try Daemon(port: broker.port)
        try daemon.start(environment: ["JOURNAL_STREAM": "1:2"])
        try daemon.awaitLog("connected to the broker", times: 1)
        let backend = try Backend(port: broker.port)
        try backend.pay(#"{"id":"n\n1","amount":"x"}"#)
        try backend.receipt("n\n1", "rejected")
        #expect(daemon.log.split(separator: "\n").allSatisfy { $0.first == "<" && $0.dropFirst(2).first == ">" })
        #expect(daemon.log.contains("<4>[n\\u{a}1] rejected: amount-malformed\n"))
    }

}

/// systemd's end of the notify socket.
final class NotifySocket {
    private let socket: Int32

    init(path: String) throws {
        socket = Foundation.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard status == 0 else { throw DaemonError(description: "bind \(path): \(errno)") }
    }

    deinit {
        close(socket)
    }

    /// Waits for the next message.
    func next() -> String {
        var buffer = [UInt8](repeating: 0, count: 256)
        let count = recv(socket, &buffer, buffer.count, 0)
        return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
    }
}
