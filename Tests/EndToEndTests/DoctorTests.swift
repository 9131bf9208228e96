import Foundation
import SoundboxCore
import SoundboxPlatform
import TestBroker
import Testing

/// `soundbox doctor`, beside a daemon that runs and in place of one that does not.
@Suite(.timeLimit(.minutes(5)))
struct DoctorTests {
    private struct Finding: Equatable {
        var level: String
        var text: String
        var hasRemedy: Bool
    }

    /// What is said of a part, and the exit status.
    private func examine(_ daemon: Daemon) throws -> (status: Int32, findings: [String: [Finding]]) {
        let result = try soundbox("doctor", "--quiet", "--json", "--config", daemon.configuration)
        let json = try JSON(parsing: result.output.trimmingCharacters(in: .newlines))
        var findings: [String: [Finding]] = [:]
        guard case .array(let entries) = json["findings"] else { return (result.status, [:]) }
        for finding in entries {
            let part = finding["part"]?.string ?? ""
            findings[part, default: []].append(
                Finding(
                    level: finding["level"]?.string ?? "", text: finding["text"]?.string ?? "",
                    hasRemedy: finding["remedy"] != nil))
        }
        let isError = findings.values.joined().contains { $0.level == "error" }
        #expect((json["level"] == "error") == isError)
        #expect(result.status == (isError ? 1 : 0), "\(result)")
        return (result.status, findings)
    }

    @Test("A box that runs: service, broker, card and journal are well, and the daemon does not notice")
    func well() throws {
        let broker = try Broker()
        let backend = try Backend(port: broker.port)
        let daemon = try Daemon(port: broker.port, settings: ["[audio]", "device = null"])
        try daemon.start()
        try backend.status("online")
        let (_, findings) = try examine(daemon)
        #expect(findings["service"]?.first?.level == "ok")
        #expect(findings["card"]?.first?.level == "ok" && findings["card"]?.first?.text.hasPrefix("null: ") == true)
        #expect(findings["broker"]?.map(\.level) == ["ok", "ok"], "\(findings)")
        #expect(findings["broker"]?.last?.text == "the box's status there: online")
        #expect(findings["journal"]?.allSatisfy { $0.level == "ok" } == true, "\(findings)")
        try backend.pay(#"{"id":"n1","amount":"1"}"#)
        try backend.receipt("n1", "spoken")
        #expect(daemon.stop() == 0)
    }

    @Test("What is wrong has its part, an error and a remedy; exit status 1")
    func unwell() throws {
        let port = try freePort()
        let daemon = try Daemon(
            port: port, settings: ["[audio]", "device = nowhere", "[voice]", "pack = none", "[box]", "colour = red"])
        let (status, findings) = try examine(daemon)
        #expect(status == 1)
        for part in ["card", "broker", "pack"] {
            let first = try #require(findings[part]?.first, "\(part)")
            #expect(first.level == "error" && first.hasRemedy, "\(part): \(first)")
        }
        #expect(findings["broker"]?.count == 1)
        #expect(findings["service"]?.first?.level == "warning")
        #expect(findings["config"]?.first?.text.hasSuffix("unknown key box.colour") == true)
        // What is printed for people says the same.
        let text = try soundbox("doctor", "--quiet", "--config", daemon.configuration).output
        #expect(text.contains("error    broker   127.0.0.1:\(port): Connection refused\n"))
        #expect(text.contains(" → [broker] port in \(daemon.configuration)"))
    }

    @Test("A name that nobody knows, a broker that refuses, and another box under the same id are told apart")
    func brokers() throws {
        let unknown = try Daemon(port: 1, settings: ["[broker]", "host = no.such.host.invalid"])
        #expect(try examine(unknown).findings["broker"]?.first?.text.contains("no address") == true)

        var options = Broker.Options()
        options.users = ["box": "secret"]
        let refusing = try Daemon(port: try Broker(options).port)
        #expect(try examine(refusing).findings["broker"]?.first?.level == "error")

        let broker = try Broker()
        let backend = try Backend(port: broker.port)
        let one = try Daemon(port: broker.port)
        try one.start()
        try backend.status("online")
        try backend.pay(#"{"id":"n1","amount":"1"}"#)
        try backend.receipt("n1", "spoken")
        let heard = try one.heard()
        #expect(try examine(one).findings["card"]?.first?.text.hasSuffix("a file, which is left alone") == true)
        #expect(try one.heard().starts(with: heard) && !heard.isEmpty)
        let other = try Daemon(port: broker.port)
        let texts = try examine(other).findings["broker"]?.map(\.text)
        #expect(texts?.last == "a box with the id b1 is online, and it is not this one")
    }

    @Test("A second daemon on the same state ends at once and names the first; a killed one leaves no lock behind")
    func oneAtATime() throws {
        let broker = try Broker()
        let daemon = try Daemon(port: broker.port)
        try daemon.start()
        let backend = try Backend(port: broker.port)
        try backend.status("online")
        let second = try soundbox("run", "--config", daemon.configuration)
        #expect(second.status == 1 && second.errors.contains("/state is in use by process "), "\(second)")
        daemon.kill()
        try daemon.start()
        try backend.pay(#"{"id":"n1","amount":"1"}"#)
        try backend.receipt("n1", "spoken")
    }
}
