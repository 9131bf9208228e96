// Whether a message is what somebody with a key has said to this box, and lately.

/// What looking at a payload's signature has shown.
public enum SignatureVerdict: Equatable, Sendable {
    /// There is none: the payload is the message.
    case unsigned
    /// One of the box's keys signed this message.
    case valid([UInt8])
    /// It is signed, but not by a key of the box, or changed since; why, for the log.
    case invalid(String)
}

extension Speaker {
    /// Longer payloads are not even verified: a notice of 4 KiB has this much with its signature around it.
    static let signedLimit = 8192
    /// For so many milliseconds after it was signed a notice is believed: as long as the journal keeps its id, and so
    /// knows a copy of it.
    static let noticeLifetime: Int64 = 30 * 86_400_000
    /// The same for a command, of whose ids only the last 256 are kept: a day, for a box that was away.
    static let commandLifetime: Int64 = 86_400_000

    /// Why a message is not taken, machine-readable, and more about it for the log.
    struct Distrust: Error, Equatable {
        var reason: String
        var detail = ""
    }

    /// The message that a payload holds.
    ///
    /// A signed one names the box that it is for and the second at which it was signed, `"box"` and `"iat"`; otherwise
    /// what was meant for one box could be played to another, or again when nobody remembers it.
    func message(
        in payload: [UInt8], lifetime: Int64, addressees: [String], at now: Now
    ) throws(Distrust) -> [UInt8] {
        guard payload.count <= Speaker.signedLimit else {
            guard !settings.requiresSignature else { throw Distrust(reason: "too-large") }
            return payload
        }
        switch ports.signature(payload) {
        case .unsigned:
            guard !settings.requiresSignature else { throw Distrust(reason: "unsigned") }
            return payload
        case .invalid(let detail): throw Distrust(reason: "signature", detail: detail)
        case .valid(let message):
            guard let json = try? JSON(parsing: message) else { throw Distrust(reason: "not-json") }
            guard let box = json["box"]?.string, addressees.contains(where: { $0.utf8.elementsEqual(box.utf8) }) else {
                throw Distrust(reason: "box-mismatch", detail: json["box"]?.text ?? "no box")
            }
            guard let seconds = json["iat"]?.integer, seconds >= 0, seconds < 1 << 40 else {
                throw Distrust(reason: "iat-missing")
            }
            let age = now.wall.milliseconds - Int64(seconds) * 1000
            guard !now.wallIsTrusted || (-Lateness.leeway...lifetime).contains(age) else {
                throw Distrust(reason: "iat-out-of-range", detail: "signed \(age / 1000) s ago")
            }
            return message
        }
    }

    /// A forged message is answered and counted, and costs nothing else: no row in the journal, no line in the log but
    /// one a minute, and not the id that it claims.
    mutating func distrust(notice payload: [UInt8], _ distrust: Distrust, at now: Now) {
        reports.rejected += 1
        tell(of: distrust, at: now)
        var receipt = receipt(nil, .rejected, reason: distrust.reason, at: now)
        receipt.digest = ports.digest(payload)
        perform(.publish(Publication(topic: settings.topics.receipt, payload: receipt.json.text, qos: 0)))
    }

    /// The same for a command.
    mutating func distrust(command payload: [UInt8], _ distrust: Distrust, at now: Now) {
        tell(of: distrust, at: now)
        let reply = reply(nil, .failure(CommandError(reason: distrust.reason)))
        perform(.publish(Publication(topic: settings.topics.commandReply, payload: reply, qos: 0)))
    }

    private mutating func tell(of distrust: Distrust, at now: Now) {
        reports.distrusted += 1
        reports.lastError = distrust.reason
        guard now.monotonic >= reports.distrustDue else { return }
        reports.distrustDue = now.monotonic + 60_000_000_000
        let detail = distrust.detail.isEmpty ? "" : " (\(distrust.detail))"
        log(.warning, "not trusted: \(distrust.reason)\(detail); \(reports.distrusted) so far")
    }
}
