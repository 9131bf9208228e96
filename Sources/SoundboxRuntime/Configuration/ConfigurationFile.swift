import SoundboxCore
import SoundboxPlatform

/// What is wrong with a configuration, and where.
public struct ConfigurationError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The file as it was named.
    public var file: String
    /// The line, where it is about one.
    public var line: Int?
    /// What is wrong, with the key and what is allowed.
    public var text: String

    /// `/etc/soundbox/soundbox.conf:12: audio.volume = loud: a whole number from 0 to 100 is wanted`
    public var description: String { line.map { "\(file):\($0): \(text)" } ?? "\(file): \(text)" }
}

extension Configuration {
    /// Where the box's own configuration stands.
    public static let defaultFile = "/etc/soundbox/soundbox.conf"

    /// Reads a file, then the drop-ins `FILE.d/*.conf` in the order of their names; a later setting wins.
    ///
    /// Relative paths are relative to the working directory. Warnings are unknown keys, each with file and line.
    public static func load(
        _ file: String
    ) throws(ConfigurationError) -> (configuration: Configuration, warnings: [String]) {
        var configuration = Configuration()
        var warnings: [String] = []
        let folder = "\(file).d"
        var files = [file]
        if File.exists(folder) {
            do {
                files += try File.names(in: folder, suffix: ".conf").map { "\(folder)/\($0)" }
            } catch {
                throw ConfigurationError(file: folder, text: SystemError.text(error.code))
            }
        }
        for file in files {
            warnings += try configuration.apply(try INIFile.entries(of: file), of: file)
        }
        guard !configuration.box.id.isEmpty else {
            throw ConfigurationError(file: file, text: "box.id is not set: give the box a name of its own")
        }
        guard (configuration.broker.certificateFile == nil) == (configuration.broker.keyFile == nil) else {
            throw ConfigurationError(file: file, text: "broker.cert_file and broker.key_file go together")
        }
        guard configuration.broker.certificateFile == nil || configuration.broker.caFile != nil else {
            throw ConfigurationError(file: file, text: "broker.cert_file needs broker.ca_file, which turns TLS on")
        }
        guard (configuration.audio.nightFrom == nil) == (configuration.audio.nightTo == nil) else {
            throw ConfigurationError(file: file, text: "audio.night_from and audio.night_to go together")
        }
        guard !configuration.policy.requiresSignature || configuration.trust.noticeKeys != nil else {
            throw ConfigurationError(
                file: file, text: "policy.require_signature needs trust.notice_keys: nothing would be believed")
        }
        return (configuration, warnings)
    }

    private mutating func apply(
        _ entries: [INIFile.Entry], of file: String
    ) throws(ConfigurationError) -> [String] {
        var warnings: [String] = []
        for entry in entries {
            guard let key = ConfigurationKey.named(entry.name, in: entry.section) else {
                let name = entry.section.isEmpty ? entry.name : "\(entry.section).\(entry.name)"
                warnings.append("\(file):\(entry.line): unknown key \(name)")
                continue
            }
            do throws(InvalidValue) {
                try key.set(&self, entry.value)
            } catch {
                throw ConfigurationError(
                    file: file, line: entry.line,
                    text: "\(key.section).\(key.name) = \(entry.value): \(error.allowed) is wanted")
            }
        }
        return warnings
    }
}
