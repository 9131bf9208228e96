import CALSA
import Glibc

/// A call on a mixer that failed: what was tried, and the code it gave.
public struct MixerError: Error, Equatable, CustomStringConvertible {
    /// What was tried.
    public enum Operation: String, Sendable {
        /// `snd_mixer_open`, `snd_mixer_attach`, `snd_mixer_selem_register`, `snd_mixer_load`
        case open
        /// `snd_mixer_find_selem`: the card has no such element, or one without a volume for playback.
        case find
        /// `snd_mixer_selem_set_playback_dB_all` or `…_volume_all`, `…_switch_all`
        case set
    }

    /// What was tried.
    public var operation: Operation
    /// The error's number, positive, as in errno.h.
    public var code: Int32

    init(_ operation: Operation, _ code: Int32) {
        self.operation = operation
        self.code = abs(code)
    }

    /// One line: the operation, and `snd_strerror`'s text.
    public var description: String {
        "\(operation): \(String(cString: snd_strerror(-code)))"
    }
}

/// One element of a card's mixer, as `alsamixer` shows it: the volume is then the card's own, and the samples keep all their
/// bits. An `snd_mixer_t *` that closes itself. One thread.
public struct Mixer: ~Copyable {
    private let handle: Handle
    private let element: OpaquePointer

    /// Closes the mixer also where opening it fails half-way.
    struct Handle: ~Copyable {
        let pointer: OpaquePointer

        deinit {
            snd_mixer_close(pointer)
        }
    }

    /// Opens the element of a card.
    ///
    /// - Parameters:
    ///   - card: as ALSA names its control: `default`, `hw:0`, `hw:Device`.
    ///   - element: its name, like `PCM` or `Speaker`, the first of several with this name.
    /// - Throws: where there is no such card or element, or it has no volume.
    public init(card: String, element name: String) throws(MixerError) {
        soundbox_alsa_quiet()
        var opened: OpaquePointer?
        let code = snd_mixer_open(&opened, 0)
        guard code == 0, let opened else { throw MixerError(.open, code) }
        let handle = Handle(pointer: opened)
        for code in [
            snd_mixer_attach(opened, card), snd_mixer_selem_register(opened, nil, nil), snd_mixer_load(opened),
        ] where code < 0 {
            throw MixerError(.open, code)
        }
        var id: OpaquePointer?
        guard snd_mixer_selem_id_malloc(&id) == 0, let id else { throw MixerError(.find, ENOMEM) }
        defer { snd_mixer_selem_id_free(id) }
        snd_mixer_selem_id_set_name(id, name)
        guard let element = snd_mixer_find_selem(opened, id), snd_mixer_selem_has_playback_volume(element) != 0 else {
            throw MixerError(.find, ENOENT)
        }
        self.handle = handle
        self.element = element
    }

    /// Sets the volume of all channels.
    ///
    /// The steps are those of the software volume, 0.4 dB each, from the element's highest level down but never above 0 dB;
    /// 0 is silence. An element that does not know its decibels gets even steps of its own.
    ///
    /// - Parameter volume: 0…100; what is outside counts as the nearest inside.
    public func set(_ volume: Int) throws(MixerError) {
        let volume = min(max(volume, 0), 100)
        if snd_mixer_selem_has_playback_switch(element) != 0 {
            try check(snd_mixer_selem_set_playback_switch_all(element, volume == 0 ? 0 : 1))
        }
        var (low, high) = (0, 0)
        if snd_mixer_selem_get_playback_dB_range(element, &low, &high) == 0, low < high {
            let level = Self.level(volume, low: low, high: high)
            // To the nearest below: never louder than asked for.
            return try check(snd_mixer_selem_set_playback_dB_all(element, level, -1))
        }
        try check(snd_mixer_selem_get_playback_volume_range(element, &low, &high))
        try check(snd_mixer_selem_set_playback_volume_all(element, low + (high - low) * volume / 100))
    }

    /// The level of a step in hundredths of a decibel, in the range that the element has.
    static func level(_ volume: Int, low: Int, high: Int) -> Int {
        guard volume > 0 else { return low }
        let most = min(high, 0)
        return max(low, most - (100 - volume) * Int((Volume.decibelsPerStep * 100).rounded()))
    }

    private func check(_ code: Int32) throws(MixerError) {
        if code < 0 { throw MixerError(.set, code) }
    }
}
