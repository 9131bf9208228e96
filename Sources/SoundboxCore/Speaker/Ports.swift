extension Speaker {
    /// What the speaker has to ask for in the middle of a decision.
    public struct Ports {
        /// What the journal knows of a notice, recorded in an earlier turn or not yet committed.
        public var history: (String) -> NoticeRecord?
        /// Whether a payload is signed, and by whom.
        public var signature: ([UInt8]) -> SignatureVerdict
        /// SHA-256 of a payload in hex.
        public var digest: ([UInt8]) -> String
        /// The payment that was spoken last for 0, the one before it for 1, and so on.
        public var spokenPayment: (Int) -> NoticeRecord?
        /// What was spoken from this time on, per currency.
        public var totals: (Timestamp) -> [Total]
        /// What the journal's file has accepted and not final behind a place, in the order of the places, at most so
        /// many. A place is above 0, never changes, and is above that of every row committed earlier.
        ///
        /// It may lag behind what was recorded: ``history`` is asked about each. A file that cannot be read is empty.
        public var unspoken: (Int64, Int) -> [FiledNotice]
        /// A moment in the box's time zone.
        public var localTime: (Timestamp) -> LocalTime

        /// All are called on the speaker's thread, in the middle of ``Speaker/handle(_:at:)``.
        public init(
            history: @escaping (String) -> NoticeRecord?, signature: @escaping ([UInt8]) -> SignatureVerdict,
            digest: @escaping ([UInt8]) -> String,
            spokenPayment: @escaping (Int) -> NoticeRecord?, totals: @escaping (Timestamp) -> [Total],
            unspoken: @escaping (Int64, Int) -> [FiledNotice], localTime: @escaping (Timestamp) -> LocalTime
        ) {
            self.history = history
            self.signature = signature
            self.digest = digest
            self.spokenPayment = spokenPayment
            self.totals = totals
            self.unspoken = unspoken
            self.localTime = localTime
        }
    }
}

/// A notice and where the journal has it.
public struct FiledNotice: Equatable, Sendable {
    /// Counts up in the order in which notices were first committed.
    public var place: Int64
    /// The notice as the journal has it.
    public var record: NoticeRecord

    /// The sender's id.
    public var id: String { record.id }

    /// A notice at a place.
    public init(place: Int64, record: NoticeRecord) {
        self.place = place
        self.record = record
    }
}
