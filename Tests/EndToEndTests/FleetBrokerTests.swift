import Foundation
import SoundboxMQTT
import TestBroker
import Testing

/// The broker configuration that is shipped: what a box may do with it, and what it may not.
@Suite(.timeLimit(.minutes(5)))
struct FleetBrokerTests {
    /// A mosquitto with the shipped files, moved to a folder and a port of the test's own.
    private final class FleetBroker {
        let port: UInt16
        let certificates: Certificates
        private let folder: URL
        private let process = Process()

        init(users: [String]) throws {
            folder = try temporaryFolder("fleet")
            port = try freePort()
            certificates = try Certificates(for: "127.0.0.1")
            let shipped = Daemon.root.appendingPathComponent("config/mosquitto")
            func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
            for (from, to) in [
                (certificates.authority, "ca.crt"), (certificates.certificate, "server.crt"),
                (certificates.key, "server.key"), (shipped.appendingPathComponent("acl").path, "acl"),
            ] { try FileManager.default.copyItem(atPath: from, toPath: path(to)) }
            for name in ["server.key", "acl"] {
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path(name))
            }
            try Data().write(to: URL(fileURLWithPath: path("passwords")))
            for user in users { try run("mosquitto_passwd", "-b", path("passwords"), user, "pw-\(user)") }
            var text = try String(contentsOf: shipped.appendingPathComponent("soundbox.conf"), encoding: .utf8)
                .replacingOccurrences(of: "/etc/mosquitto/soundbox", with: folder.path)
                .replacingOccurrences(of: "listener 8883", with: "listener \(port) 127.0.0.1")
            text += "persistence_location \(folder.path)/\nlog_dest file \(path("log"))\n"
            if getuid() == 0 { text += "user root\n" }
            try text.write(toFile: path("mosquitto.conf"), atomically: true, encoding: .utf8)
            process.executableURL = try tool("mosquitto")
            process.arguments = ["-c", path("mosquitto.conf")]
            process.standardError = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            try withSignalsUnblocked { try process.run() }
        }

