import CMosquitto
import Glibc
import SoundboxPlatform
import Synchronization

/// The mqtt thread: connects, reads until nothing is left, waits for the owner to have the batch on disk, then writes.
///
/// libmosquitto queues the PUBACK of a message before it hands the message over, and here the queue is written only
/// between batches: what the broker sees acknowledged is always released. Unchecked: after `start` only its own thread
/// touches it.
final class MQTTLoop: @unchecked Sendable {
    private let settings: MQTTClient.Settings
    private let mailbox: MQTTMailbox
    private let handler: @Sendable (MQTTEvent) -> Void
    private let mosquitto: Mosquitto

    /// Whether the broker has answered CONNECT on this connection, and since when.
    private var connectedAt: UInt64?
    private var connections: UInt64 = 0
    /// What an outage has been called so far, so that each thing is said once.
    private var hasSaidDisconnected = false
    private var saidRefusals: Set<Int32> = []
    /// The last error that the library logged in this try: only there does it say what TLS objects to.
    private var loggedError: String?

    /// What the library has delivered so far; reading is over when it stands still.
    private var received = 0
    private var messagesInBatch = 0
    private var batch: UInt64 = 0
    /// Until when nothing is read or written, unless the batch is released before.
    private var batchDeadline: UInt64?
    /// Whether reading stopped before nothing was left.
    private var hasMoreToRead = false
    private var fruitlessHangups = 0

    /// Subscriptions by the packet id of the SUBSCRIBE that is not answered yet, and whether one was refused.
    private var unansweredSubscriptions: [Int32: String] = [:]
    private var isSubscriptionRefused = false
    /// Publications in the library by their packet id.
    private var inFlight: [Int32: (ticket: UInt64, qos: MQTTQoS)] = [:]

    /// Messages in a batch at most: what a commit should hold, and bounds the memory that a flood takes.
    private static let batchLimit = 256

