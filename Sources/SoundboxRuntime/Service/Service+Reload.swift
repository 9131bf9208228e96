import SoundboxAudio
import SoundboxCore
import SoundboxPlatform

// Voice, style and keys can change while the box runs.

extension Service {
    /// What a reload brings.
    struct Reload: Sendable {
        var voice: Voice
        var clips: ClipBank
        var keys: KeyRing
        var style: String?
    }

    /// The keys as they are now, for the speaker's port. Control thread.
    final class KeyHolder {
        var ring: KeyRing

        init(_ ring: KeyRing) {
            self.ring = ring
        }
    }

    /// Reads configuration, voice pack and keys anew on a thread of its own: decoding takes seconds on a small board, and
    /// the control thread has a broker waiting.
    func reload(command: String?) {
        let file = file
        let rate = clips.rate
        let mailbox = mailbox
        do {
            try NamedThread("reload") {
                mailbox.put(.reloaded(Service.load(file: file, rate: rate), command: command))
            }.detach()
        } catch {
            mailbox.put(.reloaded(.failure(ReloadError("\(error)")), command: command))
        }
    }

    private static func load(file: String, rate: Int) -> Result<Reload, ReloadError> {
        do {
            let (configuration, _) = try Configuration.load(file)
            let voice = try Voice(folder: configuration.voice.folder)
            return .success(
                Reload(
                    voice: voice, clips: try voice.clips(rate: rate),
                    keys: try KeyRing(folder: configuration.trust.noticeKeys), style: configuration.voice.style))
        } catch {
            return .failure(ReloadError("\(error)"))
        }
    }

    func install(_ result: Result<Reload, ReloadError>, command: String?) {
        switch result {
        case .success(let reload):
            voice = reload.voice
            // The card may have changed while they were read.
            clips = reload.clips.at(rate: clips.rate)
            keys.ring = reload.keys
            let voice = Speaker.Voice(planner: reload.voice.planner, style: reload.style)
            handle(.reloaded(.success(voice), command: command))
        case .failure(let error): handle(.reloaded(.failure(error), command: command))
        }
    }
}
