import SoundboxCore
import SoundboxPlatform

/// What a value has to be; for the message about one that is not.
struct InvalidValue: Error {
    var allowed: String
}

/// One key of the configuration file. The table is the only place that knows a key.
struct ConfigurationKey: Sendable {
    let section: String
    let name: String
    /// Checks the text and stores the value.
    let set: @Sendable (inout Configuration, String) throws(InvalidValue) -> Void

    static let all = general + panel

    private static let general: [ConfigurationKey] = [
        key("box", "id", \.box.id, level),
        key("box", "name", \.box.name, line(most: 64)),
        key("box", "state_dir", \.box.stateDirectory, path),
        key("box", "groups", \.box.groups, levels),
        key("box", "timezone", \.box.timeZone, optional(timeZone)),
        key("broker", "host", \.broker.host, host),
        key("broker", "port", \.broker.port, optional(integer(1...65_535))),
        key("broker", "username", \.broker.username, optional(line(most: 256))),
        key("broker", "password_file", \.broker.passwordFile, optional(path)),
        key("broker", "ca_file", \.broker.caFile, optional(path)),
        key("broker", "cert_file", \.broker.certificateFile, optional(path)),
        key("broker", "key_file", \.broker.keyFile, optional(path)),
        key("broker", "topic_root", \.broker.topicRoot, level),
        key("broker", "keepalive", \.broker.keepalive, seconds(5...3600)),
        key("broker", "discovery", \.broker.announcesToHomeAssistant, discovery),
        key("voice", "pack", \.voice.pack, path),
        key("voice", "packs_dir", \.voice.packsDirectory, path),
        key("voice", "style", \.voice.style, optional(line(most: 64))),
        key("audio", "device", \.audio.device, line(most: 512)),
        key("audio", "volume", \.audio.volume, integer(0...100)),
        key("audio", "idle", \.audio.idle, idle),
        key("audio", "standby_after", \.audio.standbyAfter, seconds(1...86_400)),
        key("audio", "lead_in", \.audio.leadIn, milliseconds(0...1000)),
        key("audio", "mixer", \.audio.mixer, optional(line(most: 64))),
        key("audio", "mixer_card", \.audio.mixerCard, line(most: 64)),
        key("audio", "night_from", \.audio.nightFrom, optional(timeOfDay)),
        key("audio", "night_to", \.audio.nightTo, optional(timeOfDay)),
        key("audio", "night_volume", \.audio.nightVolume, integer(0...100)),
        key("policy", "late_after", \.policy.lateAfter, milliseconds(to: 30 * 86_400_000, "720h")),
        key("policy", "expire_after", \.policy.expireAfter, milliseconds(to: 30 * 86_400_000, "720h")),
        key("policy", "merge_after", \.policy.mergeAfter, integer(0...1000)),
        key("policy", "queue_limit", \.policy.queueLimit, integer(1...1000)),
        key("policy", "require_signature", \.policy.requiresSignature, yesOrNo),
        key("trust", "notice_keys", \.trust.noticeKeys, optional(path)),
    ]

    static func named(_ name: String, in section: String) -> ConfigurationKey? {
        all.first { $0.section == section && $0.name == name }
    }

    typealias Check<Value> = @Sendable (String) throws(InvalidValue) -> Value

    static func key<Value>(
        _ section: String, _ name: String, _ path: WritableKeyPath<Configuration, Value> & Sendable,
        _ check: @escaping Check<Value>
    ) -> ConfigurationKey {
        ConfigurationKey(section: section, name: name) { (configuration, text) throws(InvalidValue) in
            configuration[keyPath: path] = try check(text)
        }
    }

    // MARK: - What a value may be

    static func optional<Value>(_ check: @escaping Check<Value>) -> Check<Value?> {
        { (text) throws(InvalidValue) in try check(text) }
    }

