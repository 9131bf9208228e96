/// Notices that only the journal has: more than the queue holds, or left by an earlier life.
struct Overflow {
    /// How many are read at once, between two looks at everything else.
    static let batch = 200

    /// Whether there may be some. Whatever comes meanwhile goes the same way, so that it stays behind them.
    var isBehind = true
    /// Up to where the journal was read.
    var place: Int64 = 0
    /// Whether the last look found as many as it asked for, and there is room for more.
    var hasMore = false
    /// How many went there in this life.
    var count = 0
    /// Those whose commit is not answered yet, and whether they were given up meanwhile.
    var uncommitted = TableByText<Bool>()

    mutating func leave() {
        count = max(0, count - 1)
    }
}

/// Notices that only the journal has, whose last word is written a batch at a time.
struct Settlement {
    static let batch = 250

    /// In rising order.
    let places: [Int64]
    let state: NoticeRecord.State
    let reason: String?
    let summary: Receipt.Summary?
    /// How many are done.
    var done = 0
}

extension Speaker {
    /// How many notices wait or are being said.
    var queueLength: Int {
        open.count + summaries.values.reduce(0) { $0 + $1.places.count }
            + offline.summaries.reduce(0) { $0 + $1.places.count } + overflow.count
    }

    /// Leaves a notice to the journal; false where the journal cannot be relied on.
    mutating func overflow(_ record: NoticeRecord) -> Bool {
        guard reports.problems["journal"] == nil else { return false }
        overflow.isBehind = true
        overflow.count += 1
        overflow.uncommitted[record.id] = false
        self.record(record)
        turn.notices.append(record.id)
        return true
    }

    /// The commit of a notice that was left to the journal is answered; false for any other.
    mutating func overflowCommitted(_ id: String, isDurable: Bool, at now: Now) -> Bool {
        guard let isCleared = overflow.uncommitted[id] else { return false }
        overflow.uncommitted[id] = nil
        var receipt = receipt(id, .accepted, at: now)
        receipt.isDurable = isDurable
        publish(receipt)
        guard isCleared || !isDurable else { return true }
        // What is neither in memory nor on the disk will not be said: its sender has to know.
        overflow.leave()
        if let record = ports.history(id) {
            close(record, .failed, reason: isDurable ? "cleared" : "queue-full", at: now)
        }
        return true
    }

    /// Takes up what only the journal has, as far as there is room. What can be summed up takes none.
    mutating func gather(at now: Now) {
        let isGathering = overflow.hasMore
        overflow.hasMore = false
        let room = settings.queueLimit - open.count
        guard overflow.isBehind, room > 0 else { return }
        let limit = settings.mergeAfter > 0 ? Overflow.batch : min(Overflow.batch, room)
        let (notices, isWhole) = nextUnspoken(limit)
        for filed in notices { resume(filed, at: now) }
        if isWhole { overflow.isBehind = !overflow.uncommitted.isEmpty }
        if isGathering || !isWhole { merge(from: 1, at: now) }
        overflow.hasMore = !isWhole && open.count < settings.queueLimit
    }

    /// The next notices that only the journal has, from so many of its rows, and whether these were all there are.
    private mutating func nextUnspoken(_ limit: Int) -> (notices: [FiledNotice], isWhole: Bool) {
        let rows = ports.unspoken(overflow.place, limit)
        var notices: [FiledNotice] = []
        for row in rows {
            // Its `accepted` is not out yet, and no other receipt may overtake it.
            guard overflow.uncommitted[row.id] == nil else { return (notices, true) }
            overflow.place = row.place
            // The file still has as accepted what memory has, too, and what was just said and is not yet committed.
            if open[row.id] == nil, closed[row.id] == nil, ports.history(row.id)?.state.isFinal != true {
                notices.append(row)
            }
        }
        return (notices, rows.count < limit)
    }

    /// Gives up all that only the journal has, and returns how many that were.
    mutating func clearOverflow() -> Int {
        guard overflow.isBehind else { return 0 }
        var places: [Int64] = []
        while true {
            let (notices, isWhole) = nextUnspoken(Settlement.batch)
            places += notices.map(\.place)
            if isWhole { break }
        }
        let waiting = overflow.uncommitted.keys
        for id in waiting { overflow.uncommitted[id] = true }
        overflow.count = waiting.count
        overflow.hasMore = false
        settle(places, .failed, reason: "cleared", summary: nil)
        return places.count + waiting.count
    }

    // MARK: - The last word

    mutating func settle(
        _ places: [Int64], _ state: NoticeRecord.State, reason: String?, summary: Receipt.Summary?
    ) {
        guard !places.isEmpty else { return }
        settlements.append(Settlement(places: places.sorted(), state: state, reason: reason, summary: summary))
    }

    /// Writes the next batch of last words, once the one before is committed: thousands at once would fill the memory.
    mutating func settle(at now: Now) {
        guard settling == nil, var settlement = settlements.first else { return }
        let places = settlement.places
        let rows = ports.unspoken(places[settlement.done] - 1, Settlement.batch)
        for row in rows {
            while settlement.done < places.count, places[settlement.done] < row.place { settlement.done += 1 }
            guard settlement.done < places.count else { break }
            guard places[settlement.done] == row.place else { continue }
            settlement.done += 1
            close(row.record, settlement.state, reason: settlement.reason, summary: settlement.summary, at: now)
        }
        if rows.count < Settlement.batch { settlement.done = places.count }
        if settlement.done < places.count {
            settlements[0] = settlement
        } else {
            settlements.removeFirst()
        }
        // The ticket that this turn will get.
        if turn.hasRecords { settling = ticket + 1 }
    }

    /// The journal's file is another: what only the old one had is gone.
    mutating func forgetPlaces() {
        overflow.place = 0
        overflow.count = overflow.uncommitted.count
        settlements = []
        for id in summaries.keys { summaries[id]?.forgetPlaces() }
        for index in offline.summaries.indices { offline.summaries[index].forgetPlaces() }
        for id in open.keys { open[id]?.place = nil }
    }
}
