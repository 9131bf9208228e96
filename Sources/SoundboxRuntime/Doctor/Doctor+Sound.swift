import Glibc
import SoundboxAudio
import SoundboxCore

// The sound: which cards there are, whether the configured device opens, and whether a person hears each.

extension Doctor {
    mutating func checkCards(_ voice: Voice?) {
        let device = configuration.audio.device
        check(device: device, isConfigured: true, voice)
        let cards = SoundCard.all()
        if cards.isEmpty {
            found(
                .warning, "card", "the kernel has no sound card that plays",
                remedy: "aplay -l; on a Raspberry Pi a dtoverlay= for the amplifier in config.txt, for USB: lsusb")
        }
        for card in cards {
            for number in card.devices {
                let name = "plughw:CARD=\(card.id),DEV=\(number)"
                if name != device { check(device: name, label: "\(name) (\(card.name))", isConfigured: false, voice) }
            }
        }
        if configuration.audio.volume == 0 {
            found(
                .warning, "card", "the volume is 0: every payment is failed, muted", remedy: "[audio] volume in \(file)"
            )
        }
    }

    /// Opens a device, and says the test prompt on it. A card that only another program holds is as well as one can see.
    private mutating func check(device: String, label: String? = nil, isConfigured: Bool, _ voice: Voice?) {
        let label = label ?? device
        // ALSA's file plugin empties its file when it is opened, and the daemon may be writing to it.
        guard !device.hasPrefix("file:") else { return found(.ok, "card", "\(label): a file, which is left alone") }
        let engine = AudioEngine(AudioSettings(device: device))
        do throws(PCMError) {
            try engine.start()
        } catch {
            return found(.error, "card", "\(label): \(error)", remedy: nil)
        }
        let (format, events) = (engine.format, engine.events())
        engine.close()
        guard let format else {
            let error = events.lazy.compactMap { if case .lost(let error) = $0 { error } else { nil } }.first
            return refused(device, label, error, isConfigured: isConfigured)
        }
        found(.ok, "card", "\(label): \(format)")
        guard isAloud, let voice, let plan = try? voice.planner.plan(.phrase("prompt.test")) else { return }
        do throws(VoiceError) {
            try Mouth.say(plan, with: voice, device: device, volume: max(configuration.audio.volume, 1))
            found(
                .ok, "card", "\(label): said “\(plan.text)”; if it was not heard: alsamixer, and the amplifier's wires")
        } catch {
            found(
                .error, "card", "\(label): \(error)",
                remedy: "aplay -D \(device) /usr/share/sounds/alsa/Front_Center.wav")
        }
    }

    private mutating func refused(_ device: String, _ label: String, _ error: PCMError?, isConfigured: Bool) {
        let text = "\(label): \(error.map { "\($0)" } ?? "cannot be opened")"
        switch error?.code {
        case EBUSY where daemon != nil:
            found(.ok, "card", "\(label): in use, as it has to be while the service runs")
        case EBUSY:
            found(.error, "card", text, remedy: "fuser -v /dev/snd/* tells who holds it; `default` can be shared")
        case EACCES, EPERM:
            found(.error, "card", text, remedy: "usermod -aG audio USER, and log in again")
        default:
            let remedy =
                isConfigured ? "[audio] device in \(file): one that aplay -L lists" : "aplay -D \(device) FILE.wav"
            found(isConfigured ? .error : .warning, "card", text, remedy: remedy)
        }
    }
}
