import CMosquitto
import Glibc

/// A call of libmosquitto that failed, or a connection that the broker refused.
public struct MQTTError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What was being done: `connect`, `publish`, `read`, …
    public let operation: String
    /// The `MOSQ_ERR_` code of libmosquitto.
    public let code: Int32
    /// What the library, the system or the TLS library says about it (`mosquitto_strerror`, `strerror`,
    /// `gai_strerror`).
    public let text: String

    /// `operation: text`.
    public var description: String { "\(operation): \(text)" }

    /// Must be made right after the call, since `MOSQ_ERR_ERRNO` and `MOSQ_ERR_EAI` put their reason into errno.
    init(_ operation: String, code: Int32, detail: String? = nil) {
        let reason = errno
        self.operation = operation
        self.code = code
        let meaning =
            switch code {
            case MOSQ_ERR_ERRNO.rawValue: String(cString: strerror(reason))
            case MOSQ_ERR_EAI.rawValue: String(cString: gai_strerror(reason))
            default: String(cString: mosquitto_strerror(code))
            }
        text = detail.map { "\(meaning) (\($0))" } ?? meaning
    }

    init(_ operation: String, code: mosq_err_t, detail: String? = nil) {
        self.init(operation, code: code.rawValue, detail: detail)
    }

    /// The same with what else is known.
    func adding(detail: String) -> MQTTError {
        MQTTError(operation: operation, code: code, text: "\(text) (\(detail))")
    }

    private init(operation: String, code: Int32, text: String) {
        self.operation = operation
        self.code = code
        self.text = text
    }
}
