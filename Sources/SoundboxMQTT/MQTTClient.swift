import CMosquitto
import Glibc
import SoundboxPlatform
import Synchronization

/// A connection to an MQTT 3.1.1 broker that is kept up, on a thread of its own, over libmosquitto 2.
///
/// What comes in is acknowledged only after its batch is released: the owner commits the messages between two `.batch`
/// events to disk and then calls `release(batch:)`. A process that dies before gets them again.
public final class MQTTClient: Sendable {
    private let mailbox: MQTTMailbox
    private let unstarted: Mutex<MQTTLoop?>

    /// Checks the settings and reads nothing but the TLS files' names; no connection is made before `start`.
    ///
    /// - Parameter handler: called on the mqtt thread for each event, in order. It may call everything here but `stop`,
    ///   and while it runs nothing is read or written.
    /// - Throws: for a TLS file that cannot be opened, a keepalive under 5 s, a topic that is none.
    public init(_ settings: Settings, handler: @escaping @Sendable (MQTTEvent) -> Void) throws(MQTTError) {
        guard settings.port > 0, settings.keepalive >= 5, !settings.clientID.isEmpty else {
            throw MQTTError("configure", code: MOSQ_ERR_INVAL, detail: "port, keepalive or client id")
        }
        for subscription in settings.subscriptions
        where mosquitto_sub_topic_check(subscription.topic) != MOSQ_ERR_SUCCESS.rawValue {
            throw MQTTError("subscribe", code: MOSQ_ERR_INVAL, detail: subscription.topic)
        }
        mailbox = try MQTTMailbox()
        unstarted = Mutex(try MQTTLoop(settings: settings, mailbox: mailbox, handler: handler))
    }

    deinit {
        _ = mailbox.requestStop(MQTTMailbox.Stop(farewell: nil, deadline: SystemClock.monotonic))
    }

    /// Starts the thread `mqtt`, which connects and keeps trying. Once per client.
    public func start() throws(MQTTError) {
        guard let loop = unstarted.withLock({ $0.take() }) else { return }
        do throws(SystemError) {
            try NamedThread("mqtt") { loop.run() }.detach()
        } catch {
            errno = error.code
            throw MQTTError("start thread", code: MOSQ_ERR_ERRNO)
        }
    }

    /// Takes a message to be sent at once, in the order of the calls, and returns the number that `.published` will
    /// bring. Any thread; never blocks. QoS 1 messages are kept and sent again until the broker has them, for as long as
    /// the process lives; QoS 0 messages die with the connection.
    ///
    /// - Throws: `MOSQ_ERR_NO_CONN` for QoS 0 without a connection, `MOSQ_ERR_NOMEM` when 10,000 wait,
    ///   `MOSQ_ERR_INVAL` for a topic with a wildcard, empty, or not UTF-8 as MQTT wants it.
    @discardableResult
    public func publish(_ publication: MQTTPublication) throws(MQTTError) -> UInt64 {
        let topic = publication.topic
        guard topic.utf8.count < 65_536, publication.payload.count < 268_435_456,
            topic.utf8.count > 0, !topic.utf8.contains(0),
            mosquitto_pub_topic_check(topic) == MOSQ_ERR_SUCCESS.rawValue,
            mosquitto_validate_utf8(topic, Int32(topic.utf8.count)) == MOSQ_ERR_SUCCESS.rawValue
        else { throw MQTTError("publish", code: MOSQ_ERR_INVAL, detail: topic) }
        return try mailbox.post(publication)
    }

    /// Lets the acknowledgements of a batch, and of all before it, go out. Any thread; never blocks. Too late, it has no
    /// effect: after `Settings.batchTimeout` they went out without it.
    public func release(batch: UInt64) {
        mailbox.release(batch: batch)
    }

    /// Ends the connection and the thread. With a connection the farewell is published behind all that was published
    /// before, and the broker is told that this is the end, so that the will stays unpublished. Not from the handler.
    ///
    /// Returns when that is done, or after `milliseconds`; at once when the thread is in the resolver or in connect(2),
    /// where nothing can reach it. No event is delivered afterwards. A batch that is not released by then is never
    /// acknowledged, and then the will is published, too.
    public func stop(farewell: MQTTPublication? = nil, within milliseconds: Int = 1000) {
        let deadline = SystemClock.monotonic + UInt64(max(0, milliseconds)) * 1_000_000
        let isStarted = unstarted.withLock { $0.take() } == nil
        let isFirst = mailbox.requestStop(MQTTMailbox.Stop(farewell: farewell, deadline: deadline))
        if isFirst, isStarted, !mailbox.isConnecting.load(ordering: .relaxed) {
            mailbox.endEvent.wait(milliseconds: Int32(clamping: milliseconds))
        }
        mailbox.isClosed.store(true, ordering: .releasing)
    }

    /// Whether the broker has accepted the connection that there is. Any thread.
    public var isConnected: Bool { mailbox.isConnected }

    /// How often the connection was made again after the first time. Any thread.
    public var reconnects: UInt64 { mailbox.reconnects.load(ordering: .relaxed) }

    /// Advances with every turn of the thread: after a `poke` it has moved on soon, or the thread hangs. Any thread.
    public var heartbeat: UInt64 { mailbox.heartbeat.load(ordering: .relaxed) }

    /// Makes the thread turn once. While it is in the resolver or in connect(2), which the system bounds, the turn is
    /// counted for it. Any thread.
    public func poke() {
        if mailbox.isConnecting.load(ordering: .relaxed) { mailbox.heartbeat.add(1, ordering: .relaxed) }
        mailbox.wake()
    }
}
