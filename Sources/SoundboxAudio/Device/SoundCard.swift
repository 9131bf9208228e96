import CALSA

/// A sound card that plays, as the kernel lists it.
public struct SoundCard: Equatable, Sendable {
    /// What ALSA's device names call it, as in `plughw:CARD=Device`.
    public var id: String
    /// What people call it.
    public var name: String
    /// The numbers of its devices that play.
    public var devices: [Int]

    /// The cards that play something, in the kernel's order. Any thread; opens each card's control device for a moment,
    /// which disturbs nobody. `snd_card_next`, `snd_ctl_pcm_next_device`.
    public static func all() -> [SoundCard] {
        soundbox_alsa_quiet()
        var cards: [SoundCard] = []
        var number: Int32 = -1
        while snd_card_next(&number) == 0, number >= 0 {
            if let card = SoundCard(number: number), !card.devices.isEmpty { cards.append(card) }
        }
        return cards
    }

    private init?(number: Int32) {
        var opened: OpaquePointer?
        guard snd_ctl_open(&opened, "hw:\(number)", SND_CTL_READONLY) == 0, let control = opened else { return nil }
        defer { snd_ctl_close(control) }
        var allocatedCard: OpaquePointer?
        var allocatedPCM: OpaquePointer?
        guard snd_ctl_card_info_malloc(&allocatedCard) == 0, let card = allocatedCard else { return nil }
        defer { snd_ctl_card_info_free(card) }
        guard snd_pcm_info_malloc(&allocatedPCM) == 0, let pcm = allocatedPCM else { return nil }
        defer { snd_pcm_info_free(pcm) }
        guard snd_ctl_card_info(control, card) == 0, let id = snd_ctl_card_info_get_id(card),
            let name = snd_ctl_card_info_get_name(card)
        else { return nil }
        self.id = String(cString: id)
        self.name = String(cString: name)
        devices = []
        var device: Int32 = -1
        while snd_ctl_pcm_next_device(control, &device) == 0, device >= 0 {
            snd_pcm_info_set_device(pcm, UInt32(device))
            snd_pcm_info_set_stream(pcm, SND_PCM_STREAM_PLAYBACK)
            if snd_ctl_pcm_info(control, pcm) == 0 { devices.append(Int(device)) }
        }
    }
}
