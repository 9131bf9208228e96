import Foundation

/// Why a test cannot be set up.
public struct SupportError: Error, CustomStringConvertible {
    /// What failed and what it said.
    public let description: String

    init(what: String, _ why: String) {
        description = "\(what): \(why)"
    }
}

/// A new folder of its own: in memory where the system has such a place, since on a disk a test that commits often
/// waits for little else.
public func temporaryFolder(_ name: String) throws -> URL {
    let memory = URL(fileURLWithPath: "/dev/shm")
    let isThere = FileManager.default.isWritableFile(atPath: memory.path)
    let parent = isThere ? memory : FileManager.default.temporaryDirectory
    let folder = parent.appendingPathComponent("soundbox-\(name)-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
}

/// A program from PATH or the folders for system programs.
public func tool(_ name: String) throws -> URL {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    for folder in path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/bin"] {
        let file = URL(fileURLWithPath: folder).appendingPathComponent(name)
        if FileManager.default.isExecutableFile(atPath: file.path) { return file }
    }
    throw SupportError(what: name, "not found")
}

/// A test runs on a thread that blocks SIGTERM, and a child would inherit that and never hear of its end.
public func withSignalsUnblocked<Result>(_ body: () throws -> Result) rethrows -> Result {
    var none = sigset_t()
    var before = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    return try body()
}

/// Runs a program to its end.
public func run(_ name: String, _ arguments: String...) throws {
    try run(name, arguments)
}

func run(_ name: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = try tool(name)
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw SupportError(what: name, text) }
}

/// Whether this system knows a host by this name. getaddrinfo(3).
public func resolves(_ name: String) -> Bool {
    var found: UnsafeMutablePointer<addrinfo>?
    defer { if found != nil { freeaddrinfo(found) } }
    return getaddrinfo(name, nil, nil, &found) == 0
}

/// A TCP port of the loopback interface that nothing listens on: below those that the system gives to outgoing
/// connections, one of which might take it before it is used.
public func freePort() throws -> UInt16 {
    for _ in 0..<100 {
        if let listener = try? Listener(port: UInt16.random(in: 20_000..<32_000)) { return listener.port }
    }
    throw SupportError(what: "free port", "none found")
}

func withLoopback<Result>(_ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
    }
}

/// A listening TCP socket of the loopback interface. As such it takes connections and never says a word.
public final class Listener: Sendable {
    /// Its TCP port.
    public let port: UInt16
    /// The socket, to accept from.
    public let descriptor: Int32

    /// - Parameters:
    ///   - port: 0 for one that the system chooses.
    ///   - backlog: connections that the kernel completes without an `accept`, minus one.
    public init(port: UInt16 = 0, backlog: Int32 = 16) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.descriptor = descriptor
        guard withLoopback(port, { bind(descriptor, $0, $1) }) == 0, listen(descriptor, backlog) == 0 else {
            close(descriptor)
            throw SupportError(what: "listen", String(cString: strerror(errno)))
        }
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
        }
        self.port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        close(descriptor)
    }
}

/// Events as they come in on any thread, for a test that waits for them.
public final class EventLog<Event: Sendable>: @unchecked Sendable {
    private let condition = NSCondition()
    private var events: [Event] = []

    /// A log without events.
    public init() {}

    /// Adds an event. Any thread.
    public func append(_ event: Event) {
        condition.lock()
        events.append(event)
        condition.broadcast()
        condition.unlock()
    }

    /// The events so far.
    public var all: [Event] {
        condition.lock()
        defer { condition.unlock() }
        return events
    }

    /// Waits until `find` makes something of the events so far; throws after `seconds`, with what there was.
    @discardableResult
    public func wait<Found>(seconds: Double = 30, _ find: ([Event]) -> Found?) throws -> Found {
        condition.lock()
        defer { condition.unlock() }
        let deadline = Date().addingTimeInterval(seconds)
        while true {
            if let found = find(events) { return found }
            guard condition.wait(until: deadline) else { throw SupportError(what: "wait", "got only \(events)") }
        }
    }
}
