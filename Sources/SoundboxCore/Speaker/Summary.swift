/// Several payments, or several refunds, of one currency that one sentence says.
struct Summary {
    /// What may go together.
    struct Key: Hashable {
        var kind: NoticeRecord.Kind
        var currency: Currency
        /// Whether their amounts can be said.
        var isSayable: Bool
    }

    let key: Key
    /// The id of the first of them, by which receipts name the summary.
    let id: String
    /// Whether they came too late to be said one by one.
    let isOffline: Bool
    /// Those that wait in memory.
    private(set) var members: [String] = []
    /// Those that the journal alone has.
    private(set) var places: [Int64] = []
    private(set) var count = 0
    private(set) var minorUnits: UInt64 = 0
    /// Why something else than the sum is said.
    var substitute: String?

    init(_ key: Key, id: String, isOffline: Bool) {
        self.key = key
        self.id = id
        self.isOffline = isOffline
    }

    /// What it would say with one more; nil where no amount is that large.
    func utterance(adding amount: Amount? = nil) -> Utterance? {
        guard key.isSayable else { return .phrase("payment.generic") }
        let (sum, isOver) = minorUnits.addingReportingOverflow(amount?.minorUnits ?? 0)
        guard !isOver, let sum = Amount(minorUnits: sum, currency: key.currency) else { return nil }
        // No pack has a phrase for several refunds; one of their sum is no less true.
        guard key.kind == .payment else { return .phrase("refund", .init(amount: sum)) }
        return .phrase(
            isOffline ? "summary.offline" : "summary",
            .init(amount: sum, count: count + (amount == nil ? 0 : 1)))
    }

    mutating func add(_ record: NoticeRecord, place: Int64?) {
        if let place { places.append(place) } else { members.append(record.id) }
        count += 1
        if key.isSayable { minorUnits += record.amount?.minorUnits ?? 0 }
    }

    /// The journal started anew: its places are others.
    mutating func forgetPlaces() {
        places = []
    }
}

/// Summaries of what came too late, until it is quiet.
struct OfflineSummaries {
    /// Nanoseconds from the last one that came in, and at most from the first.
    static let quiet: UInt64 = 2_000_000_000
    static let patience: UInt64 = 10_000_000_000

    var summaries: [Summary] = []
    private var firstAt: UInt64 = 0
    private var lastAt: UInt64 = 0

    /// When they are to be said, on the monotonic clock.
    var due: UInt64? {
        summaries.isEmpty ? nil : min(lastAt + OfflineSummaries.quiet, firstAt + OfflineSummaries.patience)
    }

    /// One that came in at a monotonic time goes into a summary, or into a new one.
    mutating func add(
        _ record: NoticeRecord, _ key: Summary.Key, place: Int64?, receivedAt: UInt64, isSayable: (Utterance) -> Bool
    ) {
        firstAt = summaries.isEmpty ? receivedAt : min(firstAt, receivedAt)
        lastAt = summaries.isEmpty ? receivedAt : max(lastAt, receivedAt)
        let index = summaries.lastIndex { $0.key == key }
        if let index, let utterance = summaries[index].utterance(adding: record.amount), isSayable(utterance) {
            summaries[index].add(record, place: place)
        } else {
            var summary = Summary(key, id: record.id, isOffline: true)
            summary.add(record, place: place)
            summaries.append(summary)
        }
    }

    mutating func take() -> [Summary] {
        defer { summaries = [] }
        return summaries
    }
}
