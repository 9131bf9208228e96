import Glibc
import SoundboxAudio
import SoundboxCore
import SoundboxPlatform

/// Says one thing on a device, here and now, and waits until it was heard. For the command line; one thread.
public enum Mouth {
    /// - Throws: where the device cannot be opened, or goes away in mid-word, or the clips cannot be read.
    public static func say(
        _ plan: ClipPlan, with voice: Voice, device: String, volume: Int
    ) throws(VoiceError) {
        let engine = AudioEngine(AudioSettings(device: device))
        defer { engine.close() }
        do {
            try engine.start()
            guard let format = engine.format else { throw VoiceError(description: "\(device): \(reason(engine))") }
            try engine.play(id: 1, plan: plan, bank: try voice.clips(rate: format.rate), volume: volume)
        } catch {
            throw VoiceError(description: "\(error)")
        }
        while true {
            for event in engine.events() {
                switch event {
                case .ended, .stopped: return
                case .lost(let error): throw VoiceError(description: "\(device): \(error)")
                case .began, .underrun, .opened: break
                }
            }
            var descriptor = pollfd(fd: engine.wakeDescriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&descriptor, 1, -1)
        }
    }

    private static func reason(_ engine: AudioEngine) -> String {
        for case .lost(let error) in engine.events() { return error.description }
        return "cannot be opened"
    }
}
