import Foundation
import SoundboxMQTT
import TestBroker
import Testing

/// A stop is over in two seconds wherever the thread is.
@Suite(.serialized) struct StopTests {
    private func stopsInTime(_ party: Party, within milliseconds: Int = 1000) -> Bool {
        let start = Date()
        party.client?.stop(
            farewell: MQTTPublication(topic: "status", payload: Array("offline".utf8)), within: milliseconds)
        return Date().timeIntervalSince(start) < 2
    }

    @Test func whileTheBrokerNeverAnswers() throws {
        let silent = try Listener()
        let box = try Party(.box(silent.port))
        #expect(stopsInTime(box))
        #expect(box.log.all.isEmpty)
    }

    @Test func whileTheHostSwallowsEveryPacket() throws {
        // A full backlog drops each SYN, as a firewall does: connect(2) blocks for two minutes.
        let full = try Listener(backlog: 0)
        let fillers = (0..<4).map { _ in
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | O_NONBLOCK, 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = full.port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            _ = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            return descriptor
        }
        defer { for descriptor in fillers { close(descriptor) } }
        let box = try Party(.box(full.port))
        // A pulse that a watchdog can see, although the thread hangs in the kernel.
        let before = box.client?.heartbeat ?? 0
        while (box.client?.heartbeat ?? 0) < before + 5 { box.client?.poke() }
        #expect(box.log.all.isEmpty)
        // Nothing can end connect(2), so there is nothing to wait for.
        #expect(stopsInTime(box, within: 20_000))
    }

    @Test func whileTheNameIsUnknown() throws {
        var settings = MQTTClient.Settings.box(1883)
        settings.host = "no-such-host.invalid"
        let box = try Party(settings)
        #expect(stopsInTime(box))
    }

    @Test func whileTheBrokerIsFrozen() throws {
        let broker = try Broker()
        let box = try Party(.box(broker.port))
        try box.awaitSubscribed()
        broker.freeze()
        defer { broker.thaw() }
        #expect(stopsInTime(box))
    }

    @Test func whileWaitingForTheNextTry() throws {
        var settings = MQTTClient.Settings.box(try freePort())
        settings.backOff = 60_000...60_000
        let box = try Party(settings)
        try box.log.wait { $0.isEmpty ? nil : true }
        #expect(stopsInTime(box))
    }

    @Test func beforeTheStart() throws {
        let client = try MQTTClient(.box(1883)) { _ in }
        client.stop()
    }

    @Test func aSilentBrokerIsGivenUp() throws {
        let silent = try Listener()
        var settings = MQTTClient.Settings.box(silent.port)
        settings.answerTimeout = 50
        let box = try Party(settings)
        defer { box.client?.stop() }
        let error = try box.log.wait { events in
            events.lazy.compactMap { if case .disconnected(let error) = $0 { error } else { nil } }.first
        }
        #expect(error.text.contains("no answer from the broker"))
    }
}
