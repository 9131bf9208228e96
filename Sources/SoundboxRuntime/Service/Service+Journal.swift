import SoundboxCore
import SoundboxJournal
import SoundboxMQTT
import SoundboxPlatform

// Commits, what the journal answers, and the receipts that it keeps until the broker has them.

extension Service {
    func commit(_ ticket: UInt64) {
        let now = now()
        let last = journal.commit(ticket: ticket, trustedTime: now.wallIsTrusted ? now.wall : nil)
        commits.asked(ticket, receipts: last, at: now.monotonic)
    }

    func take(_ event: JournalEvent) {
        switch event {
        case .committed(let ticket, let failure): committed(ticket, failure: failure.map { "\($0)" })
        case .opened:
            handle(.journalOpened)
            receipts.rewind()
            sendReceipts()
        case .replaced(let text): handle(.journalReplaced(text))
        case .receiptsLost(let count): log.write(.error, "journal: no room for \(count) receipts, they are lost")
        }
    }

    // MARK: - What is kept of the box itself

    func keep(_ kept: Speaker.Kept) {
        journal.keep("volume", String(kept.volume))
        journal.keep("muted", String(kept.isMuted))
        if let time = kept.trustedAt { journal.keep("trusted-at", time.text) }
    }

    static func kept(in journal: Journal) -> Speaker.Kept? {
        guard let volume = journal.kept("volume").flatMap({ Int($0) }), (0...100).contains(volume) else { return nil }
        return Speaker.Kept(
            volume: volume, isMuted: journal.kept("muted") == "true",
            trustedAt: journal.kept("trusted-at").flatMap { Timestamp(parsing: $0) })
    }

    // MARK: - Commits

    /// A card that hangs must not keep everybody waiting: the box goes on without it.
    func giveUpOverdueCommits() {
        for ticket in commits.overdue(at: SystemClock.monotonic) {
            committed(ticket, failure: "no answer within \(CommitWatch.patience / 1_000_000_000) s")
        }
    }

    private func committed(_ ticket: UInt64, failure: String?) {
        // First what the speaker has held back for it: `accepted` goes out before what the journal keeps.
        handle(.committed(ticket, failure: failure))
        guard let last = commits.answered(ticket) else { return }
        receipts.committed(through: last)
        sendReceipts()
    }

    func delivered(_ ticket: UInt64) {
        guard let number = receipts.delivered(ticket: ticket) else { return }
        journal.delivered(receipt: number)
        sendReceipts()
    }

    func sendReceipts() {
        let (journal, mqtt) = (journal, mqtt)
        receipts.fill { after, through, limit in
            journal.receipts(after: after, through: through, limit: limit)
        } send: { receipt in
            try? mqtt.publish(MQTTPublication(topic: receipt.topic, payload: Array(receipt.payload.utf8)))
        }
    }
}
