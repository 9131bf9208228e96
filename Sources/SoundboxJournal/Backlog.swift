import SoundboxCore

/// Rows on their way to the disk: the newest of each key, in the order in which they first came.
///
/// Ids are compared by their bytes, as SQLite does; equal strings in Swift may differ there.
struct Backlog {
    private(set) var notices: [[UInt8]: NoticeRecord] = [:]
    private(set) var noticeOrder: [[UInt8]] = []
    private(set) var commands: [[UInt8]: CommandRecord] = [:]
    private(set) var commandOrder: [[UInt8]] = []
    private(set) var receipts: [KeptReceipt] = []
    private(set) var settings: [String: String] = [:]

    var isEmpty: Bool { notices.isEmpty && commands.isEmpty && receipts.isEmpty && settings.isEmpty }

    func notice(id: String) -> NoticeRecord? {
        notices[Array(id.utf8)]
    }

    /// Adds or replaces a row; beyond `limit` rows the oldest is given up.
    mutating func record(_ notice: NoticeRecord, limit: Int) {
        let key = Array(notice.id.utf8)
        if notices.updateValue(notice, forKey: key) == nil { noticeOrder.append(key) }
        if noticeOrder.count > limit { notices[noticeOrder.removeFirst()] = nil }
    }

    /// Adds or replaces a row; beyond `limit` rows the oldest is given up.
    mutating func record(_ command: CommandRecord, limit: Int) {
        let key = Array(command.id.utf8)
        if commands.updateValue(command, forKey: key) == nil { commandOrder.append(key) }
        if commandOrder.count > limit { commands[commandOrder.removeFirst()] = nil }
    }

    /// Adds a row behind those that are there; beyond `limit` rows the oldest is given up: true where it was.
    mutating func record(_ receipt: KeptReceipt, limit: Int) -> Bool {
        receipts.append(receipt)
        guard receipts.count > limit else { return false }
        receipts.removeFirst()
        return true
    }

    /// Sets a setting.
    mutating func keep(_ key: String, _ value: String) {
        settings[key] = value
    }

    /// Takes the row of a receipt out; false where there is none.
    mutating func remove(receipt number: Int64) -> Bool {
        guard let place = receipts.firstIndex(where: { $0.number == number }) else { return false }
        receipts.remove(at: place)
        return true
    }

    /// Takes over newer rows; returns how many receipts were given up for it.
    mutating func add(_ newer: Backlog, limits: Journal.Limits) -> Int {
        guard !isEmpty else {
            self = newer
            return 0
        }
        for key in newer.noticeOrder {
            if let notice = newer.notices[key] { record(notice, limit: limits.backlog) }
        }
        for key in newer.commandOrder {
            if let command = newer.commands[key] { record(command, limit: limits.commands) }
        }
        settings.merge(newer.settings) { $1 }
        return newer.receipts.count { record($0, limit: limits.backlog) }
    }
}
