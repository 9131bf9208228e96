// What presses come to, what the lights have to tell, and what the box says of itself.

extension Speaker {
    /// A press of a volume button is so much of the volume.
    static let volumeStep = 5

    /// What the lights have to tell now.
    public func indication(at now: Now) -> Indication {
        var causes = Set<ErrorCause>()
        if reports.problems["card"] != nil { causes.insert(.card) }
        if reports.problems["voice"] != nil { causes.insert(.pack) }
        if reports.problems["journal"] != nil { causes.insert(.journal) }
        if !now.wallIsTrusted, now.monotonic >= reports.startedAt + PanelState.clockPatience { causes.insert(.clock) }
        if panel.wasRejected { causes.insert(.rejected) }
        if panel.wasHung { causes.insert(.hung) }
        return Indication(
            network: reports.problems["broker"] != nil ? .refused : isConnected ? .online : .connecting,
            isSpeaking: current?.priority == .payment, payments: panel.payments, causes: causes,
            isNight: isNight)
    }

    /// Whether a payment is being said again, on a press or a command.
    public var isRepeating: Bool { current != nil && current?.id == panel.repetition }

    mutating func press(_ action: Buttons.Action, at now: Now) {
        switch action {
        case .pressed(.repeat): sound(.tick)
        // These are answered by what they do.
        case .pressed: break
        case .repeatPayment(let back): repeatPayment(back: back, at: now)
        case .stop: if isRepeating { perform(.stop) }
        case .total: _ = sayTotal(at: now)
        case .countdown: sound(.chime)
        case .reset: reset()
        case .volume(let steps): changeVolume(by: steps * Speaker.volumeStep)
        case .mute:
            setMuted(!kept.isMuted)
            tell(kept.isMuted ? "muted" : "unmuted", for: .muted, ignoresMute: effectiveVolume > 0)
        case .stuck(let role): reports.problems["button_\(role.rawValue)"] = "stuck"
        case .freed(let role): reports.problems["button_\(role.rawValue)"] = nil
        }
    }

    /// A light or a button has gone, or is back.
    mutating func line(_ key: String, problem: String?) {
        reports.problems[key] = problem
        if let problem { log(.error, "\(key): \(problem)") } else { log(.notice, "\(key): there again") }
    }

    private mutating func repeatPayment(back: Int, at now: Now) {
        guard settings.prompts.contains(.nothingYet) || ports.spokenPayment(0) != nil else { return sound(.tick) }
        _ = repeatPayment(back: back, instead: back > 0 ? repetition : nil, at: now)
    }

    /// By what is heard, so that each press is: at night no further up than the night allows, and down from there.
    private mutating func changeVolume(by change: Int) {
        if kept.isMuted { setMuted(false) }
        // Silence is what the mute button is for: a button that is leant on must not lose a payment.
        let range = Speaker.volumeStep...max(cap, Speaker.volumeStep)
        let volume = min(max(effectiveVolume + change, range.lowerBound), range.upperBound)
        if volume != effectiveVolume { setVolume(volume) }
        if change > 0, volume == range.upperBound { return tell("volume-max", for: .volume) }
        if change < 0, volume == range.lowerBound { return tell("volume-min", for: .volume) }
        sound(.tick)
    }

    /// What was set on the box or by its operator goes back to what the configuration says.
    private mutating func reset() {
        setVolume(settings.volume)
        setMuted(false)
        _ = say(.phrase("prompt.reset-done"))
        log(.notice, "reset by the button")
    }

    /// Answers by a tone where the box is silent, else by a light.
    private mutating func sound(_ tone: ClipPlan.Tone) {
        let isFree = current.map { $0.priority == .chime } ?? true && waiting.allSatisfy { $0.priority == .chime }
        guard isFree, cardIsPresent, !isSilent else { return perform(.answer) }
        waiting.removeAll()
        enqueue(.text(""), ClipPlan(text: "", steps: [.tone(tone)]), priority: .chime)
    }

    /// Says what is the same as long as a button is held only once, and answers by a tone where it is not to be said.
    private mutating func tell(_ key: String, for prompt: Prompt, ignoresMute: Bool = false) {
        guard settings.prompts.contains(prompt) else { return sound(.tick) }
        let utterance = Utterance.phrase("prompt.\(key)")
        guard current?.utterance != utterance, !waiting.contains(where: { $0.utterance == utterance }) else { return }
        _ = say(utterance, ignoresMute: ignoresMute)
    }

    // MARK: - Prompts

    mutating func sayStarted() {
        guard !panel.hasStarted else { return }
        panel.hasStarted = true
        if settings.prompts.contains(.started) { _ = say(.phrase("prompt.started")) }
    }

    mutating func sayOnline() {
        panel.offlineSince = nil
        guard !panel.saidOnline || panel.saidOffline else { return }
        panel.saidOnline = true
        panel.saidOffline = false
        if settings.prompts.contains(.online) { _ = say(.phrase("prompt.online")) }
    }

    mutating func sayOffline(at now: Now) {
        guard now.monotonic >= panel.offlineDue else { return }
        panel.saidOffline = true
        if settings.prompts.contains(.offline) { _ = say(.phrase("prompt.offline")) }
    }
}
