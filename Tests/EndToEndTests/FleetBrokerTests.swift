import Foundation
import SoundboxMQTT
import TestBroker
import Testing

/// The broker configuration that is shipped: what a box may do with it, and what it may not.
@Suite(.timeLimit(.minutes(5)))
struct FleetBrokerTests {
    private let certificates: Certificates

    init() throws {
        certificates = try Certificates(for: "127.0.0.1")
    }

    /// A mosquitto with the shipped files, moved to a folder and a port of the test's own.
    private func fleetBroker(users: [String]) throws -> Broker {
        try Broker { folder, port in
            let shipped = Daemon.root.appendingPathComponent("config/mosquitto")
            func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
            for (from, to) in [
                (certificates.authority, "ca.crt"), (certificates.certificate, "server.crt"),
                (certificates.key, "server.key"), (shipped.appendingPathComponent("acl").path, "acl"),
            ] { try FileManager.default.copyItem(atPath: from, toPath: path(to)) }
            for name in ["server.key", "acl"] {
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path(name))
            }
            try Broker.writePasswords(Dictionary(uniqueKeysWithValues: users.map { ($0, "pw-\($0)") }), in: folder)
            let text = try String(contentsOf: shipped.appendingPathComponent("soundbox.conf"), encoding: .utf8)
            return [
                text.replacingOccurrences(of: "/etc/mosquitto/soundbox", with: folder.path)
                    .replacingOccurrences(of: "listener 8883", with: "listener \(port) 127.0.0.1")
            ]
        }
    }

    /// Somebody at the broker, with what he was sent.
    private func visitor(
        _ broker: Broker, as user: String, password: String? = nil, topics: [String] = []
    ) throws -> Party {
        var settings = MQTTClient.Settings.peer(broker.port, id: "\(user)-test", topics: topics)
        settings.username = user
        settings.password = password ?? "pw-\(user)"
        settings.caFile = certificates.authority
        return try Party(settings)
    }

    private static let inbound = ["pay", "cmd", "config/set", "pack/set"]
    private static let outbound = ["receipt", "cmd/reply", "config/state", "pack/state", "status", "telemetry"]

    @Test("A box reads what is meant for it and nothing else, whatever it subscribes to")
    func reading() throws {
        let broker = try fleetBroker(users: ["backend", "b1", "b2"])
        let backend = try visitor(broker, as: "backend")
        defer { backend.client?.stop() }
        let box = try visitor(broker, as: "b1", topics: ["#", "soundbox/b2/pay", "$SYS/#"])
        defer { box.client?.stop() }
        try box.awaitSubscribed()
        for name in ["b1", "b2"] {
            for topic in Self.inbound + Self.outbound { try backend.deliver("soundbox/\(name)/\(topic)", topic) }
        }
        for topic in ["soundbox/all/cmd", "soundbox/group/g/cmd", "soundbox/b1", "other", "soundbox/b1/pay/x"] {
            try backend.deliver(topic, topic)
        }
        try backend.deliver("soundbox/b1/pay", "soundbox/b1/pay")
        try backend.deliver("soundbox/all/cmd", "soundbox/all/cmd")
        let mine = Self.inbound.map { "soundbox/b1/\($0)" } + ["soundbox/b1/status"]
        let heard = try box.awaitTopics(until: "soundbox/all/cmd", times: 2)
        #expect(Set(heard) == Set(mine + ["soundbox/all/cmd", "soundbox/group/g/cmd"]))
    }

    @Test("A box writes its own answers and nothing else: no payment, no command, no other box's receipt")
    func writing() throws {
        let broker = try fleetBroker(users: ["backend", "b1", "b2"])
        let backend = try visitor(broker, as: "backend", topics: ["soundbox/#"])
        defer { backend.client?.stop() }
        try backend.awaitSubscribed()
        let box = try visitor(broker, as: "b1")
        defer { box.client?.stop() }
        let forbidden =
            Self.inbound.flatMap { ["soundbox/b1/\($0)", "soundbox/b2/\($0)"] }
            + Self.outbound.map { "soundbox/b2/\($0)" }
            + ["soundbox/all/cmd", "soundbox/group/g/cmd", "soundbox/b1/x"]
        for topic in forbidden { try box.deliver(topic, topic) }
        for topic in Self.outbound { try box.deliver("soundbox/b1/\(topic)", topic) }
        try backend.deliver("soundbox/end", "soundbox/end")
        let heard = try backend.awaitTopics(until: "soundbox/end")
        #expect(Set(heard) == Set(Self.outbound.map { "soundbox/b1/\($0)" } + ["soundbox/end"]))
    }

    @Test("Nobody comes in without a password, with a wrong one, or without TLS")
    func entering() throws {
        let broker = try fleetBroker(users: ["backend", "b1"])
        let wrong = try visitor(broker, as: "b1", password: "pw-b2")
        defer { wrong.client?.stop() }
        let unknown = try visitor(broker, as: "b9")
        defer { unknown.client?.stop() }
        for visitor in [wrong, unknown] {
            try visitor.log.wait { $0.contains { if case .refused = $0 { true } else { false } } ? true : nil }
        }
        var settings = MQTTClient.Settings.peer(broker.port, id: "plain")
        settings.username = "b1"
        settings.password = "pw-b1"
        let plain = try Party(settings)
        defer { plain.client?.stop() }
        // The port is open since others were answered: what is refused is a word without TLS.
        try plain.log.wait { $0.contains { if case .disconnected = $0 { true } else { false } } ? true : nil }
        #expect(!plain.log.all.contains { if case .connected = $0 { true } else { false } })
    }

    @Test("The daemon works with what it is allowed")
    func daemon() throws {
        let broker = try fleetBroker(users: ["backend", "b1"])
        let daemon = try Daemon(port: broker.port)
        let password = daemon.folder.appendingPathComponent("password").path
        try "pw-b1\n".write(toFile: password, atomically: true, encoding: .utf8)
        try daemon.add(
            "[broker]", "username = b1", "password_file = \(password)", "ca_file = \(certificates.authority)")
        let backend = try Backend(
            port: broker.port, username: "backend", password: "pw-backend", caFile: certificates.authority)
        try daemon.start()
        try backend.status("online")
        try backend.pay(#"{"id":"n1","amount":"1"}"#)
        try backend.receipt("n1", "spoken")
        #expect(daemon.stop() == 0)
    }
}