    init(
        settings: MQTTClient.Settings, mailbox: MQTTMailbox, handler: @escaping @Sendable (MQTTEvent) -> Void
    ) throws(MQTTError) {
        self.settings = settings
        self.mailbox = mailbox
        self.handler = handler
        mosquitto = try Mosquitto(clientID: settings.clientID, cleanSession: settings.cleanSession)
        try mosquitto.configure(settings)
        mosquitto.setCallbacks(to: self)
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> MQTTLoop? {
        context.map { Unmanaged<MQTTLoop>.fromOpaque($0).takeUnretainedValue() }
    }

    /// The thread's body: returns after a stop.
    func run() {
        var failures = 0
        while mailbox.stop == nil {
            do {
                try connect()
                try serve()
            } catch {
                // A connection that was refused or stolen right after it was made does not count as a success: two
                // clients with one id would throw each other out without pause.
                let longest = UInt64(settings.backOff.upperBound) * 1_000_000
                if let connectedAt, SystemClock.monotonic - connectedAt > longest { failures = 0 }
                lost(error)
                backOff(failures: failures)
                failures = min(failures + 1, 30)
            }
        }
        mailbox.setConnected(false)
        mailbox.endEvent.signal()
    }

    private func emit(_ event: MQTTEvent) {
        guard !mailbox.isClosed.load(ordering: .acquiring) else { return }
        handler(event)
    }

    // MARK: - Connecting

    private func connect() throws(MQTTError) {
        loggedError = nil
        mailbox.isConnecting.store(true, ordering: .relaxed)
        defer { mailbox.isConnecting.store(false, ordering: .relaxed) }
        if connections == 0 {
            try mosquitto.connect(host: settings.host, port: settings.port, keepalive: settings.keepalive)
        } else {
            try mosquitto.reconnect()
        }
    }

    private func lost(_ error: MQTTError) {
        // The library closes the socket itself at the next connect, or has done so.
        let socket = mosquitto.socket
        if socket >= 0 { shutdown(socket, Int32(SHUT_RDWR)) }
        connectedAt = nil
        batchDeadline = nil
        hasMoreToRead = false
        fruitlessHangups = 0
        unansweredSubscriptions = [:]
        let unsent = inFlight.filter { $0.value.qos == .atMostOnce }
        for mid in unsent.keys { inFlight[mid] = nil }
        mailbox.settle(unsent.count)
        mailbox.setConnected(false)
        guard error.code != MOSQ_ERR_CONN_REFUSED.rawValue, !hasSaidDisconnected else { return }
        hasSaidDisconnected = true
        emit(.disconnected(loggedError.map { error.adding(detail: $0) } ?? error))
    }

    private func backOff(failures: Int) {
        let (first, longest) = (settings.backOff.lowerBound, settings.backOff.upperBound)
        let delay = min(longest, max(1, first) << failures)
        let end = SystemClock.monotonic + UInt64(Int.random(in: delay / 2...delay)) * 1_000_000
        while mailbox.stop == nil, let remaining = milliseconds(until: end) {
            mailbox.wakeEvent.wait(milliseconds: remaining)
            mailbox.heartbeat.add(1, ordering: .relaxed)
        }
    }

    // MARK: - Connected

    /// Returns when a stop was asked for and said; throws when the connection is lost.
    private func serve() throws(MQTTError) {
        let answerDeadline = SystemClock.monotonic + UInt64(settings.answerTimeout) * 1_000_000
        while true {
            mailbox.heartbeat.add(1, ordering: .relaxed)
            if let deadline = batchDeadline, mailbox.isReleased(batch: batch) || SystemClock.monotonic >= deadline {
                batchDeadline = nil
            }
            if let stop = mailbox.stop {
                if batchDeadline == nil { return sayFarewell(stop) }
                // Better the will and a second delivery than a PUBACK for what is on no disk.
                if SystemClock.monotonic >= stop.deadline { return }
            }
            if batchDeadline == nil { try write() }
            if connectedAt == nil, SystemClock.monotonic >= answerDeadline {
                throw MQTTError("connect", code: MOSQ_ERR_CONN_LOST, detail: "no answer from the broker")
            }
            let deadlines = [batchDeadline, mailbox.stop?.deadline, connectedAt == nil ? answerDeadline : nil]
            try wait(until: deadlines.compactMap(\.self).min())
        }
    }

    /// Waits for the socket or a wake-up, at most a second because of keepalive, and reads.
    private func wait(until deadline: UInt64?) throws(MQTTError) {
        let socket = mosquitto.socket
        guard socket >= 0 else { throw MQTTError("connection", code: MOSQ_ERR_CONN_LOST) }
        let isHeld = batchDeadline != nil
        let events = Int16(POLLIN) | (mosquitto.wantsWrite ? Int16(POLLOUT) : 0)
        var entries = [
            pollfd(fd: mailbox.wakeEvent.descriptor, events: Int16(POLLIN), revents: 0),
            // A negative descriptor is skipped; with no events asked for, a hang-up would still end every poll.
            pollfd(fd: isHeld ? -1 : socket, events: events, revents: 0),
        ]
        let limit = hasMoreToRead && !isHeld ? 0 : deadline.map { milliseconds(until: $0) ?? 0 } ?? 1000
        poll(&entries, 2, min(limit, 1000))
        if entries[0].revents != 0 { mailbox.wakeEvent.clear() }
        let found = Int32(entries[1].revents)
        guard !isHeld, hasMoreToRead || found & ~POLLOUT != 0 else { return }
        let before = received
        try read()
        // A TLS handshake can fail with the library reporting success; the socket then stays at its hang-up.
        let isFruitless = found & (POLLERR | POLLHUP | POLLNVAL) != 0 && received == before
        fruitlessHangups = isFruitless ? fruitlessHangups + 1 : 0
        if fruitlessHangups > 3 { throw MQTTError("connection", code: MOSQ_ERR_CONN_LOST) }
    }

    /// Reads until nothing is left. `poll` alone cannot tell: TLS holds back what it has already decrypted.
    private func read() throws(MQTTError) {
        messagesInBatch = 0
        defer {
            if messagesInBatch > 0 {
                batch += 1
                batchDeadline = SystemClock.monotonic + UInt64(settings.batchTimeout) * 1_000_000
                emit(.batch(batch))
            }
        }
        var before: Int
        repeat {
            before = received
            try mosquitto.read()
        } while received != before && messagesInBatch < MQTTLoop.batchLimit && mosquitto.socket >= 0
        hasMoreToRead = received != before
    }

    private func write() throws(MQTTError) {
        if connectedAt != nil { publishOutbox() }
        if mosquitto.wantsWrite { try mosquitto.write() }
        try mosquitto.misc()
    }

    private func publishOutbox() {
        for entry in mailbox.takeOutbox() {
            if let mid = try? mosquitto.publish(entry.publication) {
                inFlight[mid] = (entry.ticket, entry.publication.qos)
            } else {
                // Topic and size were checked when it was posted: there is no memory left.
                mailbox.settle(1)
            }
        }
    }

    /// Publishes the last word and ends the connection, so that the broker does not publish the will.
    ///
    /// Nothing is read on the way, since what is read is acknowledged. Unread data turns close(2) into a reset that
    /// may overtake the farewell, so a duplicate of the socket is kept open until the broker, having read the
    /// DISCONNECT, closes its side.
    private func sayFarewell(_ stop: MQTTMailbox.Stop) {
        let socket = mosquitto.socket
        guard connectedAt != nil, socket >= 0 else { return }
        let linger = dup(socket)
        defer { if linger >= 0 { close(linger) } }
        publishOutbox()
        if let farewell = stop.farewell { _ = try? mosquitto.publish(farewell) }
        do {
            try mosquitto.disconnect()
            while mosquitto.socket >= 0, let remaining = milliseconds(until: stop.deadline) {
                try mosquitto.write()
                if mosquitto.wantsWrite { wait(for: POLLOUT, of: linger, milliseconds: remaining) }
            }
        } catch {
            return
        }
        guard linger >= 0, mosquitto.socket < 0 else { return }
        shutdown(linger, Int32(SHUT_WR))
        var rest = [UInt8](repeating: 0, count: 4096)
        while let remaining = milliseconds(until: stop.deadline) {
            wait(for: POLLIN, of: linger, milliseconds: remaining)
            let count = Glibc.read(linger, &rest, rest.count)
            if count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR) { return }
        }
    }

