/// From what age on a notice is late. Ages are in milliseconds.
public struct Lateness: Equatable, Sendable {
    /// Older than this, a notice is said with its time.
    public var lateAfter: Int64
    /// Older than this, money is only summed up.
    public var expireAfter: Int64

    /// Limits; the defaults are those of `soundbox.conf`, one minute and half an hour.
    public init(lateAfter: Int64 = 60_000, expireAfter: Int64 = 1_800_000) {
        self.lateAfter = lateAfter
        self.expireAfter = expireAfter
    }

    /// A customer's clock may be this much ahead of ours; what is further ahead is no time of payment.
    static let leeway: Int64 = 300_000

    enum Verdict {
        case onTime, late, expired
    }

    /// - Parameter age: nil where it is not known, which is never late.
    func verdict(age: Int64?) -> Verdict {
        guard let age else { return .onTime }
        return age > expireAfter ? .expired : age > lateAfter ? .late : .onTime
    }
}

extension Speaker {
    /// Notices are judged when their turn comes.
    mutating func verdict(on id: String, at now: Now) -> Lateness.Verdict {
        let verdict = settings.lateness.verdict(age: age(of: id, at: now))
        // No summary could stand for an order: it is said, however late.
        return verdict == .expired && open[id]?.record.kind == .order ? .late : verdict
    }

    /// How many milliseconds ago a notice was paid; nil where it does not say or the clock was never right.
    ///
    /// The wall clock is asked once for each notice. From then on it ages by the clock that never jumps, so that a step
    /// of the wall clock makes nothing late that waits.
    mutating func age(of id: String, at now: Now) -> Int64? {
        guard let entry = open[id], let paidAt = entry.record.paidAt else { return nil }
        if let known = entry.age {
            return known.milliseconds + Int64((now.monotonic - min(now.monotonic, known.at)) / 1_000_000)
        }
        guard now.wallIsTrusted else { return nil }
        let believed = believed(paidAt, of: id, at: now)
        let age = now.wall.milliseconds - believed.milliseconds
        open[id]?.record.paidAt = believed
        open[id]?.age = (age, now.monotonic)
        return age
    }

    /// When a notice says it was paid, or now, where that lies in a future that cannot be.
    mutating func believed(_ paidAt: Timestamp, of id: String, at now: Now) -> Timestamp {
        guard now.wallIsTrusted, paidAt.milliseconds - now.wall.milliseconds > Lateness.leeway else { return paidAt }
        reports.ahead += 1
        log(.warning, "paid at \(paidAt.text), which is yet to come: taken as now", notice: id)
        return now.wall
    }
}
