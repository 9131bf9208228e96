import Foundation
import SoundboxCore
import TestBroker
import Testing

/// Keys made and notices signed on the command line, and a box that believes nobody else.
@Suite(.timeLimit(.minutes(5)))
struct SignatureTests {
    /// A daemon that requires signatures, and the folder where its keys are.
    private func daemon(_ broker: Broker) throws -> (daemon: Daemon, keys: URL) {
        let daemon = try Daemon(port: broker.port)
        let keys = daemon.folder.appendingPathComponent("keys")
        try FileManager.default.createDirectory(at: keys, withIntermediateDirectories: true)
        try daemon.add("[policy]", "require_signature = yes", "[trust]", "notice_keys = \(keys.path)")
        return (daemon, keys)
    }

    /// Makes a key pair, gives its public half to the box, and returns the private one's file.
    private func makeKey(_ id: String, for keys: URL, in daemon: Daemon) throws -> String {
        let file = daemon.folder.appendingPathComponent("\(id)-private.jwk").path
        let made = try soundbox("fleet", "keygen", id, "--out", file)
        #expect(made.status == 0 && !made.output.contains(#""d""#), "\(made)")
        try made.output.write(to: keys.appendingPathComponent("\(id).jwk"), atomically: true, encoding: .utf8)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        return file
    }

    private func sign(_ notice: String, key: String, box: String = "b1") throws -> String {
        let result = try soundbox("fleet", "sign-notice", "--key", key, "--box", box, input: notice)
        #expect(result.status == 0, "\(result)")
        return result.output.trimmingCharacters(in: .newlines)
    }

    @Test("A signed payment is spoken; an unsigned, a foreign and a forged one are silent and answered")
    func believesNobodyElse() throws {
        let broker = try Broker()
        let (daemon, keys) = try daemon(broker)
        let key = try makeKey("shop", for: keys, in: daemon)
        let foreign = try makeKey("foreign", for: daemon.folder, in: daemon)
        let backend = try Backend(port: broker.port)
        try daemon.start()
        try backend.status("online")
        for payload in [
            #"{"id":"f1","amount":"1"}"#, try sign(#"{"id":"f2","amount":"1"}"#, key: foreign),
            try sign(#"{"id":"f3","amount":"1"}"#, key: key, box: "b2"),
            try sign(#"{"id":"f4","amount":"1"}"#, key: key).replacingOccurrences(of: "eyJ", with: "eyK"),
        ] { try backend.pay(payload) }
        try backend.pay(try sign(#"{"id":"n1","amount":"1.23"}"#, key: key))
        try backend.receipt("n1", "spoken")
        let paid = try soundbox("pay", "4.56", "--key", key, "--config", daemon.configuration)
        #expect(paid.status == 0 && paid.output.contains("spoken"), "\(paid)")
        let refused = try soundbox("pay", "4.56", "--config", daemon.configuration)
        #expect(refused.status == 1 && refused.output == "rejected  unsigned\n", "\(refused)")
        #expect(daemon.stop() == 0)
        let amounts = try ["1.23", "4.56"].map { try Amount(parsing: $0, currency: .cny) }
        let expected = try daemon.rendered(amounts.map { .payment(channel: nil, amount: $0) })
        #expect(try daemon.heard().filter { $0 != 0 }.count == expected.filter { $0 != 0 }.count)
    }

    @Test("Keys are rotated without a restart: the new one is believed after SIGHUP, the removed one no more")
    func rotation() throws {
        let broker = try Broker()
        let (daemon, keys) = try daemon(broker)
        let old = try makeKey("old", for: keys, in: daemon)
        let backend = try Backend(port: broker.port)
        try daemon.start()
        try backend.status("online")
        try backend.pay(try sign(#"{"id":"n1","amount":"1"}"#, key: old))
        try backend.receipt("n1", "spoken")
        let new = try makeKey("new", for: keys, in: daemon)
        try FileManager.default.removeItem(at: keys.appendingPathComponent("old.jwk"))
        daemon.signal(SIGHUP)
        try daemon.awaitLog("voice pack ")
        try backend.pay(try sign(#"{"id":"n2","amount":"1"}"#, key: new))
        try backend.receipt("n2", "spoken")
        let refused = try soundbox("pay", "1", "--key", old, "--config", daemon.configuration)
        #expect(refused.status == 1 && refused.output == "rejected  signature\n", "\(refused)")
    }

    @Test("A box that must not believe unsigned notices, and has no keys, does not start")
    func noKeys() throws {
        let daemon = try Daemon(port: 1, settings: ["[policy]", "require_signature = yes"])
        let result = try soundbox("run", "--config", daemon.configuration)
        #expect(result.status == 1 && result.errors.contains("policy.require_signature needs trust.notice_keys"))
    }

    @Test("A key is not overwritten, and a file without its private part cannot sign")
    func commandLine() throws {
        let folder = try temporaryFolder("keys")
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("k.jwk").path
        let made = try soundbox("fleet", "keygen", "k", "--out", file)
        let again = try soundbox("fleet", "keygen", "k", "--out", file)
        #expect(again.status == 1 && again.errors == "soundbox: fleet keygen: open \(file): File exists\n", "\(again)")
        let half = folder.appendingPathComponent("half.jwk").path
        try made.output.write(toFile: half, atomically: true, encoding: .utf8)
        let mute = try soundbox("fleet", "sign-notice", "--key", half, "--box", "b1", input: "{}")
        #expect(mute.status == 1 && mute.errors.contains("has no private part"))
        let broken = try soundbox("fleet", "sign-notice", "--key", file, "--box", "b1", input: "{")
        #expect(broken.status == 1 && broken.output.isEmpty)
        let secret = folder.appendingPathComponent("s.jwk").path
        #expect(try soundbox("fleet", "keygen", "s", "--secret", "--out", secret).output.isEmpty)
        #expect(try soundbox("fleet", "sign-notice", "--key", secret, "--box", "b1", input: "{}").status == 0)
        #expect(try soundbox("fleet").status == 2)
    }
}
