import Foundation
import SoundboxMQTT
import TestBroker
import Testing

@Suite(.serialized) struct TLSTests {
    private func settings(_ broker: Broker, trusting certificates: Certificates) -> MQTTClient.Settings {
        var settings = MQTTClient.Settings.box(broker.port)
        settings.caFile = certificates.authority
        return settings
    }

    private func broker(_ certificates: Certificates) throws -> Broker {
        var options = Broker.Options()
        options.tls = certificates
        return try Broker(options)
    }

    private func reason(_ settings: MQTTClient.Settings) throws -> MQTTError {
        let box = try Party(settings)
        defer { box.client?.stop() }
        return try box.log.wait { events in
            events.lazy.compactMap { if case .disconnected(let error) = $0 { error } else { nil } }.first
        }
    }

    @Test func aKnownAuthorityIsTrusted() throws {
        let certificates = try Certificates(for: "127.0.0.1")
        let broker = try broker(certificates)
        var peerSettings = settings(broker, trusting: certificates)
        peerSettings.clientID = "peer"
        let peer = try Party(peerSettings)
        let box = try Party(settings(broker, trusting: certificates))
        defer { peer.client?.stop() }
        try box.awaitSubscribed()
        // Enough to fill the library's own wake-up pipe, after which it stops reading with records still decrypted.
        for number in 0..<500 { try peer.publish("pay", "\(number)") }
        #expect(try box.awaitMessages(500).map(\.text) == (0..<500).map(String.init))
        box.client?.stop(farewell: MQTTPublication(topic: "pay", payload: Array("offline".utf8)))
        #expect(try peer.awaitMessages(501).last?.text == "offline")
    }

    @Test func anUnknownAuthorityIsNot() throws {
        let broker = try broker(try Certificates(for: "127.0.0.1"))
        let others = try Certificates(for: "127.0.0.1")
        let error = try withExtendedLifetime(others) { try reason(settings(broker, trusting: others)) }
        #expect(error.text.contains("certificate verify failed"))
    }

    @Test func norIsACertificateForAnotherHost() throws {
        let certificates = try Certificates(for: "broker.example")
        let broker = try broker(certificates)
        let error = try reason(settings(broker, trusting: certificates))
        #expect(error.text.contains("verif"))
    }

    @Test func aPlainListenerIsNoTLS() throws {
        let certificates = try Certificates(for: "127.0.0.1")
        let error = try reason(settings(try Broker(), trusting: certificates))
        #expect(error.operation == "read" || error.operation == "connect" || error.operation == "connection")
    }

    @Test func aMissingFileStopsTheStart() throws {
        var settings = MQTTClient.Settings.box(1883)
        settings.caFile = "/nowhere/ca.pem"
        #expect {
            _ = try MQTTClient(settings) { _ in }
        } throws: { error in
            "\(error)".contains("/nowhere/ca.pem")
        }
    }
}
