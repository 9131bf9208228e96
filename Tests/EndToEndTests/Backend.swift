import Foundation
import SoundboxCore
import SoundboxMQTT

/// A backend at the broker: publishes, and keeps everything that the box says.
final class Backend: @unchecked Sendable {
    /// One message of the box.
    struct Message {
        var topic: String
        var json: JSON
        var retained: Bool
    }

    private let condition = NSCondition()
    private var messages: [Message] = []
    private var words: [String: Set<String>] = [:]
    private var subscriptions = 0
    private var client: MQTTClient?

    /// Connects and listens to everything. What comes while its connection is away it gets later, where `isPersistent`.
    init(
        port: UInt16, username: String? = nil, password: String? = nil, caFile: String? = nil,
        isPersistent: Bool = false
    ) throws {
        var settings = MQTTClient.Settings(host: "127.0.0.1", port: port, clientID: "backend-\(UUID().uuidString)")
        settings.username = username
        settings.password = password
        settings.caFile = caFile
        settings.cleanSession = !isPersistent
        settings.subscriptions = [MQTTSubscription("soundbox/#")]
        settings.backOff = 20...100
        let client = try MQTTClient(settings) { [weak self] in self?.take($0) }
        self.client = client
        try client.start()
        try subscribed(times: 1)
    }

    deinit {
        client?.stop()
    }

    private func take(_ event: MQTTEvent) {
        condition.lock()
        defer { condition.unlock() }
        switch event {
        case .subscribed: subscriptions += 1
        case .message(let message):
            guard let json = try? JSON(parsing: message.payload) else { break }
            keep(Message(topic: message.topic, json: json, retained: message.retained))
        case .batch(let batch): client?.release(batch: batch)
        default: break
        }
        condition.broadcast()
    }

    /// Waits until it has connected and subscribed so many times.
    func subscribed(times: Int) throws {
        try until("subscribed \(times) times") { $0.subscriptions >= times }
    }

    private func until(_ what: String, _ isDone: (Backend) -> Bool) throws {
        condition.lock()
        defer { condition.unlock() }
        let deadline = Date().addingTimeInterval(60)
        while !isDone(self) {
            guard condition.wait(until: deadline) else {
                let seen = messages.map { "\($0.topic) \($0.json.text)" }.joined(separator: "\n")
                throw DaemonError(description: "waited in vain until \(what); seen:\n\(seen)")
            }
        }
    }

    func publish(_ topic: String, _ payload: some Sequence<UInt8>, retained: Bool = false) throws {
        _ = try client?.publish(
            MQTTPublication(topic: "soundbox/\(topic)", payload: Array(payload), retained: retained))
    }

    func pay(_ payload: String) throws {
        try publish("b1/pay", payload.utf8)
    }

    /// Sends a command and waits for its reply.
    func command(_ payload: String, id: String) throws -> JSON {
        let before = count(of: "b1/cmd/reply", id)
        try publish("b1/cmd", payload.utf8)
        try until("a reply to \(id)") { $0.all(of: "b1/cmd/reply", id).count > before }
        return locked { $0.all(of: "b1/cmd/reply", id).last ?? .null }
    }

    private func locked<Result>(_ body: (Backend) -> Result) -> Result {
        condition.lock()
        defer { condition.unlock() }
        return body(self)
    }

    private func all(of topic: String, _ id: String) -> [JSON] {
        messages.filter { $0.topic == "soundbox/\(topic)" && ($0.json["id"]?.string ?? "null") == id }.map(\.json)
    }

    private func count(of topic: String, _ id: String) -> Int { locked { $0.all(of: topic, id).count } }

    /// Waits for the receipt of a notice in this state, and returns it.
    @discardableResult
    func receipt(_ id: String, _ state: String, count: Int = 1) throws -> JSON {
        func found(_ backend: Backend) -> [JSON] {
            backend.all(of: "b1/receipt", id).filter { $0["state"]?.string == state }
        }
        try until("\(id) is \(state)") { found($0).count >= count }
        return locked { found($0)[count - 1] }
    }

    /// The states of a notice's receipts so far, in order.
    func states(_ id: String) -> [String] {
        locked { $0.all(of: "b1/receipt", id).compactMap { $0["state"]?.string } }
    }

    /// Waits until all of them have a final receipt; returns those of all notices, each once: a box sends one again where it
    /// died before the broker's answer was noted.
    func lastWords(of ids: [String]) throws -> [String: Set<String>] {
        try until("all have their last word") { backend in ids.allSatisfy { backend.words[$0] != nil } }
        return locked { $0.words }
    }

    private func keep(_ message: Message) {
        messages.append(message)
        guard message.topic == "soundbox/b1/receipt", let id = message.json["id"]?.string,
            let state = message.json["state"]?.string, ["spoken", "expired", "failed"].contains(state)
        else { return }
        words[id, default: []].insert(message.json.text)
    }

    /// The ids of the receipts in this state so far, in the order in which they came.
    func ids(_ state: String) -> [String] {
        locked { backend in
            backend.messages.filter { $0.topic == "soundbox/b1/receipt" && $0.json["state"]?.string == state }
                .compactMap { $0.json["id"]?.string }
        }
    }

    /// Waits until the newest status of the box fits.
    @discardableResult
    func status(_ what: String, _ fits: @escaping (JSON) -> Bool) throws -> JSON {
        func newest(_ backend: Backend) -> JSON? {
            backend.messages.last { $0.topic == "soundbox/b1/status" }?.json
        }
        try until("the status is \(what)") { newest($0).map(fits) ?? false }
        return locked { newest($0) ?? .null }
    }

    /// Waits until the newest status says so.
    @discardableResult
    func status(_ state: String) throws -> JSON {
        try status(state) { $0["state"]?.string == state }
    }
}
