import Glibc
import SoundboxCore

/// `soundbox plan --stdin`: one amount a line in, one reading a line out.
enum PlanLines {
    /// Reads amounts from standard input until it ends and writes each one's reading to standard output.
    ///
    /// A line that cannot be read gives the line `error: <reason>` in its place, so that lines stay aligned.
    ///
    /// - Parameter channel: the channel whose phrase is said around each amount; nil reads the amount alone.
    /// - Returns: the exit status: 1 where a line was bad, or reading or writing failed.
    static func run(planner: Planner, style: String?, currency: Currency, channel: String?) -> Int32 {
        var input = LineReader()
        var output = LineWriter()
        var workspace = Planner.Workspace()
        var status: Int32 = 0
        while let line = input.next() {
            do throws(BadLine) {
                let amount = try amount(line, currency)
                let utterance = channel.map { .payment(channel: $0, amount: amount) } ?? Utterance.amount(amount)
                try plan(utterance, planner, style, &workspace)
                output.write(workspace.text)
            } catch {
                output.write(Array("error: \(error.reason)".utf8))
                status = 1
            }
        }
        output.flush()
        return input.hasFailed || output.hasFailed ? 1 : status
    }

    private struct BadLine: Error {
        var reason: String
    }

    private static func amount(_ line: ArraySlice<UInt8>, _ currency: Currency) throws(BadLine) -> Amount {
        do throws(AmountError) {
            return try Amount(parsing: String(decoding: line, as: UTF8.self), currency: currency)
        } catch {
            throw BadLine(reason: error.rawValue)
        }
    }

    private static func plan(
        _ utterance: Utterance, _ planner: Planner, _ style: String?, _ workspace: inout Planner.Workspace
    ) throws(BadLine) {
        do throws(PlanError) {
            try planner.plan(utterance, style: style, in: &workspace)
        } catch {
            throw BadLine(reason: "\(error.reason): \(error)")
        }
    }
}

/// Lines of standard input through a fixed buffer, `read(2)`.
private struct LineReader {
    private(set) var hasFailed = false
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)
    private var start = 0
    private var end = 0
    private var isAtEnd = false

    /// The next line without its line feed. The middle of a line that the buffer does not hold is dropped: what is left
    /// of it is still far too long for an amount.
    mutating func next() -> ArraySlice<UInt8>? {
        var searched = start
        while true {
            if let feed = buffer[searched..<end].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = feed + 1 }
                return buffer[start..<feed]
            }
            if isAtEnd {
                defer { start = end }
                return start < end ? buffer[start..<end] : nil
            }
            if end - start == buffer.count { end = buffer.count / 2 }
            searched = end - start
            fill()
        }
    }

    private mutating func fill() {
        buffer.withUnsafeMutableBytes { bytes in
            bytes.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            end -= start
            start = 0
            let rest = UnsafeMutableRawBufferPointer(rebasing: bytes[end...])
            var count = 0
            repeat { count = read(STDIN_FILENO, rest.baseAddress, rest.count) } while count < 0 && errno == EINTR
            hasFailed = count < 0
            isAtEnd = count <= 0
            end += max(0, count)
        }
    }
}

/// Lines of standard output through a buffer, `write(2)`.
private struct LineWriter {
    private(set) var hasFailed = false
    private var buffer: [UInt8] = []

    mutating func write(_ line: [UInt8]) {
        buffer += line
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= 1 << 16 { flush() }
    }

    mutating func flush() {
        var written = 0
        while written < buffer.count, !hasFailed {
            let count = buffer[written...].withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            hasFailed = count <= 0
            written += max(0, count)
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
