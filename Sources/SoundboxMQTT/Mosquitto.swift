import CMosquitto
import Glibc

/// A handle of libmosquitto (`struct mosquitto`). One thread at a time: what other threads publish comes through
/// `MQTTMailbox`, because the library puts a message that is published during `mosquitto_reconnect` on the wire before
/// the CONNECT.
struct Mosquitto: ~Copyable {
    private let handle: OpaquePointer

    private static let initialized = mosquitto_lib_init()

    /// `mosquitto_new` with MQTT 3.1.1, and `mosquitto_threaded_set`: without it `mosquitto_loop_read` would itself write
    /// the PUBACK of what it reads.
    init(clientID: String, cleanSession: Bool) throws(MQTTError) {
        _ = Mosquitto.initialized
        guard let handle = mosquitto_new(clientID, cleanSession, nil) else {
            throw MQTTError("create client", code: MOSQ_ERR_ERRNO)
        }
        self.handle = handle
        mosquitto_threaded_set(handle, true)
        mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1)
        // All that is queued goes out at once: a farewell must not wait for the PUBACKs of the twenty before it.
        mosquitto_max_inflight_messages_set(handle, 0)
    }

    deinit {
        mosquitto_destroy(handle)
    }

    /// Credentials, TLS and will, before the first connect. Throws for a file that cannot be read.
    func configure(_ settings: MQTTClient.Settings) throws(MQTTError) {
        if let username = settings.username {
            try check("set user", mosquitto_username_pw_set(handle, username, settings.password))
        }
        if let caFile = settings.caFile {
            let files = [caFile, settings.certFile, settings.keyFile].compactMap(\.self).joined(separator: ", ")
            // No passphrase: else a key that has one would ask for it on the terminal.
            let code = mosquitto_tls_set(handle, caFile, nil, settings.certFile, settings.keyFile) { _, _, _, _ in 0 }
            guard code == MOSQ_ERR_SUCCESS.rawValue else {
                throw MQTTError("read TLS files", code: code, detail: files)
            }
            let verifyPeer: Int32 = 1
            try check("set TLS version", mosquitto_tls_opts_set(handle, verifyPeer, "tlsv1.2", nil))
        }
        if let will = settings.will {
            let code = mosquitto_will_set(
                handle, will.topic, Int32(clamping: will.payload.count), will.payload, will.qos.rawValue, will.retained)
            try check("set will", code)
        }
    }

    /// Directs the library's callbacks to `loop`, which must live as long as this handle. They come on the thread that
    /// calls `connect`, `read`, `write` and `misc`.
    func setCallbacks(to loop: MQTTLoop) {
        mosquitto_user_data_set(handle, Unmanaged.passUnretained(loop).toOpaque())
        mosquitto_connect_with_flags_callback_set(handle) { _, context, code, flags in
            MQTTLoop.from(context)?.onConnect(code: code, sessionPresent: flags & 1 != 0)
        }
        mosquitto_subscribe_callback_set(handle) { _, context, mid, count, granted in
            MQTTLoop.from(context)?.onSubscribe(mid: mid, granted: count > 0 && (granted?[0] ?? 0x80) < 0x80)
        }
        mosquitto_publish_callback_set(handle) { _, context, mid in
            MQTTLoop.from(context)?.onPublish(mid: mid)
        }
        mosquitto_message_callback_set(handle) { _, context, message in
            guard let message else { return }
            MQTTLoop.from(context)?.onMessage(message.pointee)
        }
        mosquitto_log_callback_set(handle) { _, context, level, text in
            guard level == MOSQ_LOG_ERR, let text else { return }
            MQTTLoop.from(context)?.onLog(String(cString: text))
        }
    }

    /// The connection's socket, or -1.
    var socket: Int32 { mosquitto_socket(handle) }

    var wantsWrite: Bool { mosquitto_want_write(handle) }

    /// `mosquitto_connect`: blocks in the resolver and in connect(2), on each address of the host in turn, for as long
    /// as the system lets them (about two minutes an address that does not answer). The asynchronous variant would try
    /// the first address only: a broker on 127.0.0.1 is not found as localhost, which is ::1 first.
    func connect(host: String, port: UInt16, keepalive: Int32) throws(MQTTError) {
        try check("connect", mosquitto_connect(handle, host, Int32(port), keepalive))
    }

    /// `mosquitto_reconnect`: as `connect`, with the same host; keeps what QoS 1 messages are not acknowledged.
    func reconnect() throws(MQTTError) {
        try check("connect", mosquitto_reconnect(handle))
    }

    /// Reads what is there, one packet or more. `mosquitto_loop_read`.
    func read() throws(MQTTError) {
        try check("read", mosquitto_loop_read(handle, 1))
    }

    /// Writes all that is queued, or what the socket takes. `mosquitto_loop_write`.
    func write() throws(MQTTError) {
        try check("write", mosquitto_loop_write(handle, 1))
    }

    /// Keepalive. `mosquitto_loop_misc`.
    func misc() throws(MQTTError) {
        try check("keepalive", mosquitto_loop_misc(handle))
    }

    /// Queues a SUBSCRIBE and returns its packet id. `mosquitto_subscribe`.
    func subscribe(_ subscription: MQTTSubscription) throws(MQTTError) -> Int32 {
        var mid: Int32 = 0
        try check("subscribe", mosquitto_subscribe(handle, &mid, subscription.topic, subscription.qos.rawValue))
        return mid
    }

    /// Queues a PUBLISH and returns its packet id. `mosquitto_publish`.
    func publish(_ publication: MQTTPublication) throws(MQTTError) -> Int32 {
        var mid: Int32 = 0
        let code = mosquitto_publish(
            handle, &mid, publication.topic, Int32(clamping: publication.payload.count), publication.payload,
            publication.qos.rawValue, publication.retained)
        try check("publish", code)
        return mid
    }

    /// Queues a DISCONNECT; the library closes the socket when it is written. `mosquitto_disconnect`.
    func disconnect() throws(MQTTError) {
        try check("disconnect", mosquitto_disconnect(handle))
    }

    private func check(_ operation: String, _ code: Int32) throws(MQTTError) {
        guard code != MOSQ_ERR_SUCCESS.rawValue else { return }
        throw MQTTError(operation, code: code)
    }
}
