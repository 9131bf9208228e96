// Commands: each runs once and gets exactly one reply.

extension Speaker {
    /// The outcome of a command: members of its reply, or why it was refused.
    typealias Outcome = Result<[JSON.Member], CommandError>

    mutating func take(command payload: [UInt8], retained: Bool, at now: Now) {
        let message: [UInt8]
        do throws(Distrust) {
            let addressees = [settings.topics.box, "all"] + settings.topics.groups.map { "group/\($0)" }
            message = try self.message(
                in: payload, lifetime: Speaker.commandLifetime, addressees: addressees, at: now)
        } catch {
            return distrust(command: payload, error, at: now)
        }
        let command: Command
        do {
            command = try Command(decoding: message)
        } catch {
            log(.warning, "command refused: \(error.reason)")
            // An id that was answered before keeps its first reply, whatever the payload now says.
            if let id = error.id { return answer(id, .failure(error)) }
            return publishReply(reply(nil, .failure(error)))
        }
        guard !retained else {
            return publishReply(reply(command.id, .failure(CommandError(reason: "retained"))))
        }
        if let earlier = commands[command.id] { return publishReply(earlier) }
        if let expiry = command.expiresAt, now.wallIsTrusted, expiry < now.wall {
            return answer(command.id, .failure(CommandError(reason: "expired")))
        }
        if command.action == .reload {
            guard !reloading else { return answer(command.id, .failure(CommandError(reason: "busy"))) }
            reloading = true
            perform(.reload(command: command.id))
            return
        }
        answer(command.id, run(command.action, at: now))
    }

    mutating func reloaded(_ result: Result<Voice, ReloadError>, command: String?, at now: Now) {
        reloading = false
        let outcome: Outcome
        switch result {
        case .success(let voice):
            planner = voice.planner
            settings.style = voice.style
            planAgain(at: now)
            reports.problems["voice"] = nil
            log(.notice, "voice pack \(planner.pack.id) \(planner.pack.version)")
            outcome = .success([
                .init("pack", .string(planner.pack.id)), .init("version", .string(planner.pack.version)),
            ])
        case .failure(let error):
            reports.problems["voice"] = error.text
            log(.error, "reload: \(error.text)")
            outcome = .failure(CommandError(reason: error.text))
        }
        if let command { answer(command, outcome) }
    }

    // MARK: - Running

    private mutating func run(_ action: Command.Action, at now: Now) -> Outcome {
        switch action {
        case .repeat: return repeatPayment(at: now)
        case .total: return sayTotal(at: now)
        case .stop: return stop()
        case .sayAmount(let amount, let channel):
            return say(channel.map { .payment(channel: $0, amount: amount) } ?? .amount(amount))
        case .sayText(let text): return say(.text(text))
        case .playPhrase(let key): return say(.phrase(key))
        case .playClip(let words): return say(.text(words))
        case .prompt(let key): return say(.phrase("prompt.\(key)"))
        case .identify: return say(.phrase("prompt.test"))
        case .volume(let change): return setVolume(by: change)
        case .mute(let muted): return mute(muted)
        case .clearQueue: return clearQueue(at: now)
        case .logLevel(let level):
            perform(.setLogLevel(level))
            return .success([.init("level", .string(level.rawValue))])
        case .reload: return .success([])
        }
    }

    /// Has something said that is no notice.
    ///
    /// - Parameter plan: how, where it is not the utterance's own plan.
    mutating func say(_ utterance: Utterance, as plan: ClipPlan? = nil, ignoresMute: Bool = false) -> Outcome {
        guard waiting.count(where: { $0.priority < .payment }) < Speaker.promptLimit else {
            return .failure(CommandError(reason: "busy"))
        }
        do throws(PlanError) {
            let plan = if let plan { plan } else { try planOrSubstitute(utterance).0 }
            enqueue(utterance, plan, priority: .prompt, ignoresMute: ignoresMute)
            return .success([.init("says", .string(plan.text))])
        } catch {
            return .failure(CommandError(reason: error.reason))
        }
    }

    private mutating func stop() -> Outcome {
        guard current != nil else { return .success([.init("stopped", false)]) }
        perform(.stop)
        return .success([.init("stopped", true)])
    }

    private mutating func setVolume(by change: Command.VolumeChange) -> Outcome {
        switch change {
        case .to(let value): setVolume(value)
        case .by(let step): setVolume(kept.volume + step)
        }
        let volume = kept.volume
        _ = say(volume == 100 ? .phrase("prompt.volume-max") : .phrase("prompt.volume", .init(volume: volume)))
        return .success([.init("volume", JSON(volume))])
    }

    private mutating func mute(_ muted: Bool) -> Outcome {
        setMuted(muted)
        // Heard in either case: a box that falls silent without a word seems broken.
        _ = say(.phrase(muted ? "prompt.muted" : "prompt.unmuted"), ignoresMute: effectiveVolume > 0)
        return .success([.init("muted", .bool(muted))])
    }

    private mutating func clearQueue(at now: Now) -> Outcome {
        let announcements = waiting
        waiting = []
        let late = offline.take()
        var cleared = late.reduce(0) { $0 + $1.count }
        for announcement in announcements {
            cleared += summaries[announcement.id]?.count ?? 1
            finish(announcement, .failed, reason: "cleared", at: now)
        }
        for summary in late { finish(summary, .failed, reason: "cleared", at: now) }
        cleared += clearOverflow()
        return .success([.init("cleared", JSON(cleared))])
    }

    // MARK: - Answering

    private mutating func answer(_ id: String, _ outcome: Outcome) {
        if let earlier = commands[id] { return publishReply(earlier) }
        let record = CommandRecord(id: id, reply: reply(id, outcome))
        commands.remember(record)
        turn.hasRecords = true
        perform(.recordCommand(record))
        publishReply(record.reply)
    }

    func reply(_ id: String?, _ outcome: Outcome) -> String {
        let id = JSON.Member("id", id.map { .string($0) } ?? .null)
        switch outcome {
        case .success(let members): return JSON.object([id, .init("ok", true)] + members).text
        case .failure(let error):
            return JSON.object([id, .init("ok", false), .init("reason", .string(error.reason))]).text
        }
    }

    private mutating func publishReply(_ reply: String) {
        perform(.publish(Publication(topic: settings.topics.commandReply, payload: reply, qos: 1)))
    }
}
