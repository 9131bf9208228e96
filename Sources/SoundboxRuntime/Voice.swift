import SoundboxAudio
import SoundboxCore
import SoundboxPlatform

/// Why a voice pack cannot be used: the file, and why.
public struct VoiceError: Error, Equatable, Sendable, CustomStringConvertible {
    /// `FILE: key or line: why`
    public var description: String
}

/// A voice pack from its folder: its planner, and its recordings at a device's rate.
public struct Voice: Sendable {
    /// Where the pack stands.
    public let folder: String
    /// Plans announcements with the pack.
    public let planner: Planner

    /// Reads and checks `pack.json` and `grammar.rbnf`, without the recordings.
    public init(folder: String) throws(VoiceError) {
        self.folder = folder
        do {
            let manifest = try File.read("\(folder)/pack.json")
            let grammar = try File.read("\(folder)/grammar.rbnf")
            planner = Planner(pack: try VoicePack(manifest: manifest, grammar: grammar))
        } catch let error as PackError {
            throw VoiceError(description: "\(folder)/\(error)")
        } catch let error as SystemError {
            throw VoiceError(description: error.description)
        } catch {
            throw VoiceError(description: "\(folder): \(error)")
        }
    }

    /// Decodes the recordings, to be read at the rate of a device.
    ///
    /// - Parameter rate: the device's, in Hz.
    public func clips(rate: Int) throws(VoiceError) -> ClipBank {
        do {
            return try ClipBank(
                folder: "\(folder)/clips", files: planner.pack.clips.map(\.file), sourceRate: planner.pack.rate,
                rate: rate)
        } catch {
            throw VoiceError(description: error.description)
        }
    }
}

extension Configuration {
    /// What the engine is to do.
    var audioSettings: AudioSettings {
        var settings = AudioSettings(device: audio.device)
        settings.standbyAfter = audio.idle == .standby ? audio.standbyAfter : nil
        settings.leadIn = audio.leadIn
        return settings
    }
}
