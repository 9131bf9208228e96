/// A topic filter and the highest quality of service to get it with.
public struct MQTTSubscription: Sendable {
    /// The filter, with `+` and `#` as wildcards.
    public var topic: String
    /// The highest quality of service to deliver with.
    public var qos: MQTTQoS

    /// A subscription; QoS 1 unless said otherwise.
    public init(_ topic: String, qos: MQTTQoS = .atLeastOnce) {
        self.topic = topic
        self.qos = qos
    }
}

extension MQTTClient {
    /// How to reach a broker and what to ask of it.
    public struct Settings: Sendable {
        /// The broker's name or address.
        public var host: String
        /// The broker's TCP port, 1883 or 8883 by custom.
        public var port: UInt16
        /// Unique at the broker. A second client with the same one throws the first one out.
        public var clientID: String
        /// The user, where the broker asks for one.
        public var username: String?
        /// Never part of an event, an error or a log line.
        public var password: String?
        /// PEM certificates to trust. With it the connection is TLS 1.2 or later, and the host's name must be in its
        /// certificate.
        public var caFile: String?
        /// PEM certificate of this client; both this and its key, or neither.
        public var certFile: String?
        /// PEM key of this client, without a passphrase.
        public var keyFile: String?
        /// Seconds of silence after which the broker is asked whether it is there; at least 5.
        public var keepalive: Int32 = 60
        /// What the broker publishes when this client is lost without a clean stop.
        public var will: MQTTPublication?
        /// False: the broker keeps the subscriptions and what comes for them while this client is away.
        public var cleanSession = false
        /// Asked for at every connect.
        public var subscriptions: [MQTTSubscription] = []
        /// Milliseconds to the next try: the first, doubling up to the second, of which a random half is taken off, so
        /// that a thousand boxes do not come back at once.
        public var backOff: ClosedRange<Int> = 1000...60_000
        /// Milliseconds from the TCP connection to the broker's CONNACK, the TLS handshake included.
        public var answerTimeout = 10_000
        /// Milliseconds that a batch may wait for its release, below keepalive × 1.5: after that the broker would drop
        /// the connection.
        public var batchTimeout = 5000

        /// Settings for a plain connection with a persistent session and no subscriptions.
        public init(host: String, port: UInt16, clientID: String) {
            self.host = host
            self.port = port
            self.clientID = clientID
        }
    }
}