    private func wait(for events: Int32, of descriptor: Int32, milliseconds: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(events), revents: 0)
        poll(&entry, 1, milliseconds)
    }

    /// The time to `deadline` rounded up, or nil when it is past.
    private func milliseconds(until deadline: UInt64) -> Int32? {
        let now = SystemClock.monotonic
        return now < deadline ? Int32(clamping: (deadline - now + 999_999) / 1_000_000) : nil
    }

    // MARK: - The library's callbacks

    func onConnect(code: Int32, sessionPresent: Bool) {
        received += 1
        guard code == 0 else {
            if saidRefusals.insert(code).inserted {
                emit(.refused(code: code, text: String(cString: mosquitto_connack_string(code))))
            }
            return
        }
        connectedAt = SystemClock.monotonic
        connections += 1
        if connections > 1 { mailbox.reconnects.add(1, ordering: .relaxed) }
        hasSaidDisconnected = false
        saidRefusals = []
        mailbox.setConnected(true)
        emit(.connected(sessionPresent: sessionPresent))
        isSubscriptionRefused = false
        for subscription in settings.subscriptions {
            if let mid = try? mosquitto.subscribe(subscription) {
                unansweredSubscriptions[mid] = subscription.topic
            } else {
                isSubscriptionRefused = true
                emit(.subscriptionRefused(topic: subscription.topic))
            }
        }
    }

    func onSubscribe(mid: Int32, granted: Bool) {
        received += 1
        guard let topic = unansweredSubscriptions.removeValue(forKey: mid) else { return }
        if !granted {
            isSubscriptionRefused = true
            emit(.subscriptionRefused(topic: topic))
        }
        if unansweredSubscriptions.isEmpty, !isSubscriptionRefused { emit(.subscribed) }
    }

    func onPublish(mid: Int32) {
        received += 1
        guard let publication = inFlight.removeValue(forKey: mid) else { return }
        mailbox.settle(1)
        emit(.published(publication.ticket))
    }

    func onMessage(_ message: mosquitto_message) {
        received += 1
        if message.qos > 0 { messagesInBatch += 1 }
        let size = Int(message.payloadlen)
        let bytes = UnsafeRawBufferPointer(
            start: message.payload, count: message.payload == nil ? 0 : min(size, MQTTMessage.copyLimit))
        emit(
            .message(
                MQTTMessage(
                    topic: message.topic.map { String(cString: $0) } ?? "", payload: Array(bytes), size: size,
                    qos: message.qos > 0 ? .atLeastOnce : .atMostOnce, retained: message.retain,
                    receivedAt: SystemClock.monotonic)))
    }

    func onLog(_ error: String) {
        loggedError = loggedError ?? error
    }
}
