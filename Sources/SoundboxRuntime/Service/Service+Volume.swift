import SoundboxAudio

// Where a mixer element is configured the volume is the card's own; else, and where the card refuses, it is the samples'.

extension Service {
    /// The volume from now on, also of what is being said.
    func setVolume(_ volume: Int) {
        if !setCardVolume(volume) { engine.setVolume(volume) }
    }

    /// By how much the samples of an announcement at this volume are to be turned down: not at all where the card does it.
    func softwareVolume(for volume: Int) -> Int {
        setCardVolume(volume) ? 100 : volume
    }

    /// Whether the card plays at this volume now. The mixer is opened for each change: there are few, and a card that was
    /// unplugged comes back with another mixer.
    private func setCardVolume(_ volume: Int) -> Bool {
        guard let element = configuration.audio.mixer else { return false }
        guard cardVolume != volume else { return true }
        do throws(MixerError) {
            try Mixer(card: configuration.audio.mixerCard, element: element).set(volume)
            cardVolume = volume
            mixerError = nil
            return true
        } catch {
            // Said once, not before each payment.
            if error != mixerError {
                log.write(
                    .warning, "mixer \(configuration.audio.mixerCard), \(element): \(error): software volume instead")
            }
            mixerError = error
            cardVolume = nil
            return false
        }
    }
}
