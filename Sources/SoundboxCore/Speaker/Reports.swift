/// What the box knows about itself.
struct Reports {
    /// Nanoseconds between two telemetry messages.
    static let telemetryInterval: UInt64 = 60_000_000_000
    /// A status whose only news is the length of the queue waits this long for more, in nanoseconds.
    static let queueInterval: UInt64 = 1_000_000_000

    let startedAt: UInt64
    var notices = 0
    var duplicates = 0
    var rejected = 0
    /// Messages whose signature was missing or wrong, of all topics.
    var distrusted = 0
    /// When the next of them is worth a line in the log, on the monotonic clock.
    var distrustDue: UInt64 = 0
    var spoken = 0
    var expired = 0
    var failed = 0
    /// Notices that were paid in the future.
    var ahead = 0
    var underruns = 0
    var connects = 0
    var card: String?
    /// The reason of the last rejected notice.
    var lastError: String?
    /// What is wrong now, by part.
    var problems: [String: String] = [:]

    /// Latencies of the latest notices, in milliseconds.
    private var latencies: [Int] = []
    private var latencyCount = 0

    var telemetryDue: UInt64
    var statusDue: UInt64?
    /// The last status that was published, without and with what may change often.
    var publishedStatus: (essence: JSON, queue: Int)?

    init(startedAt: UInt64) {
        self.startedAt = startedAt
        telemetryDue = startedAt + Reports.telemetryInterval
    }

    mutating func count(_ state: NoticeRecord.State) {
        switch state {
        case .accepted: break
        case .spoken: spoken += 1
        case .expired: expired += 1
        case .failed: failed += 1
        }
    }

    mutating func latency(milliseconds: Int) {
        if latencies.count < 256 {
            latencies.append(milliseconds)
        } else {
            latencies[latencyCount % 256] = milliseconds
        }
        latencyCount += 1
    }

    /// Median, 90th and 99th percentile and maximum of the latest latencies, in milliseconds; nil before the first.
    var latencySummary: JSON? {
        guard !latencies.isEmpty else { return nil }
        let sorted = latencies.sorted()
        func percentile(_ percent: Int) -> JSON { JSON(sorted[(sorted.count - 1) * percent / 100]) }
        return .object([
            .init("p50", percentile(50)), .init("p90", percentile(90)), .init("p99", percentile(99)),
            .init("max", percentile(100)),
        ])
    }
}

extension Speaker {
    mutating func connected() {
        isConnected = true
        reports.connects += 1
        reports.publishedStatus = nil
        reports.problems["broker"] = nil
        log(.notice, "connected to the broker")
        sayOnline()
        announceToHomeAssistant()
    }

    mutating func disconnected(_ reason: String, at now: Now) {
        isConnected = false
        panel.offlineSince = panel.offlineSince ?? now.monotonic
        log(.warning, "no broker: \(reason)")
    }

    /// Publishes the status where it changed, and telemetry when it is due.
    mutating func report(at now: Now) {
        if now.monotonic >= reports.telemetryDue {
            reports.telemetryDue = now.monotonic + Reports.telemetryInterval
            if isConnected { perform(.telemetry(telemetry(at: now))) }
        }
        guard isConnected else { return reports.statusDue = nil }
        let essence = status("online", withQueue: false)
        if let published = reports.publishedStatus, published.essence == essence {
            guard published.queue != queueLength else { return reports.statusDue = nil }
            let due = reports.statusDue ?? now.monotonic + Reports.queueInterval
            reports.statusDue = due
            guard now.monotonic >= due else { return }
        }
        reports.statusDue = nil
        reports.publishedStatus = (essence, queueLength)
        perform(
            .publish(Publication(topic: settings.topics.status, payload: status("online").text, qos: 1, retained: true))
        )
    }

    func status(_ state: String, withQueue: Bool = true) -> JSON {
        var members: [JSON.Member] = [
            .init("state", .string(state)), .init("box", .string(settings.topics.box)),
            .init("version", .string(settings.version)),
            .init(
                "pack",
                .object([.init("id", .string(planner.pack.id)), .init("version", .string(planner.pack.version))])),
            .init("volume", JSON(kept.volume)), .init("muted", .bool(kept.isMuted)),
            .init("card", reports.card.map { .string($0) } ?? .null),
        ]
        if !settings.name.isEmpty { members.insert(.init("name", .string(settings.name)), at: 2) }
        if withQueue { members.append(.init("queue", JSON(queueLength))) }
        let problems = reports.problems.sorted { $0.key < $1.key }
        members.append(.init("problems", .object(problems.map { .init($0.key, .string($0.value)) })))
        members.append(.init("lastError", reports.lastError.map { .string($0) } ?? .null))
        return .object(members)
    }

    private func telemetry(at now: Now) -> [JSON.Member] {
        var members: [JSON.Member] = [
            .init("at", .string(now.wall.text)),
            .init("uptimeS", JSON((now.monotonic - reports.startedAt) / 1_000_000_000)),
            .init("notices", JSON(reports.notices)), .init("spoken", JSON(reports.spoken)),
            .init("failed", JSON(reports.failed)), .init("expired", JSON(reports.expired)),
            .init("rejected", JSON(reports.rejected)), .init("distrusted", JSON(reports.distrusted)),
            .init("duplicates", JSON(reports.duplicates)),
            .init("paidAhead", JSON(reports.ahead)),
            .init("xruns", JSON(reports.underruns)), .init("reconnects", JSON(max(0, reports.connects - 1))),
        ]
        if let latency = reports.latencySummary { members.append(.init("latencyMs", latency)) }
        return members
    }
}
