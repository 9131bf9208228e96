import SoundboxCore
import SoundboxPlatform
import SoundboxRuntime
import SoundboxTrust

extension Subcommand {
    /// Publishes a notice as a backend would.
    static let pay = Subcommand(
        name: "pay", synopsis: "AMOUNT [OPTION]…",
        summary: "Publish a payment to the box's broker, wait for its receipts, print them with the latency.",
        options: [
            Option("channel", "CHANNEL", "alipay, wechat, unionpay, …"), .currency,
            Option("id", "ID", "the notice's id (default: a new one)"),
            Option("timeout", "SECONDS", "how long to wait for the last receipt (default 60)"), .key, .config,
        ]
    ) { (arguments) throws(Failure) in
        let amount = try arguments.amount()
        let seconds = try arguments.integer("timeout", in: 1...3600) ?? 60
        let configuration = try arguments.boxConfiguration()
        let id = arguments["id"] ?? "pay-\(SystemClock.wall.milliseconds)-\(UInt16.random(in: 0 ... .max))"
        var members: [JSON.Member] = [.init("id", .string(id))]
        if let channel = arguments["channel"] { members.append(.init("channel", .string(channel))) }
        members += [
            .init("amount", .string(amount.decimalText)), .init("currency", .string(amount.currency.code)),
            .init("paidAt", .string(SystemClock.wall.text)),
        ]
        let notice = JSON.object(members)
        let payload =
            try arguments.signingKey().map { (key) throws(Failure) in
                try FleetCommand.sealed(notice, for: configuration.box.id, by: key)
            } ?? notice.text
        let digest = Digest.sha256(Array(payload.utf8))
        let deadline = SystemClock.monotonic + UInt64(seconds) * 1_000_000_000
        do throws(BrokerError) {
            let broker = try BrokerClient(
                configuration, topics: [configuration.topics.receipt], milliseconds: seconds * 1000)
            defer { broker.close() }
            try broker.publish(payload, to: configuration.topics.pay)
            while SystemClock.monotonic < deadline {
                let left = Int((deadline - SystemClock.monotonic) / 1_000_000)
                guard let message = try broker.next(milliseconds: left) else { break }
                // A box that does not trust the notice does not believe its id, either.
                guard let receipt = try? JSON(parsing: message.payload),
                    receipt["id"]?.string == id || receipt["sha256"]?.string == digest
                else { continue }
                Console.print(line(receipt))
                switch receipt["state"]?.string {
                case "accepted", "speaking": continue
                case "spoken": return 0
                default: return 1
                }
            }
        } catch {
            throw Failure("broker \(configuration.broker.host):\(configuration.brokerPort)", error)
        }
        throw Failure("pay", "no final receipt for \(id) within \(seconds) s")
    }

    private static func line(_ receipt: JSON) -> String {
        var parts = [receipt["state"]?.string ?? "?"]
        if let reason = receipt["reason"]?.string { parts.append(reason) }
        if let latency = receipt["latencyMs"]?.integer { parts.append("latency \(latency) ms") }
        if let queued = receipt["queuedMs"]?.integer, queued > 0 { parts.append("queued \(queued) ms") }
        return parts.joined(separator: "  ")
    }

    /// Asks the broker what the box last said of itself.
    static let status = Subcommand(
        name: "status", synopsis: "[OPTION]…",
        summary: "Print the box's status, as its broker keeps it. Exit status 1 unless it is online.",
        options: [.config, Option("json", nil, "print the status as it was published")]
    ) { (arguments) throws(Failure) in
        let configuration = try arguments.boxConfiguration()
        do throws(BrokerError) {
            let broker = try BrokerClient(configuration, topics: [configuration.topics.status], milliseconds: 5000)
            defer { broker.close() }
            guard let message = try broker.next(milliseconds: 2000), let status = try? JSON(parsing: message.payload)
            else {
                throw BrokerError("no status of box \(configuration.box.id)")
            }
            if arguments.has("json") {
                Console.print(status.text)
            } else {
                for member in status.members ?? [] {
                    Console.print("\(member.key): \(member.value.string ?? member.value.text)")
                }
            }
            return status["state"] == "online" ? 0 : 1
        } catch {
            throw Failure("broker \(configuration.broker.host):\(configuration.brokerPort)", error)
        }
    }
}

extension Arguments {
    /// The configuration of a box, which has to be there.
    func boxConfiguration() throws(Failure) -> Configuration {
        guard let configuration = try configuration() else {
            throw Failure("configuration", "\(Configuration.defaultFile) is not there: name one with --config")
        }
        return configuration
    }
}