    static func line(most: Int) -> Check<String> {
        { (text) throws(InvalidValue) in
            guard !text.isEmpty, text.utf8.count <= most, !text.unicodeScalars.contains(where: { $0.value < 0x20 })
            else {
                throw InvalidValue(allowed: "text of 1 to \(most) bytes")
            }
            return text
        }
    }

    static let yesOrNo: Check<Bool> = { (text) throws(InvalidValue) in
        switch text {
        case "yes", "true", "on", "1": return true
        case "no", "false", "off", "0": return false
        default: throw InvalidValue(allowed: "yes or no")
        }
    }

    private static let path: Check<String> = { (text) throws(InvalidValue) in
        guard !text.isEmpty, text.utf8.count < 4096 else { throw InvalidValue(allowed: "a path") }
        return text
    }

    private static let level: Check<String> = { (text) throws(InvalidValue) in
        guard Topics.isLevel(text) else {
            throw InvalidValue(allowed: "1 to 64 bytes without / + # (it becomes one level of a topic)")
        }
        return text
    }

    private static let levels: Check<[String]> = { (text) throws(InvalidValue) in
        var names: [String] = []
        for name in text.split(separator: " ") { names.append(try level(String(name))) }
        return names
    }

    private static let host: Check<String> = { (text) throws(InvalidValue) in
        let allowed = text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }
        guard allowed, (1...253).contains(text.utf8.count) else {
            throw InvalidValue(allowed: "a host name or an address, without a scheme")
        }
        return text
    }

    static func integer(_ range: ClosedRange<Int>) -> Check<Int> {
        { (text) throws(InvalidValue) in
            guard let value = Int(text), range.contains(value) else {
                throw InvalidValue(allowed: "a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return value
        }
    }

    private static let idle: Check<Configuration.Audio.Idle> = { (text) throws(InvalidValue) in
        guard let value = Configuration.Audio.Idle(rawValue: text) else {
            throw InvalidValue(allowed: Configuration.Audio.Idle.allCases.map(\.rawValue).joined(separator: " or "))
        }
        return value
    }

    static func milliseconds(_ range: ClosedRange<Int>) -> Check<Int> {
        { (text) throws(InvalidValue) in
            guard let value = duration(text), range.contains(value) else {
                throw InvalidValue(
                    allowed: "a duration from \(range.lowerBound)ms to \(range.upperBound)ms, like 250ms")
            }
            return value
        }
    }

    private static func seconds(_ range: ClosedRange<Int>) -> Check<Int> {
        { (text) throws(InvalidValue) in
            guard let value = duration(text), value % 1000 == 0, range.contains(value / 1000) else {
                throw InvalidValue(
                    allowed: "a duration from \(range.lowerBound)s to \(range.upperBound)s, like 30s or 5m")
            }
            return value / 1000
        }
    }

    private static func milliseconds(to most: Int, _ mostText: String) -> Check<Int> {
        { (text) throws(InvalidValue) in
            guard let value = duration(text), value <= most else {
                throw InvalidValue(allowed: "a duration up to \(mostText), like 60s or 30m")
            }
            return value
        }
    }

    private static let timeZone: Check<String> = { (text) throws(InvalidValue) in
        guard LocalClock.isZone(text) else {
            throw InvalidValue(allowed: "a time zone that the machine knows, like Asia/Shanghai,")
        }
        return text
    }

    /// Minutes since midnight of `22:00`.
    private static let timeOfDay: Check<Int> = { (text) throws(InvalidValue) in
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }), let hours = UInt8(parts[0]), hours < 24,
            let minutes = UInt8(parts[1]), minutes < 60
        else { throw InvalidValue(allowed: "a time of day from 00:00 to 23:59") }
        return Int(hours) * 60 + Int(minutes)
    }

    /// Milliseconds of `250ms`, `60s`, `30m`, `2h`.
    static func duration(_ text: String) -> Int? {
        for (unit, milliseconds) in [("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000)]
        where text.hasSuffix(unit) {
            guard let value = UInt32(text.dropLast(unit.count)) else { continue }
            return Int(value) * milliseconds
        }
        return nil
    }
}
