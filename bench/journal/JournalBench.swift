import Glibc
import SoundboxCore
import SoundboxJournal
import SoundboxPlatform

/// Measures the journal in a folder, which decides what it is measured on: `JournalBench FOLDER ROWS`.
///
/// Prints a line for each figure: what, the unit, and every value, with tabs between them.
@main
struct JournalBench {
    /// Why there are no figures.
    struct Failure: Error {
        let text: String
    }

    private let path: String
    private let rows: Int
    private let answers: Answers
    private var journal: Journal
    private var ticket: UInt64 = 0
    private var next = 0

    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let rows = Int(arguments[2]), rows > 1000 else {
            throw Failure(text: "usage: JournalBench FOLDER ROWS")
        }
        var bench = try JournalBench(path: "\(arguments[1])/journal.db", rows: rows)
        bench.fill()
        try bench.open()
        bench.commits()
        try bench.lookUps()
        bench.journal.stop(within: 60_000)
        show("file", "MB", [Double(try File.size(of: bench.path)) / 1e6])
    }

    private init(path: String, rows: Int) throws {
        self.path = path
        self.rows = rows
        let answers = try Answers()
        self.answers = answers
        journal = try Journal(path: path) { answers.take($0) }
    }

    private mutating func commit() {
        ticket += 1
        journal.commit(ticket: ticket, trustedTime: nil)
        answers.wait()
    }

    private mutating func fill() {
        while next < rows {
            for _ in 0..<256 where next < rows {
                journal.record(notice(next, .spoken))
                next += 1
            }
            commit()
        }
        journal.stop(within: 60_000)
    }

    private mutating func open() throws {
        let answers = answers
        let taken = try microseconds { journal = try Journal(path: path) { answers.take($0) } }
        JournalBench.show("open and check the file", "ms", [taken / 1000])
    }

    private mutating func commits() {
        for (size, count) in [(1, 200), (256, 20)] {
            var values: [Double] = []
            for _ in 0..<count {
                for offset in 0..<size { journal.record(notice(next + offset, .accepted)) }
                next += size
                values.append(microseconds { commit() } / 1000)
            }
            JournalBench.show("commit of \(size)", "ms", values)
        }
    }

    private func lookUps() throws {
        // Of the newer half, which is not being pruned.
        let ids = (0..<5000).map { _ in notice(Int.random(in: rows / 2..<rows), .spoken).id }
        var found = 0
        let known = ids.map { id in microseconds { found += journal.notice(id: id) == nil ? 0 : 1 } }
        guard found == ids.count else { throw Failure(text: "only \(found) of \(ids.count) ids found") }
        JournalBench.show("look up an id that is there", "µs", known)
        JournalBench.show(
            "look up one that is not", "µs", ids.map { id in microseconds { _ = journal.notice(id: "\(id)x") } })
        JournalBench.show(
            "the payment spoken last", "µs", (0..<200).map { _ in microseconds { _ = journal.spokenPayment(back: 0) } })
        let day = time(of: rows - 1000)
        JournalBench.show(
            "the sum of 1,000 payments", "µs", (0..<200).map { _ in microseconds { _ = journal.totals(since: day) } })
    }

    private func time(of number: Int) -> Timestamp {
        Timestamp(milliseconds: 1_790_000_000_000 + Int64(number) * 10_000)
    }

    private func notice(_ number: Int, _ state: NoticeRecord.State) -> NoticeRecord {
        // Spread over the index, as ids of several senders are.
        let id = "20261130-\(number &* 2_654_435_761 & 0xFFFF_FFFF)-\(number)"
        let payload = state == .accepted ? Array(#"{"id":"\#(id)","channel":"alipay","amount":"100.65"}"#.utf8) : []
        return NoticeRecord(
            id: id, state: state, channel: "alipay",
            amount: Amount(minorUnits: UInt64(number % 100_000), currency: .cny),
            paidAt: time(of: number), receivedAt: time(of: number), spokenAt: state == .spoken ? time(of: number) : nil,
            payload: payload)
    }

    private static func show(_ what: String, _ unit: String, _ values: [Double]) {
        print(([what, unit] + values.map { "\($0)" }).joined(separator: "\t"))
    }
}

/// Waits for the answers of the journal's thread.
private final class Answers: Sendable {
    private let event: EventDescriptor

    init() throws {
        event = try EventDescriptor()
    }

    func take(_ answer: JournalEvent) {
        guard case .committed(_, let failure) = answer else { return }
        if let failure { print("commit failed: \(failure)") }
        event.signal()
    }

    func wait() {
        event.wait(milliseconds: -1)
    }
}

private func microseconds(_ body: () throws -> Void) rethrows -> Double {
    let start = SystemClock.monotonic
    try body()
    return Double(SystemClock.monotonic - start) / 1000
}
