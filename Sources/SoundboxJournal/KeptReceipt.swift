/// A receipt that the journal keeps until the broker has it.
public struct KeptReceipt: Equatable, Sendable {
    /// Counts up in the order in which they were recorded: from 1 in this process, up to 0 for those of earlier ones.
    public var number: Int64
    /// Where it is published, at QoS 1.
    public var topic: String
    /// JSON.
    public var payload: String
}
