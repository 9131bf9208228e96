/// The last commands by id with the reply that each got: QoS 1 may deliver a command twice, and hours late.
struct CommandMemory {
    static let limit = 256

    private var replies = TableByText<String>()
    private var order: [String] = []

    init(_ records: [CommandRecord]) {
        for record in records { remember(record) }
    }

    subscript(id: String) -> String? { replies[id] }

    mutating func remember(_ record: CommandRecord) {
        if replies[record.id] == nil { order.append(record.id) }
        replies[record.id] = record.reply
        if order.count > CommandMemory.limit { replies[order.removeFirst()] = nil }
    }
}
