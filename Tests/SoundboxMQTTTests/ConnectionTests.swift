import Foundation
import SoundboxMQTT
import TestBroker
import Testing

@Suite(.serialized) struct ConnectionTests {
    private func reasons(_ events: [MQTTEvent]) -> [MQTTError] {
        events.compactMap { if case .disconnected(let error) = $0 { error } else { nil } }
    }

    private func firstReason(_ party: Party) throws -> MQTTError {
        try party.log.wait { reasons($0).first }
    }

    @Test func aPersistentSessionOutlivesClientAndBroker() throws {
        let broker = try Broker()
        let peer = try Party(.peer(broker.port))
        defer { peer.client?.stop() }
        let early = try Party(.box(broker.port))
        #expect(try !early.awaitConnected())
        try early.awaitSubscribed()
        early.client?.stop()
        for number in 0..<30 { try peer.deliver("pay", "\(number)") }
        broker.stop()
        try broker.start()
        let box = try Party(.box(broker.port))
        defer { box.client?.stop() }
        #expect(try box.awaitConnected())
        #expect(try box.awaitMessages(30).map(\.text) == (0..<30).map(String.init))
    }

    @Test func aKilledBrokerIsFoundAgainAndNothingIsLost() throws {
        let broker = try Broker()
        let box = try Party(.box(broker.port, topics: ["pay", "receipt"]))
        defer { box.client?.stop() }
        try box.awaitSubscribed()
        for round in 1...3 {
            broker.kill()
            try box.log.wait { reasons($0).count == round ? true : nil }
            #expect(box.client?.isConnected == false)
            for number in 0..<50 { try box.publish("receipt", "\(round)-\(number)") }
            try broker.start()
            try box.awaitSubscribed(times: round + 1)
            // A broker killed before it noted an acknowledgement delivers again: what counts is the first time.
            let expected = (1...round).flatMap { round in (0..<50).map { "\(round)-\($0)" } }
            try box.log.wait { events in
                var seen: [String] = []
                for case .message(let message) in events where !seen.contains(message.text) {
                    seen.append(message.text)
                }
                return seen == expected ? true : nil
            }
            #expect(box.client?.reconnects == UInt64(round))
        }
        #expect(reasons(box.log.all).count == 3)
    }

    @Test func aBrokerThatIsAwayIsNamedOnce() throws {
        let port = try freePort()
        let box = try Party(.box(port))
        let error = try firstReason(box)
        #expect(error.text == "Connection refused")
        let turns = box.client?.heartbeat ?? 0
        while (box.client?.heartbeat ?? 0) < turns + 20 { usleep(1000) }
        #expect(box.log.all.count == 1)
        box.client?.stop()
    }

    @Test func aFrozenBrokerIsNoticedByKeepalive() throws {
        let broker = try Broker()
        var settings = MQTTClient.Settings.box(broker.port)
        settings.keepalive = 5
        let box = try Party(settings)
        defer { box.client?.stop() }
        try box.awaitSubscribed()
        broker.freeze()
        defer { broker.thaw() }
        _ = try firstReason(box)
    }

    @Test func aLostClientLeavesItsWill() throws {
        let broker = try Broker()
        let peer = try Party(.peer(broker.port, topics: ["status"]))
        defer { peer.client?.stop() }
        try peer.awaitSubscribed()
        var settings = MQTTClient.Settings.box(broker.port)
        settings.will = MQTTPublication(topic: "status", payload: Array("lost".utf8), retained: true)
        var box: Party? = try Party(settings)
        try box?.awaitSubscribed()
        box = nil
        #expect(try peer.awaitMessages(1).map(\.text) == ["lost"])
    }

    @Test func aCleanStopLeavesItsFarewellBehindAllElse() throws {
        let broker = try Broker()
        let peer = try Party(.peer(broker.port, topics: ["status", "receipt"]))
        defer { peer.client?.stop() }
        try peer.awaitSubscribed()
        for _ in 0..<10 {
            var settings = MQTTClient.Settings.box(broker.port)
            settings.will = MQTTPublication(topic: "status", payload: Array("lost".utf8), retained: true)
            let box = try Party(settings)
            try box.awaitSubscribed()
            // Messages on their way to a box that stops must not turn its stop into a reset.
            for number in 0..<40 { try peer.publish("pay", "\(number)") }
            for number in 0..<40 { try box.publish("receipt", "\(number)") }
            box.client?.stop(
                farewell: MQTTPublication(topic: "status", payload: Array("offline".utf8), retained: true))
            #expect(box.client?.isConnected == false)
        }
        try peer.deliver("status", "end")
        let messages = try peer.log.wait { events -> [String]? in
            let texts = events.compactMap { if case .message(let message) = $0 { message.text } else { nil } }
            return texts.last == "end" ? texts : nil
        }
        let round = (0..<40).map(String.init) + ["offline"]
        #expect(messages == Array(repeating: round, count: 10).flatMap(\.self) + ["end"])
    }

