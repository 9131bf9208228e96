import Foundation

/// A mosquitto of the test's own: on a free loopback port, with its files in a temporary folder that goes with it.
public final class Broker: @unchecked Sendable {
    /// What the broker is asked to be.
    public struct Options: Sendable {
        /// Name and password of who may connect; empty lets everybody in.
        public var users: [String: String] = [:]
        /// Lines of an `acl_file`.
        public var accessRules: [String] = []
        /// Certificates to listen with.
        public var tls: Certificates?
        /// More lines of mosquitto.conf.
        public var lines: [String] = []

        /// Everybody is let in, in plain.
        public init() {}
    }

    /// Where it listens, on 127.0.0.1.
    public let port: UInt16
    /// Holds `mosquitto.conf` and, with everything that the broker did, `broker.log`.
    public let folder: URL
    private var process: Process?

    /// Starts a broker and waits until it takes connections.
    public convenience init(_ options: Options = Options()) throws {
        try self.init { folder, port in try Broker.lines(options, folder, port) }
    }

    /// Starts a broker with a configuration of the caller's own, beside which stand only where its files are and its log.
    ///
    /// - Parameter configuration: gets the folder and the port, and returns lines of mosquitto.conf.
    public init(configuration: (URL, UInt16) throws -> [String]) throws {
        folder = try temporaryFolder("broker")
        port = try freePort()
        var lines = try configuration(folder, port)
        lines += ["persistence_location \(folder.path)/", "log_dest file \(folder.path)/broker.log", "log_type all"]
        if getuid() == 0 { lines.append("user root") }
        try lines.joined(separator: "\n").appending("\n")
            .write(to: folder.appendingPathComponent("mosquitto.conf"), atomically: true, encoding: .utf8)
        try start()
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// What the broker has logged so far.
    public var log: String {
        (try? String(contentsOf: folder.appendingPathComponent("broker.log"), encoding: .utf8)) ?? ""
    }

    /// Waits until the log is as asked for; throws after 20 s.
    public func awaitLog(_ isSeen: (String) -> Bool) throws {
        let deadline = Date().addingTimeInterval(20)
        while !isSeen(log) {
            guard Date() < deadline else { throw SupportError(what: "broker log", log) }
            usleep(1000)
        }
    }

    private var starts: Int { log.components(separatedBy: " running\n").count }

    /// Starts it on the same port with what it kept.
    public func start() throws {
        let before = starts
        let process = Process()
        process.executableURL = try tool("mosquitto")
        process.arguments = ["-c", folder.appendingPathComponent("mosquitto.conf").path]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try withSignalsUnblocked { try process.run() }
        self.process = process
        let deadline = Date().addingTimeInterval(20)
        // A connection would not tell it from another test's broker on the same port.
        while starts == before {
            guard process.isRunning, Date() < deadline else { throw SupportError(what: "mosquitto", log) }
            usleep(5000)
        }
    }

    /// SIGTERM: it writes its database and ends.
    public func stop() {
        process?.terminate()
        process?.waitUntilExit()
        process = nil
    }

    /// SIGKILL.
    public func kill() {
        guard let process else { return }
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        self.process = nil
    }

    /// SIGSTOP: connections stay and nothing is answered.
    public func freeze() {
        if let process { Foundation.kill(process.processIdentifier, SIGSTOP) }
    }

    /// SIGCONT.
    public func thaw() {
        if let process { Foundation.kill(process.processIdentifier, SIGCONT) }
    }

    private static func lines(_ options: Options, _ folder: URL, _ port: UInt16) throws -> [String] {
        var lines = [
            "listener \(port) 127.0.0.1",
            "allow_anonymous \(options.users.isEmpty)",
            "persistence true",
            // Written at every change, so that a killed broker remembers.
            "autosave_on_changes true",
            "autosave_interval 1",
            "max_queued_messages 0",
        ]
        if !options.users.isEmpty {
            lines.append("password_file \(try writePasswords(options.users, in: folder))")
        }
        if !options.accessRules.isEmpty {
            let file = folder.appendingPathComponent("acl")
            try options.accessRules.joined(separator: "\n").appending("\n")
                .write(to: file, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
            lines.append("acl_file \(file.path)")
        }
        if let tls = options.tls {
            lines += ["cafile \(tls.authority)", "certfile \(tls.certificate)", "keyfile \(tls.key)"]
        }
        return lines + options.lines
    }

    /// Writes a `password_file` named `passwords`, and returns its path.
    @discardableResult
    public static func writePasswords(_ users: [String: String], in folder: URL) throws -> String {
        let file = folder.appendingPathComponent("passwords")
        try Data().write(to: file)
        for (name, password) in users { try run("mosquitto_passwd", "-b", file.path, name, password) }
        return file.path
    }
}

/// A certificate authority and a server certificate from it, made for one test.
public final class Certificates: Sendable {
    /// PEM file of the authority's certificate.
    public let authority: String
    /// PEM file of the server's certificate.
    public let certificate: String
    /// PEM file of the server's key.
    public let key: String
    private let folder: URL

    /// - Parameter name: the host that the server certificate is for, a DNS name or an IPv4 address.
    public init(for name: String) throws {
        let folder = try temporaryFolder("tls")
        func file(_ name: String) -> String { folder.appendingPathComponent(name).path }
        self.folder = folder
        (authority, certificate, key) = (file("ca.pem"), file("server.pem"), file("server.key"))
        let isAddress = name.allSatisfy { $0.isNumber || $0 == "." }
        let alternative = "subjectAltName=\(isAddress ? "IP" : "DNS"):\(name)\n"
        try alternative.write(toFile: file("server.ext"), atomically: true, encoding: .utf8)
        let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
        try run(
            "openssl",
            ["req", "-x509", "-subj", "/CN=Test CA", "-days", "2", "-keyout", file("ca.key"), "-out", authority]
                + newKey)
        try run("openssl", ["req", "-subj", "/CN=\(name)", "-keyout", key, "-out", file("server.csr")] + newKey)
        try run(
            "openssl",
            [
                "x509", "-req", "-in", file("server.csr"), "-CA", authority, "-CAkey", file("ca.key"),
                "-CAcreateserial",
                "-days", "2", "-extfile", file("server.ext"), "-out", certificate,
            ])
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }
}
