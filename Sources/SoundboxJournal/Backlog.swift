import SoundboxCore

/// Rows on their way to the disk: the newest of each id, in the order in which they first came.
///
/// Ids are compared by their bytes, as SQLite does; equal strings in Swift may differ there.
struct Backlog {
    private(set) var notices: [[UInt8]: NoticeRecord] = [:]
    private(set) var noticeOrder: [[UInt8]] = []
    private(set) var commands: [[UInt8]: CommandRecord] = [:]
    private(set) var commandOrder: [[UInt8]] = []

    var isEmpty: Bool { notices.isEmpty && commands.isEmpty }

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
}
