// When too many wait, and when they come too late: several notices in one sentence.

extension Speaker {
    var offlineDue: UInt64 { isStopping || overflow.hasMore ? .max : offline.due ?? .max }

    /// Merges the notices that wait into summaries where they are at least so many: payments, refunds and currencies apart.
    /// Each summary stands where the first of its notices stood.
    mutating func merge(from count: Int, at now: Now) {
        guard settings.mergeAfter > 0, waiting.count(where: { $0.notice != nil }) >= count else { return }
        let announcements = waiting
        waiting = []
        var last: [Summary.Key: Int] = [:]
        for announcement in announcements {
            if let id = announcement.notice, let key = key(of: id) {
                if verdict(on: id, at: now) == .expired {
                    expire(id, at: now)
                    continue
                }
                if let index = last[key], absorb(id, into: index) { continue }
                last[key] = waiting.count
            } else if let summary = summaries[announcement.id], !summary.isOffline {
                last[summary.key] = waiting.count
            }
            waiting.append(announcement)
        }
    }

    /// What a waiting notice may be summed up with; nil for what is not about money.
    private func key(of id: String) -> Summary.Key? {
        guard let entry = open[id], let amount = entry.record.amount else { return nil }
        return Summary.Key(
            kind: entry.record.kind, currency: amount.currency, isSayable: entry.substitute == nil)
    }

    /// Adds a notice to what an announcement says; false where the voice cannot say so much in one sentence.
    private mutating func absorb(_ id: String, into index: Int) -> Bool {
        let announcement = waiting[index]
        var summary: Summary?
        if let first = announcement.notice, let key = key(of: first), let entry = open[first] {
            summary = Summary(key, id: first, isOffline: false)
            summary?.add(entry.record, place: entry.place)
            summary?.substitute = entry.substitute
        }
        guard let entry = open[id],
            let utterance = (summary ?? summaries[announcement.id])?.utterance(adding: entry.record.amount),
            let plan = try? planner.plan(utterance, style: settings.style)
        else { return false }
        if let summary, let first = announcement.notice {
            summaries[announcement.id] = summary
            forget(first)
        }
        summaries[announcement.id]?.add(entry.record, place: entry.place)
        forget(id)
        waiting[index].notice = nil
        waiting[index].utterance = utterance
        waiting[index].plan = plan
        return true
    }

    /// What was read from the journal need not stay in memory: its place does.
    private mutating func forget(_ id: String) {
        if open[id]?.place != nil { open[id] = nil }
    }

    // MARK: - Too late

    /// Takes a notice that is too late to be said out of the queue.
    mutating func expire(_ id: String, at now: Now) {
        guard let key = key(of: id), let entry = open[id] else {
            return finish(id, .expired, reason: "too-late", at: now)
        }
        let (planner, style) = (planner, settings.style)
        offline.add(entry.record, key, place: entry.place, receivedAt: entry.receivedAt) {
            (try? planner.plan($0, style: style)) != nil
        }
        forget(id)
    }

    /// Has the summaries of what came too late said, once it is quiet.
    mutating func releaseOffline(at now: Now) {
        guard now.monotonic >= offlineDue else { return }
        for summary in offline.take() { enqueue(summary, at: now) }
    }

    private mutating func enqueue(_ summary: Summary, at now: Now) {
        var summary = summary
        do throws(PlanError) {
            let utterance = summary.utterance() ?? .phrase("payment.generic")
            let (plan, substitute) = try planOrSubstitute(utterance)
            if summary.key.isSayable { summary.substitute = substitute }
            enqueue(utterance, plan, priority: .payment)
            summaries[announcements] = summary
            log(.notice, "\(summary.count) came too late: \(plan.text)")
        } catch {
            finish(summary, .failed, reason: error.reason, at: now)
        }
    }

    // MARK: - The last word

    /// The last word about all that an announcement says.
    mutating func finish(
        _ announcement: Announcement, _ state: NoticeRecord.State, reason: String? = nil, at now: Now
    ) {
        if let id = announcement.notice { finish(id, state, reason: reason, at: now) }
        if let summary = summaries.removeValue(forKey: announcement.id) {
            finish(summary, state, reason: reason, at: now)
        }
    }

    mutating func finish(_ summary: Summary, _ state: NoticeRecord.State, reason: String? = nil, at now: Now) {
        var (state, reason) = (state, reason)
        var heard: Receipt.Summary?
        if state == .spoken {
            heard = Receipt.Summary(id: summary.id, count: summary.count)
            reason = summary.substitute
            if summary.isOffline { (state, reason) = (.expired, "summarised") }
        }
        for id in summary.members { finish(id, state, reason: reason, summary: heard, at: now) }
        settle(summary.places, state, reason: reason, summary: heard)
    }
}
