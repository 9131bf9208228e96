// One announcement after the other, payments before prompts, none over another.

extension Speaker {
    /// Announcements that nobody paid for are not worth a long wait.
    static let promptLimit = 16

    mutating func enqueue(
        _ utterance: Utterance, _ plan: ClipPlan, priority: Priority, notice: String? = nil, ignoresMute: Bool = false
    ) {
        announcements += 1
        let announcement = Announcement(
            id: announcements, utterance: utterance, plan: plan, priority: priority, notice: notice,
            ignoresMute: ignoresMute)
        // A tick that would come after something else answers nobody's press any more.
        if priority > .chime { waiting.removeAll { $0.priority == .chime } }
        let place = waiting.lastIndex { $0.priority >= priority }.map { $0 + 1 } ?? 0
        waiting.insert(announcement, at: place)
    }

    /// Whether the next announcement could be said at once.
    var canSpeak: Bool { current == nil && cardIsPresent && !isStopping }

    /// Hands the next announcement to the audio engine where it is free and there is a card.
    mutating func playNext(at now: Now) {
        guard canSpeak else { return }
        gather(at: now)
        // All of it is looked at before anything is said, so that one sentence can say it.
        guard !overflow.hasMore else { return }
        merge(from: settings.mergeAfter + 1, at: now)
        while current == nil, !waiting.isEmpty {
            var next = waiting.removeFirst()
            if let id = next.notice {
                switch verdict(on: id, at: now) {
                case .onTime: break
                case .late:
                    if let paidAt = open[id]?.record.paidAt,
                        let late = plan(next.utterance, in: "late", paidAt: paidAt)
                    {
                        next.plan = late
                    }
                case .expired:
                    expire(id, at: now)
                    continue
                }
            }
            if next.priority == .payment { panel.payments += 1 }
            guard !isSilent || next.ignoresMute else {
                finish(next, .failed, reason: "muted", at: now)
                continue
            }
            if let id = next.notice { open[id]?.playedAt = now.monotonic }
            current = next
            perform(.play(next, volume: max(effectiveVolume, 1)))
        }
    }

    mutating func began(_ id: UInt64, heardAt time: UInt64, at now: Now) {
        guard let current, current.id == id, let notice = current.notice else { return }
        heard(notice, at: time, now: now)
    }

    mutating func ended(_ id: UInt64, at now: Now) {
        guard let done = current, done.id == id else { return }
        current = nil
        if repetition?.announcement == id { repetition?.at = now.monotonic }
        // From here on another payment is the last.
        if done.priority == .payment {
            repetition = nil
            panel.heard()
            tellLast(done.notice.flatMap { open[$0]?.record }, at: now)
        }
        finish(done, .spoken, at: now)
    }

    mutating func givenUp(_ id: UInt64, reason: String, at now: Now) {
        guard let done = current, done.id == id else { return }
        current = nil
        finish(done, .failed, reason: reason, at: now)
    }

    /// Plans with another voice what waits: a plan's clips are those of the voice that it was made for.
    mutating func planAgain(at now: Now) {
        let old = waiting
        waiting = []
        for var announcement in old {
            do throws(PlanError) {
                let (plan, substitute) = try planOrSubstitute(announcement.utterance)
                announcement.plan = plan
                if let id = announcement.notice { open[id]?.substitute = substitute }
                if summaries[announcement.id]?.key.isSayable == true {
                    summaries[announcement.id]?.substitute = substitute
                }
                waiting.append(announcement)
            } catch {
                finish(announcement, .failed, reason: error.reason, at: now)
            }
        }
    }

    mutating func cardOpened(_ description: String) {
        cardIsPresent = true
        reports.card = description
        reports.problems["card"] = nil
        log(.notice, "sound card: \(description)")
        sayStarted()
    }

    /// What was being said goes back to the front of its kind, to be said whole when the card is back.
    mutating func cardLost(_ reason: String) {
        cardIsPresent = false
        reports.card = nil
        if reports.problems["card"] == nil { log(.error, "no sound card: \(reason)") }
        reports.problems["card"] = "no-card: \(reason)"
        if let cut = current {
            waiting.insert(cut, at: waiting.firstIndex { $0.priority <= cut.priority } ?? waiting.endIndex)
            current = nil
        }
    }
}
