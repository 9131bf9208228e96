import SoundboxCore
import SoundboxMQTT
import SoundboxPlatform
import Synchronization

/// Why a broker could not be asked.
public struct BrokerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was tried, and why it failed; never a password.
    public var description: String

    /// An error with its text.
    public init(_ description: String) {
        self.description = description
    }
}

extension Configuration {
    /// The connection that this configuration asks for, under a client id.
    func connection(clientID: String) throws(BrokerError) -> MQTTClient.Settings {
        var settings = MQTTClient.Settings(
            host: broker.host, port: UInt16(clamping: brokerPort), clientID: clientID)
        settings.username = broker.username
        settings.password = try password()
        settings.caFile = broker.caFile
        settings.certFile = broker.certificateFile
        settings.keyFile = broker.keyFile
        settings.keepalive = Int32(clamping: broker.keepalive)
        return settings
    }

    /// The daemon's own connection: a session that the broker keeps, and the last words if the box is lost.
    func boxConnection() throws(BrokerError) -> MQTTClient.Settings {
        var settings = try connection(clientID: box.id)
        settings.subscriptions = topics.subscriptions.map { MQTTSubscription($0) }
        settings.will = MQTTPublication(Speaker.will(topics: topics))
        return settings
    }

    /// The first line of the password's file. A relative name is one of systemd's credentials where the service has
    /// any (`LoadCredential=`, systemd.exec(5)).
    private func password() throws(BrokerError) -> String? {
        guard let file = broker.passwordFile else { return nil }
        let folder = Environment["CREDENTIALS_DIRECTORY"]
        let path = folder.map { file.hasPrefix("/") ? file : "\($0)/\(file)" } ?? file
        do {
            let line = try File.read(path, limit: 65_536).prefix {
                $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r")
            }
            return String(decoding: line, as: UTF8.self)
        } catch {
            throw BrokerError("broker.password_file: \(error)")
        }
    }
}

/// A short visit to the box's broker: listen on some topics, publish, wait. For the command line; one thread.
public final class BrokerClient {
    private let client: MQTTClient
    private let mailbox: Mailbox<MQTTEvent>
    private var letters: [MQTTEvent] = []

    /// Connects and subscribes.
    ///
    /// - Throws: where the broker cannot be reached, refuses, or does not answer in time.
    public init(_ configuration: Configuration, topics: [String], milliseconds: Int) throws(BrokerError) {
        var settings = try configuration.connection(clientID: "soundbox-cli-\(UInt32.random(in: 0 ... .max))")
        settings.cleanSession = true
        settings.subscriptions = topics.map { MQTTSubscription($0) }
        do {
            let mailbox = try Mailbox<MQTTEvent>()
            self.mailbox = mailbox
            client = try MQTTClient(settings) { mailbox.put($0) }
            try client.start()
        } catch {
            throw BrokerError("\(error)")
        }
        let subscribed: Bool? = try wait(milliseconds: milliseconds) { event in
            if case .subscribed = event { true } else { nil }
        }
        guard subscribed != nil else { throw BrokerError("no answer within \(milliseconds) ms") }
    }

    /// Publishes a notice or a command at QoS 1.
    public func publish(_ payload: String, to topic: String) throws(BrokerError) {
        do {
            _ = try client.publish(MQTTPublication(topic: topic, payload: Array(payload.utf8)))
        } catch {
            throw BrokerError("\(error)")
        }
    }

    /// Waits for the next message; nil where none came in time.
    public func next(milliseconds: Int) throws(BrokerError) -> (topic: String, payload: [UInt8])? {
        try wait(milliseconds: milliseconds) { event in
            if case .message(let message) = event { (message.topic, message.payload) } else { nil }
        }
    }

    /// Leaves.
    public func close() {
        client.stop()
    }

    private func wait<Value>(
        milliseconds: Int, for wanted: (MQTTEvent) -> Value?
    ) throws(BrokerError) -> Value? {
        let deadline = SystemClock.monotonic + UInt64(milliseconds) * 1_000_000
        while true {
            while !letters.isEmpty {
                let event = letters.removeFirst()
                switch event {
                case .batch(let batch): client.release(batch: batch)
                case .disconnected(let error): throw BrokerError("\(error)")
                case .refused(_, let text): throw BrokerError("refused: \(text)")
                case .subscriptionRefused(let topic): throw BrokerError("refused: \(topic)")
                default: if let value = wanted(event) { return value }
                }
            }
            let now = SystemClock.monotonic
            guard now < deadline else { return nil }
            mailbox.wait(milliseconds: Int32(clamping: (deadline - now) / 1_000_000 + 1))
            letters += mailbox.take()
        }
    }
}

extension MQTTPublication {
    /// What the speaker wants published.
    init(_ publication: Publication) {
        self.init(
            topic: publication.topic, payload: Array(publication.payload.utf8),
            qos: publication.qos == 0 ? .atMostOnce : .atLeastOnce, retained: publication.retained)
    }
}
