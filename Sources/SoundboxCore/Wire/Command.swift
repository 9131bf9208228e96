/// One message on a command topic: something that the box shall do now.
public struct Command: Equatable, Sendable {
    /// What to do.
    public enum Action: Equatable, Sendable {
        /// Say the last payment again.
        case `repeat`
        /// Say what came in today.
        case total
        /// Cut what is being said.
        case stop
        case sayAmount(Amount, channel: String?)
        case sayText(String)
        case playPhrase(String)
        case playClip(String)
        case volume(VolumeChange)
        case mute(Bool)
        /// Make this box heard among others.
        case identify
        /// Say a prompt by its key without `prompt.`.
        case prompt(String)
        /// Read the voice pack and the settings anew.
        case reload
        /// Give up what waits to be said.
        case clearQueue
        case logLevel(LogLevel)
    }

    /// To a volume, or by steps from where it is.
    public enum VolumeChange: Equatable, Sendable {
        case to(Int)
        case by(Int)
    }

    /// 1–128 bytes, the sender's own.
    public var id: String
    /// What to do.
    public var action: Action
    /// After this time it is too late to run the command.
    public var expiresAt: Timestamp?
}

/// How much is logged: a level and all above it.
public enum LogLevel: String, CaseIterable, Comparable, Sendable {
    case debug, info, notice, warning, error

    /// Less severe than.
    public static func < (left: LogLevel, right: LogLevel) -> Bool {
        left.severity > right.severity
    }

    /// The severity of syslog(3), as in the `<N>` prefix that journald reads: 3 for errors, 7 for debugging.
    public var severity: Int {
        switch self {
        case .debug: return 7
        case .info: return 6
        case .notice: return 5
        case .warning: return 4
        case .error: return 3
        }
    }
}

/// Why a payload is not a command.
public struct CommandError: Error, Equatable, Sendable {
    /// Machine-readable, as the reply carries it.
    public var reason: String
    /// The command's id where it could be read.
    public var id: String?
}

extension Command {
    /// Reads a command from a payload of JSON.
    public init(decoding payload: [UInt8]) throws(CommandError) {
        guard payload.count <= Notice.maximumSize else { throw CommandError(reason: "too-large") }
        let json: JSON
        do {
            json = try JSON(parsing: payload)
        } catch {
            throw CommandError(reason: error.reason.rawValue)
        }
        guard json.members != nil else { throw CommandError(reason: "not-an-object") }
        guard let id = json["id"]?.string, !id.isEmpty, id.utf8.count <= 128 else {
            throw CommandError(reason: "id-missing")
        }
        self.id = id
        do throws(Refusal) {
            action = try Command.action(json)
            expiresAt = try Command.time(json["expiresAt"])
        } catch {
            throw CommandError(reason: error.reason, id: id)
        }
    }

    private struct Refusal: Error {
        var reason: String
    }

    private static func action(_ json: JSON) throws(Refusal) -> Action {
        guard let name = json["do"]?.string else { throw Refusal(reason: "do-missing") }
        switch name {
        case "repeat": return .repeat
        case "total": return .total
        case "stop": return .stop
        case "identify": return .identify
        case "reload": return .reload
        case "clear-queue": return .clearQueue
        case "say": return try say(json)
        case "play":
            if let phrase = json["phrase"]?.string { return .playPhrase(phrase) }
            return .playClip(try text(json, "clip"))
        case "prompt": return .prompt(try text(json, "prompt"))
        case "volume": return .volume(try volume(json["volume"]))
        case "mute":
            switch json["mute"] {
            case nil: return .mute(true)
            case .bool(let muted): return .mute(muted)
            default: throw Refusal(reason: "mute-not-boolean")
            }
        case "log-level":
            guard let level = LogLevel(rawValue: try text(json, "level")) else {
                throw Refusal(reason: "level-unknown")
            }
            return .logLevel(level)
        default: throw Refusal(reason: "do-unknown")
        }
    }

    private static func say(_ json: JSON) throws(Refusal) -> Action {
        if let text = json["text"]?.string { return .sayText(text) }
        guard let currency = Currency(code: json["currency"].map { $0.string ?? "" } ?? Currency.cny.code) else {
            throw Refusal(reason: "currency-unknown")
        }
        switch json["amount"] {
        case .string(let text), .number(let text):
            do throws(AmountError) {
                return .sayAmount(try Amount(parsing: text, currency: currency), channel: json["channel"]?.string)
            } catch {
                throw Refusal(reason: error.rawValue)
            }
        default: throw Refusal(reason: "amount-missing")
        }
    }

    /// `70`, `"70"`, `"+10"`, `"-10"`; the number -10 is a step, too.
    private static func volume(_ json: JSON?) throws(Refusal) -> VolumeChange {
        guard case .string(let text) = json ?? .null else {
            guard let value = json?.integer, (-100...100).contains(value) else {
                throw Refusal(reason: "volume-out-of-range")
            }
            return value < 0 ? .by(value) : .to(value)
        }
        guard let value = Int(text), (-100...100).contains(value) else { throw Refusal(reason: "volume-out-of-range") }
        return text.hasPrefix("+") || text.hasPrefix("-") ? .by(value) : .to(value)
    }

    private static func text(_ json: JSON, _ key: String) throws(Refusal) -> String {
        guard let text = json[key]?.string, !text.isEmpty else { throw Refusal(reason: "\(key)-missing") }
        return text
    }

    private static func time(_ json: JSON?) throws(Refusal) -> Timestamp? {
        guard let json else { return nil }
        guard let time = json.string.flatMap({ Timestamp(parsing: $0) }) else {
            throw Refusal(reason: "expires-at-malformed")
        }
        return time
    }
}
