/// Which of the journal's receipts are on their way to the broker: in their order, each handed over once a process, since
/// libmosquitto sends again by itself, and no more than a few at a time, since it keeps in memory what it was handed.
public struct ReceiptWindow: Sendable {
    /// Receipts under way at most.
    public static let limit = 20

    /// Up to this number receipts were handed over.
    private var passed = Int64.min
    /// Up to this number they may be: their commit is done, or has failed. What earlier processes left is up to 0.
    private var ready: Int64 = 0
    /// Numbers by the ticket that will come back with the broker's acknowledgement.
    private var underWay: [UInt64: Int64] = [:]

    /// A window before what earlier processes left.
    public init() {}

    /// The commit of the receipts up to this number is done, or has failed.
    public mutating func committed(through number: Int64) {
        ready = max(ready, number)
    }

    /// The journal's file came up only now: what earlier processes left is still to be sent.
    public mutating func rewind() {
        passed = .min
    }

    /// Hands over what there is room for.
    ///
    /// - Parameters:
    ///   - read: the receipts behind a number, up to another one, in order, at most so many.
    ///   - send: publishes one and returns its ticket; nil where that is not possible now. Then it is tried again the next
    ///     time.
    public mutating func fill(
        read: (_ after: Int64, _ through: Int64, _ limit: Int) -> [KeptReceipt], send: (KeptReceipt) -> UInt64?
    ) {
        while underWay.count < ReceiptWindow.limit, passed < ready {
            let receipts = read(passed, ready, ReceiptWindow.limit - underWay.count)
            // After a rewind those that are under way come along again.
            for receipt in receipts where !underWay.values.contains(receipt.number) {
                guard let ticket = send(receipt) else { return }
                underWay[ticket] = receipt.number
                passed = receipt.number
            }
            passed = receipts.last?.number ?? ready
        }
    }

    /// The broker has a publication: the number of the receipt that it was, which may be forgotten.
    public mutating func delivered(ticket: UInt64) -> Int64? {
        underWay.removeValue(forKey: ticket)
    }
}
