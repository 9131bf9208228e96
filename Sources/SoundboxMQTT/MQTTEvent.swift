/// How often a message is delivered (MQTT 3.1.1, 4.3). Exactly-once is not used: a notice's id does that better.
public enum MQTTQoS: Int32, Sendable {
    /// QoS 0: once or not at all.
    case atMostOnce = 0
    /// QoS 1: until it is acknowledged, perhaps several times.
    case atLeastOnce = 1
}

/// A message to publish, a will, or the last word of a clean stop.
public struct MQTTPublication: Sendable {
    /// The topic, without wildcards.
    public var topic: String
    /// The payload, at most 256 MiB.
    public var payload: [UInt8]
    /// How often the broker gets it.
    public var qos: MQTTQoS
    /// Whether the broker keeps it for those who subscribe later.
    public var retained: Bool

    /// A publication; QoS 1 and not retained unless said otherwise.
    public init(topic: String, payload: [UInt8], qos: MQTTQoS = .atLeastOnce, retained: Bool = false) {
        self.topic = topic
        self.payload = payload
        self.qos = qos
        self.retained = retained
    }
}

/// A message as it came from the broker.
public struct MQTTMessage: Sendable {
    /// No payload is copied beyond this many bytes; 1 MiB.
    public static let copyLimit = 1 << 20

    /// The topic that it was published to.
    public var topic: String
    /// The payload, or the first `copyLimit` bytes of it: see `isTruncated`.
    public var payload: [UInt8]
    /// The payload's length in bytes as it was sent.
    public var size: Int
    /// The lower of what it was published and subscribed with.
    public var qos: MQTTQoS
    /// Whether it was kept by the broker from before the subscription.
    public var retained: Bool
    /// When it was read from the socket: CLOCK_MONOTONIC in nanoseconds.
    public var receivedAt: UInt64

    /// Whether `payload` is only the beginning.
    public var isTruncated: Bool { size > payload.count }
}

/// What happens on a connection. Events come in order, on the mqtt thread.
public enum MQTTEvent: Sendable {
    /// The broker has accepted the connection; `sessionPresent` when it remembered the subscriptions and what came in
    /// the meantime.
    case connected(sessionPresent: Bool)
    /// The broker refused (CONNACK 1 to 5: protocol, client id, unavailable, user or password, not authorised). Said
    /// once per code and outage; the client keeps trying.
    case refused(code: Int32, text: String)
    /// The connection is lost, or could not be made in the first place. Said once per outage; the client keeps trying.
    case disconnected(MQTTError)
    /// Every subscription was granted.
    case subscribed
    /// The broker refused this subscription (SUBACK 0x80).
    case subscriptionRefused(topic: String)
    /// A message came. With QoS 1 it is acknowledged after the batch that holds it is released.
    case message(MQTTMessage)
    /// The messages since the last batch are all that there were to read. Nothing is read or written until
    /// `MQTTClient.release(batch:)`.
    case batch(UInt64)
    /// The publication with this number is out (QoS 0) or acknowledged by the broker (QoS 1).
    case published(UInt64)
}