        deinit {
            process.terminate()
            process.waitUntilExit()
            try? FileManager.default.removeItem(at: folder)
        }
    }

    /// Somebody at the broker, with what he was sent.
    private final class Visitor {
        let log = EventLog<MQTTEvent>()
        let client: MQTTClient

        init(_ broker: FleetBroker, as user: String, password: String? = nil, topics: [String] = []) throws {
            var settings = MQTTClient.Settings(host: "127.0.0.1", port: broker.port, clientID: "\(user)-test")
            settings.username = user
            settings.password = password ?? "pw-\(user)"
            settings.caFile = broker.certificates.authority
            settings.cleanSession = true
            settings.subscriptions = topics.map { MQTTSubscription($0) }
            settings.backOff = 5...50
            let (log, box) = (log, Box())
            client = try MQTTClient(settings) { event in
                log.append(event)
                if case .batch(let batch) = event { box.client?.release(batch: batch) }
            }
            box.client = client
            try client.start()
        }

        private final class Box: @unchecked Sendable { weak var client: MQTTClient? }

        deinit { client.stop() }

        func awaitSubscribed() throws {
            try log.wait { $0.contains { if case .subscribed = $0 { true } else { false } } ? true : nil }
        }

        func publish(_ topic: String) throws {
            let ticket = try client.publish(MQTTPublication(topic: topic, payload: Array(topic.utf8)))
            try log.wait { $0.contains { if case .published(ticket) = $0 { true } else { false } } ? true : nil }
        }

        /// The topics of the messages so far, once so many of them are on this topic.
        func awaitTopics(until last: String, times: Int = 1) throws -> [String] {
            try log.wait { events in
                let topics = events.compactMap { if case .message(let message) = $0 { message.topic } else { nil } }
                return topics.count { $0 == last } >= times ? topics : nil
            }
        }
    }

    private static let inbound = ["pay", "cmd", "config/set", "pack/set"]
    private static let outbound = ["receipt", "cmd/reply", "config/state", "pack/state", "status", "telemetry"]

    @Test("A box reads what is meant for it and nothing else, whatever it subscribes to")
    func reading() throws {
        let broker = try FleetBroker(users: ["backend", "b1", "b2"])
        let backend = try Visitor(broker, as: "backend")
        let box = try Visitor(broker, as: "b1", topics: ["#", "soundbox/b2/pay", "$SYS/#"])
        try box.awaitSubscribed()
        for name in ["b1", "b2"] {
            for topic in Self.inbound + Self.outbound { try backend.publish("soundbox/\(name)/\(topic)") }
        }
        for topic in ["soundbox/all/cmd", "soundbox/group/g/cmd", "soundbox/b1", "other", "soundbox/b1/pay/x"] {
            try backend.publish(topic)
        }
        try backend.publish("soundbox/b1/pay")
        try backend.publish("soundbox/all/cmd")
        let mine = Self.inbound.map { "soundbox/b1/\($0)" } + ["soundbox/b1/status"]
        let heard = try box.awaitTopics(until: "soundbox/all/cmd", times: 2)
        #expect(Set(heard) == Set(mine + ["soundbox/all/cmd", "soundbox/group/g/cmd"]))
    }

    @Test("A box writes its own answers and nothing else: no payment, no command, no other box's receipt")
    func writing() throws {
        let broker = try FleetBroker(users: ["backend", "b1", "b2"])
        let backend = try Visitor(broker, as: "backend", topics: ["soundbox/#"])
        try backend.awaitSubscribed()
        let box = try Visitor(broker, as: "b1")
        let forbidden =
            Self.inbound.flatMap { ["soundbox/b1/\($0)", "soundbox/b2/\($0)"] }
            + Self.outbound.map { "soundbox/b2/\($0)" }
            + ["soundbox/all/cmd", "soundbox/group/g/cmd", "soundbox/b1/x"]
        for topic in forbidden { try box.publish(topic) }
        for topic in Self.outbound { try box.publish("soundbox/b1/\(topic)") }
        try backend.publish("soundbox/end")
        let heard = try backend.awaitTopics(until: "soundbox/end")
        #expect(Set(heard) == Set(Self.outbound.map { "soundbox/b1/\($0)" } + ["soundbox/end"]))
    }

    @Test("Nobody comes in without a password, with a wrong one, or without TLS")
    func entering() throws {
        let broker = try FleetBroker(users: ["backend", "b1"])
        let wrong = try Visitor(broker, as: "b1", password: "pw-b2")
        let unknown = try Visitor(broker, as: "b9")
        for visitor in [wrong, unknown] {
            try visitor.log.wait { $0.contains { if case .refused = $0 { true } else { false } } ? true : nil }
        }
        var settings = MQTTClient.Settings(host: "127.0.0.1", port: broker.port, clientID: "plain")
        settings.username = "b1"
        settings.password = "pw-b1"
        settings.backOff = 5...50
        let log = EventLog<MQTTEvent>()
        let plain = try MQTTClient(settings) { log.append($0) }
        try plain.start()
        defer { plain.stop() }
        // The port is open since others were answered: what is refused is a word without TLS.
        try log.wait { $0.contains { if case .disconnected = $0 { true } else { false } } ? true : nil }
        #expect(!log.all.contains { if case .connected = $0 { true } else { false } })
    }

    @Test("The daemon works with what it is allowed")
    func daemon() throws {
        let broker = try FleetBroker(users: ["backend", "b1"])
        let daemon = try Daemon(port: broker.port)
        let password = daemon.folder.appendingPathComponent("password").path
        try "pw-b1\n".write(toFile: password, atomically: true, encoding: .utf8)
        let dropIns = "\(daemon.configuration).d"
        try FileManager.default.createDirectory(atPath: dropIns, withIntermediateDirectories: true)
        try """
        [broker]
        username = b1
        password_file = \(password)
        ca_file = \(broker.certificates.authority)

        """.write(toFile: "\(dropIns)/broker.conf", atomically: true, encoding: .utf8)
        // Until the broker listens there is nobody to ask.
        _ = try Visitor(broker, as: "backend", topics: ["soundbox/#"]).awaitSubscribed()
        let backend = try Backend(
            port: broker.port, username: "backend", password: "pw-backend", caFile: broker.certificates.authority)
        try daemon.start()
        try backend.status("online")
        try backend.pay(#"{"id":"n1","amount":"1"}"#)
        try backend.receipt("n1", "spoken")
        #expect(daemon.stop() == 0)
    }
}