    @Test func aWrongPasswordIsRefusedOnceAndNotTold() throws {
        var options = Broker.Options()
        options.users = ["box": "right"]
        let broker = try Broker(options)
        var settings = MQTTClient.Settings.box(broker.port)
        settings.username = "box"
        settings.password = "wrong-secret"
        let box = try Party(settings)
        defer { box.client?.stop() }
        try box.log.wait { $0.isEmpty ? nil : true }
        let turns = box.client?.heartbeat ?? 0
        while (box.client?.heartbeat ?? 0) < turns + 20 { usleep(1000) }
        guard case .refused(let code, let text) = box.log.all[0] else {
            Issue.record("got \(box.log.all)")
            return
        }
        #expect(code == 5)
        #expect(text == "Connection Refused: not authorised.")
        #expect(box.log.all.count == 1)
        #expect(!"\(box.log.all)".contains("wrong-secret"))

        settings.password = "right"
        let right = try Party(settings)
        defer { right.client?.stop() }
        try right.awaitSubscribed()
    }

    @Test func aRefusedSubscriptionIsNamed() throws {
        let broker = try FakeBroker(subscribeCodes: [1, 0x80, 0])
        let box = try Party(.box(broker.port, topics: ["pay", "cmd", "config/set"]))
        try box.log.wait { events in
            events.contains { if case .subscriptionRefused("cmd") = $0 { true } else { false } } ? true : nil
        }
        box.client?.stop()
        #expect(!box.log.all.contains { if case .subscribed = $0 { true } else { false } })
    }

    /// A bare root without `/etc/hosts` does not know the name.
    @Test(.enabled(if: resolves("localhost"))) func localhostIsFoundOnItsSecondAddress() throws {
        let broker = try Broker()
        var settings = MQTTClient.Settings.box(broker.port)
        settings.host = "localhost"
        let box = try Party(settings)
        defer { box.client?.stop() }
        try box.awaitSubscribed()
    }

    @Test func whatIsPublishedIsOutAtOnce() throws {
        let broker = try Broker()
        let box = try Party(.box(broker.port))
        defer { box.client?.stop() }
        try box.awaitSubscribed()
        var delays: [TimeInterval] = []
        for number in 0..<200 {
            let start = Date()
            try box.deliver("receipt", "\(number)")
            delays.append(Date().timeIntervalSince(start))
        }
        // A publication that woke nobody would wait for the loop's own second.
        #expect(delays.sorted()[100] < 0.25)
        print("round trip of a QoS 1 publication: \(Int(delays.sorted()[100] * 1e6)) µs median")
    }

    @Test func retainedIsSeen() throws {
        let broker = try Broker()
        let peer = try Party(.peer(broker.port))
        defer { peer.client?.stop() }
        try peer.deliver("pay", "old", retained: true)
        let box = try Party(.box(broker.port))
        defer { box.client?.stop() }
        #expect(try box.awaitMessages(1)[0].retained)
        try peer.deliver("pay", "new")
        #expect(try !box.awaitMessages(2)[1].retained)
    }

    @Test func qualityZeroNeedsAConnection() throws {
        let box = try Party(.box(try freePort()))
        defer { box.client?.stop() }
        #expect(throws: MQTTError.self) { try box.publish("telemetry", "now", qos: .atMostOnce) }
    }

    @Test(arguments: ["", "a/+/b", "#", "nul\u{0}", String(repeating: "x", count: 65_536)])
    func aTopicThatIsNoneIsRefused(topic: String) throws {
        let client = try MQTTClient(.box(1883)) { _ in }
        #expect(throws: MQTTError.self) { try client.publish(MQTTPublication(topic: topic, payload: [])) }
    }

    @Test func whatWaitsForABrokerIsBounded() throws {
        let client = try MQTTClient(.box(1883)) { _ in }
        #expect(throws: MQTTError.self) {
            for _ in 0...10_000 { try client.publish(MQTTPublication(topic: "receipt", payload: [])) }
        }
    }
}
