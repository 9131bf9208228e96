// From a payload on the pay topic to an announcement that waits, and from being heard to the last receipt.

extension Speaker {
    mutating func take(notice payload: [UInt8], retained: Bool, receivedAt: UInt64, at now: Now) {
        reports.notices += 1
        let message: [UInt8]
        do throws(Distrust) {
            message = try self.message(
                in: payload, lifetime: Speaker.noticeLifetime, addressees: [settings.topics.box], at: now)
        } catch {
            return distrust(notice: payload, error, at: now)
        }
        let notice: Notice
        do {
            notice = try Notice(decoding: message)
        } catch {
            return reject(error.id, payload: payload, reason: error.reason, at: now)
        }
        // A broker keeps a retained message for ever and hands it out again at each connect: it must never speak.
        guard !retained else { return reject(notice.id, payload: payload, reason: "retained", at: now) }
        if let earlier = open[notice.id]?.record ?? ports.history(notice.id) {
            return takeAgain(notice, earlier: earlier, at: now)
        }
        let utterance = Utterance(notice.content)
        let plan: ClipPlan
        let substitute: String?
        do throws(PlanError) {
            (plan, substitute) = try planOrSubstitute(utterance)
        } catch {
            log(.warning, "cannot be said: \(error)", notice: notice.id)
            return reject(notice.id, payload: payload, reason: error.reason, at: now)
        }
        let record = NoticeRecord(
            id: notice.id, kind: notice.kind, channel: notice.channel, amount: notice.amount,
            paidAt: notice.paidAt.map { believed($0, of: notice.id, at: now) }, receivedAt: now.wall, payload: message)
        if overflow.isBehind || open.count >= settings.queueLimit {
            guard overflow(record) else { return reject(notice.id, payload: payload, reason: "queue-full", at: now) }
            return log(.info, "left to the journal: \(plan.text)", notice: notice.id)
        }
        open[notice.id] = OpenNotice(record: record, receivedAt: receivedAt, substitute: substitute)
        // Its age is known best now: it ages by the clock that never jumps.
        _ = age(of: notice.id, at: now)
        log(.info, "taken: \(plan.text)", notice: notice.id)
        enqueue(utterance, plan, priority: .payment, notice: notice.id)
        // Speak, commit, acknowledge: the sound must not wait for the SD card.
        playNext(at: now)
        self.record(record)
        turn.notices.append(notice.id)
    }

    /// Takes up a notice that the journal has and nobody has heard yet.
    mutating func resume(_ filed: FiledNotice, at now: Now) {
        let id = filed.id
        open[id] = OpenNotice(record: filed.record, receivedAt: now.monotonic, place: filed.place, held: nil)
        overflow.leave()
        do {
            let utterance = Utterance(try Notice(decoding: filed.record.payload).content)
            let (plan, substitute) = try planOrSubstitute(utterance)
            open[id]?.substitute = substitute
            log(.info, "taken from the journal: \(plan.text)", notice: id)
            enqueue(utterance, plan, priority: .payment, notice: id)
        } catch {
            finish(id, .failed, reason: "unspeakable", at: now)
        }
    }

    private mutating func takeAgain(_ notice: Notice, earlier: NoticeRecord, at now: Now) {
        if let amount = earlier.amount, notice.amount != amount {
            log(.warning, "an earlier notice with this id had another amount", notice: notice.id)
            reports.rejected += 1
            return publish(receipt(notice.id, .rejected, reason: "id-reused", at: now))
        }
        reports.duplicates += 1
        var receipt = receipt(notice.id, .duplicate, reason: earlier.reason, at: now)
        receipt.first = earlier.state
        publish(receipt)
    }

    /// Without its bytes there is neither an id nor a digest to tell.
    mutating func reject(oversized size: Int, at now: Now) {
        reports.notices += 1
        log(.debug, "a notice of \(size) bytes")
        reject(nil, payload: nil, reason: "too-large", at: now)
    }

    private mutating func reject(_ id: String?, payload: [UInt8]?, reason: String, at now: Now) {
        reports.rejected += 1
        reports.lastError = reason
        panel.wasRejected = true
        log(.warning, "rejected: \(reason)", notice: id)
        var receipt = receipt(id, .rejected, reason: reason, at: now)
        if id == nil { receipt.digest = payload.map(ports.digest) }
        publish(receipt)
    }

