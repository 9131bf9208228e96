import Glibc
import SoundboxCore
import SoundboxPlatform

// The broker, step by step, so that the first step that fails is the one that is named.

extension Doctor {
    mutating func checkBroker() {
        let (host, port) = (configuration.broker.host, configuration.brokerPort)
        let addresses = Doctor.addresses(of: host, port: port)
        guard case .success(let found) = addresses else {
            if case .failure(let error) = addresses {
                self.found(
                    .error, "broker", "\(host): no address: \(error.text)",
                    remedy: "getent hosts \(host); then [broker] host in \(file), and the network")
            }
            return
        }
        let before = SystemClock.monotonic
        if let code = found.compactMap({ Doctor.connect(to: $0, milliseconds: 5000) }).last, code != 0 {
            self.found(
                .error, "broker", "\(host):\(port): \(SystemError.text(code))",
                remedy: "[broker] port in \(file), a firewall, or the broker itself: systemctl status mosquitto")
            return
        }
        let connectMilliseconds = Doctor.milliseconds(since: before)
        let start = SystemClock.monotonic
        do throws(BrokerError) {
            let broker = try BrokerClient(configuration, topics: [configuration.topics.status], milliseconds: 5000)
            defer { broker.close() }
            let tls = configuration.broker.caFile == nil ? "" : " with TLS"
            self.found(
                .ok, "broker",
                "\(host):\(port)\(tls): TCP in \(connectMilliseconds) ms, login and subscription in "
                    + "\(Doctor.milliseconds(since: start)) ms")
            try checkStatus(broker)
        } catch {
            self.found(.error, "broker", "\(host):\(port): \(error)", remedy: remedy(for: error))
        }
    }

    /// What the broker keeps of the box must agree with whether it runs here.
    private mutating func checkStatus(_ broker: BrokerClient) throws(BrokerError) {
        let message = try broker.next(milliseconds: 1000)
        let status = message.flatMap { try? JSON(parsing: $0.payload) }
        let state = status?["state"]?.string ?? "unknown"
        if daemon != nil, state != "online" {
            found(
                .error, "broker", "the service runs, but its status there is \(state)",
                remedy: "journalctl -u soundbox -e")
        } else if daemon == nil, state == "online" {
            found(
                .error, "broker", "a box with the id \(configuration.box.id) is online, and it is not this one",
                remedy: "[box] id in \(file): each box needs its own")
        } else {
            found(.ok, "broker", "the box's status there: \(state)")
        }
        for problem in status?["problems"]?.members ?? [] where state == "online" {
            found(.warning, problem.key, "the service says: \(problem.value.string ?? problem.value.text)")
        }
    }

    private func remedy(for error: BrokerError) -> String {
        let text = error.description.lowercased()
        if text.contains("certificate") || text.contains("tls") || text.contains("ssl") {
            return "openssl s_client -connect \(configuration.broker.host):\(configuration.brokerPort) "
                + "-CAfile \(configuration.broker.caFile ?? "FILE")"
        }
        if text.contains("refused") || text.contains("authori") {
            return
                "[broker] username and password_file in \(file), and the broker's ACL for \(configuration.topics.status)"
        }
        return "journalctl -u mosquitto on the broker"
    }

    private static func milliseconds(since start: UInt64) -> UInt64 {
        (SystemClock.monotonic - start + 500_000) / 1_000_000
    }

    /// What getaddrinfo(3) says of a name.
    private struct ResolverError: Error {
        var text: String
    }

    /// A socket address of any family, as bytes.
    private struct Address {
        var family: Int32
        var bytes: [UInt8]
    }

    private static func addresses(of host: String, port: Int) -> Result<[Address], ResolverError> {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, "\(port)", &hints, &first)
        guard code == 0, let first else { return .failure(ResolverError(text: String(cString: gai_strerror(code)))) }
        defer { freeaddrinfo(first) }
        let entries = sequence(first: first) { $0.pointee.ai_next }
        return .success(
            entries.map { entry in
                let bytes = UnsafeRawBufferPointer(
                    start: entry.pointee.ai_addr, count: Int(entry.pointee.ai_addrlen))
                return Address(family: entry.pointee.ai_family, bytes: Array(bytes))
            })
    }

    /// Connects and hangs up; 0, or the errno of why not. connect(2), without blocking.
    private static func connect(to address: Address, milliseconds: Int32) -> Int32 {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.family, type, 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        let status = address.bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.map {
                Glibc.connect(descriptor, $0.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
            }
        }
        if status == 0 { return 0 }
        guard errno == EINPROGRESS else { return errno }
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&entry, 1, milliseconds) > 0 else { return ETIMEDOUT }
        var code: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0 else { return errno }
        return code
    }
}
