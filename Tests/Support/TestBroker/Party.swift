import Foundation
import SoundboxMQTT

/// A client with its events, releasing each batch by itself unless told otherwise.
public final class Party: @unchecked Sendable {
    /// What came so far.
    public let log = EventLog<MQTTEvent>()
    /// The client; nil once it has vanished.
    public private(set) var client: MQTTClient?
    private let releases: Bool
    private let onEvent: @Sendable (MQTTEvent) -> Void

    /// Starts a client. Stop it before the last reference goes: its thread holds none.
    public init(
        _ settings: MQTTClient.Settings, releases: Bool = true,
        onEvent: @escaping @Sendable (MQTTEvent) -> Void = { _ in }
    ) throws {
        self.releases = releases
        self.onEvent = onEvent
        client = try MQTTClient(settings) { [unowned self] in handle($0) }
        try client?.start()
    }

    private func handle(_ event: MQTTEvent) {
        log.append(event)
        onEvent(event)
        if releases, case .batch(let batch) = event { client?.release(batch: batch) }
    }

    /// Goes away as a process that dies does.
    public func vanish() {
        client?.stop(within: 0)
        client = nil
    }

    /// Publishes, and returns the number by which the log tells that it is out.
    @discardableResult
    public func publish(_ topic: String, _ text: String, qos: MQTTQoS = .atLeastOnce, retained: Bool = false) throws
        -> UInt64
    {
        guard let client else { throw CancellationError() }
        return try client.publish(
            MQTTPublication(topic: topic, payload: Array(text.utf8), qos: qos, retained: retained))
    }

    /// Publishes and waits until the broker has it.
    public func deliver(_ topic: String, _ text: String, retained: Bool = false) throws {
        let ticket = try publish(topic, text, retained: retained)
        try log.wait { $0.contains { if case .published(ticket) = $0 { true } else { false } } ? true : nil }
    }

    /// Whether the broker knew the session, at the connection of this number.
    @discardableResult
    public func awaitConnected(times: Int = 1) throws -> Bool {
        try log.wait {
            let present = $0.compactMap { if case .connected(let present) = $0 { present } else { nil } }
            return present.count >= times ? present[times - 1] : nil
        }
    }

    /// Waits until all subscriptions were granted so many times.
    public func awaitSubscribed(times: Int = 1) throws {
        try log.wait { $0.filter { if case .subscribed = $0 { true } else { false } }.count >= times ? true : nil }
    }

    /// All messages so far, once there are so many.
    public func awaitMessages(_ count: Int) throws -> [MQTTMessage] {
        try log.wait { events in
            let messages = events.compactMap { if case .message(let message) = $0 { message } else { nil } }
            return messages.count >= count ? messages : nil
        }
    }

    /// The topics of the messages so far, once so many of them are on this topic.
    public func awaitTopics(until last: String, times: Int = 1) throws -> [String] {
        try log.wait { events in
            let topics = events.compactMap { if case .message(let message) = $0 { message.topic } else { nil } }
            return topics.count { $0 == last } >= times ? topics : nil
        }
    }

    /// The first batch.
    public func awaitBatch() throws -> UInt64 {
        try log.wait { $0.lazy.compactMap { if case .batch(let batch) = $0 { batch } else { nil } }.first }
    }

    /// How many messages each batch held, once there are so many.
    public func awaitBatches(_ count: Int) throws -> [Int] {
        try log.wait { events in
            var sizes = [0]
            for event in events {
                if case .message = event { sizes[sizes.count - 1] += 1 }
                if case .batch = event { sizes.append(0) }
            }
            return sizes.count > count ? sizes.dropLast() : nil
        }
    }

    /// How many batches came so far.
    public var batches: Int { log.all.filter { if case .batch = $0 { true } else { false } }.count }
}

extension MQTTMessage {
    /// The payload as text.
    public var text: String { String(decoding: payload, as: UTF8.self) }
}

extension MQTTClient.Settings {
    /// The box's side: a persistent session, quick to come back.
    public static func box(_ port: UInt16, id: String = "box", topics: [String] = ["pay"]) -> MQTTClient.Settings {
        var settings = MQTTClient.Settings(host: "127.0.0.1", port: port, clientID: id)
        settings.subscriptions = topics.map { MQTTSubscription($0) }
        settings.backOff = 5...50
        return settings
    }

    /// Somebody else at the broker.
    public static func peer(_ port: UInt16, id: String = "peer", topics: [String] = []) -> MQTTClient.Settings {
        var settings = box(port, id: id, topics: topics)
        settings.cleanSession = true
        return settings
    }
}
