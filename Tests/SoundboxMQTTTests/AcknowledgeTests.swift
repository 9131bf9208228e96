import Foundation
import SoundboxMQTT
import TestBroker
import Testing

/// Nothing is acknowledged before its batch is released.
@Suite(.serialized) struct AcknowledgeTests {
    @Test func whatWasNotReleasedComesAgain() throws {
        let broker = try Broker()
        let peer = try Party(.peer(broker.port))
        defer { peer.client?.stop() }

        let first = try Party(.box(broker.port), releases: false)
        try first.awaitSubscribed()
        try peer.deliver("pay", "one")
        _ = try first.awaitBatch()
        first.vanish()

        let second = try Party(.box(broker.port), releases: false)
        #expect(try second.awaitMessages(1).map(\.text) == ["one"])
        second.client?.release(batch: try second.awaitBatch())
        // The farewell goes out behind the PUBACK, so the stop is also a barrier.
        second.client?.stop()
        #expect(!second.log.all.contains { if case .disconnected = $0 { true } else { false } })

        let third = try Party(.box(broker.port))
        defer { third.client?.stop() }
        #expect(try third.awaitConnected())
        try peer.deliver("pay", "two")
        #expect(try third.awaitMessages(1).map(\.text) == ["two"])
    }

    @Test func nothingIsWrittenBeforeTheRelease() throws {
        let broker = try Broker()
        let peer = try Party(.peer(broker.port, topics: ["receipt"]))
        defer { peer.client?.stop() }
        let box = try Party(.box(broker.port), releases: false)
        defer { box.client?.stop() }
        try box.awaitSubscribed()
        try peer.awaitSubscribed()
        try peer.deliver("pay", "one")
        let batch = try box.awaitBatch()
        try box.publish("receipt", "waiting")
        let turns = box.client?.heartbeat ?? 0
        box.client?.poke()
        while box.client?.heartbeat == turns { usleep(1000) }
        // The peer's round trip through the broker: had the box written, the broker would have logged it by now.
        try peer.deliver("else", "barrier")
        #expect(!broker.log.contains("PUBACK from box"))
        #expect(!broker.log.contains("PUBLISH from box"))
        box.client?.release(batch: batch)
        #expect(try peer.awaitMessages(1).map(\.text) == ["waiting"])
        #expect(broker.log.contains("PUBACK from box"))
    }

    @Test func aBatchHoldsAllThatWasThere() throws {
        let broker = try Broker()
        let peer = try Party(.peer(broker.port))
        defer { peer.client?.stop() }
        let early = try Party(.box(broker.port))
        try early.awaitSubscribed()
        early.client?.stop()
        for number in 0..<40 { try peer.publish("pay", "\(number)") }
        try peer.deliver("pay", "40")

        let box = try Party(.box(broker.port), releases: false)
        defer { box.client?.stop() }
        let first = try box.awaitBatch()
        // The broker has twenty in flight at a time. Once it has sent them and the peer's round trip is through, all lie
        // in the socket of a box that reads nothing while a batch is on hand.
        try broker.awaitLog { $0.components(separatedBy: "PUBLISH to box").count > 20 }
        try peer.deliver("else", "barrier")
        box.client?.release(batch: first)
        #expect(try box.awaitBatches(2).prefix(2).reduce(0, +) >= 20)
    }

    @Test func aForgottenBatchIsLetGoAfterItsTime() throws {
        let broker = try Broker()
        let peer = try Party(.peer(broker.port))
        defer { peer.client?.stop() }
        var settings = MQTTClient.Settings.box(broker.port)
        settings.batchTimeout = 50
        let box = try Party(settings, releases: false)
        defer { box.client?.stop() }
        try box.awaitSubscribed()
        try peer.deliver("pay", "one")
        try peer.deliver("pay", "two")
        #expect(try box.awaitMessages(2).map(\.text) == ["one", "two"])
    }

    @Test func qualityZeroNeedsNoRelease() throws {
        let broker = try Broker()
        let peer = try Party(.peer(broker.port))
        defer { peer.client?.stop() }
        let box = try Party(.box(broker.port), releases: false)
        defer { box.client?.stop() }
        try box.awaitSubscribed()
        try peer.awaitConnected()
        for number in 0..<10 { try peer.publish("pay", "\(number)", qos: .atMostOnce) }
        let messages = try box.awaitMessages(10)
        #expect(messages.allSatisfy { $0.qos == .atMostOnce })
        #expect(box.batches == 0)
    }

    @Test func aStopWithABatchOnHandAcknowledgesNothing() throws {
        let broker = try Broker()
        let peer = try Party(.peer(broker.port, topics: ["status"]))
        defer { peer.client?.stop() }
        try peer.awaitSubscribed()
        var settings = MQTTClient.Settings.box(broker.port)
        settings.will = MQTTPublication(topic: "status", payload: Array("lost".utf8))
        let box = try Party(settings, releases: false)
        try box.awaitSubscribed()
        try peer.deliver("pay", "one")
        _ = try box.awaitBatch()
        box.client?.stop(farewell: MQTTPublication(topic: "status", payload: Array("offline".utf8)), within: 100)
        #expect(try peer.awaitMessages(1).map(\.text) == ["lost"])
        #expect(!broker.log.contains("PUBACK from box"))
    }

    @Test func aMegabyteArrivesCutAndDoesNoHarm() throws {
        let broker = try Broker()
        let peer = try Party(.peer(broker.port))
        defer { peer.client?.stop() }
        let box = try Party(.box(broker.port))
        defer { box.client?.stop() }
        try box.awaitSubscribed()
        try peer.deliver("pay", String(repeating: "x", count: 2 << 20))
        try peer.deliver("pay", String(repeating: "y", count: MQTTMessage.copyLimit))
        try peer.deliver("pay", "")
        let messages = try box.awaitMessages(3)
        #expect(messages.map(\.size) == [2 << 20, MQTTMessage.copyLimit, 0])
        #expect(messages.map(\.payload.count) == [MQTTMessage.copyLimit, MQTTMessage.copyLimit, 0])
        #expect(messages.map(\.isTruncated) == [true, false, false])
    }
}