    /// The plan of an utterance. Money that cannot be said in full is still money: the merchant hears that there was a
    /// payment, and the receipt says what was not said.
    func planOrSubstitute(_ utterance: Utterance) throws(PlanError) -> (ClipPlan, substitute: String?) {
        do throws(PlanError) {
            return (try planner.plan(utterance, style: settings.style), nil)
        } catch {
            guard case .phrase(let key, let values) = utterance, values.amount != nil,
                Phrase.family(of: key) == "payment" || key.hasPrefix("summary")
            else { throw error }
            return (try planner.plan(.phrase("payment.generic"), style: settings.style), error.reason)
        }
    }

    // MARK: - What becomes of it

    /// The journal has the notice, or said that it cannot.
    mutating func accepted(_ id: String, isDurable: Bool, at now: Now) {
        guard !overflowCommitted(id, isDurable: isDurable, at: now), let entry = open[id] else { return }
        var receipt = receipt(id, .accepted, at: now)
        receipt.isDurable = isDurable
        publish(receipt)
        // What became of it in the meantime is recorded together with the receipt that tells it.
        if entry.record.state.isFinal {
            closed[id] = true
            record(entry.record)
        }
        for receipt in entry.held ?? [] { publish(receipt) }
        open[id]?.held = nil
        if entry.record.state.isFinal { open[id] = nil }
    }

    mutating func heard(_ id: String, at time: UInt64, now: Now) {
        guard var entry = open[id] else { return }
        entry.beganAt = time
        open[id] = entry
        let receipt = timed(receipt(id, .speaking, at: now), entry)
        if let latency = receipt.latencyMilliseconds { reports.latency(milliseconds: latency) }
        publishInOrder(receipt)
    }

    /// The last word about a notice, to the journal and to the backend.
    mutating func finish(
        _ id: String, _ state: NoticeRecord.State, reason: String? = nil, summary: Receipt.Summary? = nil, at now: Now
    ) {
        guard let entry = open[id] else { return }
        let reason = reason ?? (state == .spoken ? entry.substitute : nil)
        open[id]?.record.state = state
        close(entry.record, state, reason: reason, summary: summary, at: now)
        // The journal answers for the id from here on; only `accepted` is still owed where its commit is not done.
        if entry.held == nil { open[id] = nil }
    }

    /// The last word about a notice that the journal may be alone to have.
    mutating func close(
        _ record: NoticeRecord, _ state: NoticeRecord.State, reason: String?, summary: Receipt.Summary? = nil,
        at now: Now
    ) {
        var record = record
        record.state = state
        record.reason = reason
        // What was summed up was heard, too: it belongs to the day's total.
        record.spokenAt = state == .spoken || summary != nil ? now.wall : nil
        record.payload = []
        closed[record.id] = true
        if open[record.id]?.held == nil {
            self.record(record)
        } else {
            // Behind `accepted`, together with the receipt.
            open[record.id]?.record = record
        }
        reports.count(state)
        log(.info, reason.map { "\(state.rawValue): \($0)" } ?? state.rawValue, notice: record.id)
        let receiptState: Receipt.State = state == .spoken ? .spoken : state == .expired ? .expired : .failed
        var receipt = receipt(record.id, receiptState, reason: reason, at: now)
        receipt.summary = summary
        if let entry = open[record.id] { receipt = timed(receipt, entry) }
        publishInOrder(receipt)
    }

    private func timed(_ receipt: Receipt, _ entry: OpenNotice) -> Receipt {
        var receipt = receipt
        guard let began = entry.beganAt else { return receipt }
        receipt.latencyMilliseconds = milliseconds(from: entry.receivedAt, to: began)
        receipt.queuedMilliseconds = milliseconds(from: entry.receivedAt, to: entry.playedAt ?? began)
        return receipt
    }

    private func milliseconds(from start: UInt64, to end: UInt64) -> Int {
        end > start ? Int((end - start + 500_000) / 1_000_000) : 0
    }

    private mutating func publishInOrder(_ receipt: Receipt) {
        guard let id = receipt.id, open[id]?.held != nil else { return publish(receipt) }
        open[id]?.held?.append(receipt)
    }

    func receipt(_ id: String?, _ state: Receipt.State, reason: String? = nil, at now: Now) -> Receipt {
        Receipt(id: id, state: state, reason: reason, at: now.wall, clockIsTrusted: now.wallIsTrusted)
    }

    mutating func publish(_ receipt: Receipt) {
        if receipt.state.isFinal { turn.hasRecords = true }
        perform(
            .publish(
                Publication(
                    topic: settings.topics.receipt, payload: receipt.json.text, qos: receipt.state.qos,
                    isKept: receipt.state.isFinal)))
    }
}
