import CALSA
import Glibc

/// An open ALSA device: an `snd_pcm_t *` that closes itself.
struct PCM: PCMDevice, ~Copyable {
    let format: PCMFormat
    private let handle: Handle

    /// Closes the device also where opening it fails half-way.
    struct Handle: ~Copyable {
        let pointer: OpaquePointer

        deinit {
            snd_pcm_close(pointer)
        }
    }

    /// `snd_pcm_open` and the parameters; the device is then prepared, or plays silence where that was tried. Allocates,
    /// and may take a while.
    static func open(_ name: UnsafePointer<CChar>, rate: Int, known: PCMFormat?) throws(PCMError) -> PCM {
        soundbox_alsa_quiet()
        var opened: OpaquePointer?
        // Non-blocking, so that a card in use is an error at once, and a write never holds up a stop.
        let code = snd_pcm_open(&opened, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK)
        guard code == 0, let opened else { throw PCMError(.open, code) }
        let handle = Handle(pointer: opened)
        var format = try negotiate(opened, rate: rate)
        if let known, known.isSameSetup(as: format) {
            format.runsFree = known.runsFree
            format.rewinds = known.rewinds
            try setThresholds(opened, runsFree: format.runsFree)
        } else {
            try findAbilities(opened, of: &format)
        }
        return PCM(format: format, handle: handle)
    }

    /// `snd_pcm_avail_delay`
    func status() throws(PCMError) -> (available: Int, delay: Int) {
        var available: snd_pcm_sframes_t = 0
        var delay: snd_pcm_sframes_t = 0
        let code = snd_pcm_avail_delay(handle.pointer, &available, &delay)
        if code < 0 { throw PCMError(.status, code) }
        return (available, delay)
    }

    /// `snd_pcm_writei`
    func write(_ frames: UnsafeRawPointer, count: Int) throws(PCMError) -> Int {
        try Self.frames(.write, snd_pcm_writei(handle.pointer, frames, snd_pcm_uframes_t(count)))
    }

    /// `snd_pcm_rewind`
    func rewind(_ count: Int) throws(PCMError) -> Int {
        try Self.frames(.rewind, snd_pcm_rewind(handle.pointer, snd_pcm_uframes_t(count)))
    }

    /// `snd_pcm_forward`
    func forward(_ count: Int) throws(PCMError) -> Int {
        try Self.frames(.forward, snd_pcm_forward(handle.pointer, snd_pcm_uframes_t(count)))
    }

    /// `snd_pcm_prepare`
    func prepare() throws(PCMError) {
        let code = snd_pcm_prepare(handle.pointer)
        if code < 0 { throw PCMError(.prepare, code) }
    }

    /// `snd_pcm_drop`
    func drop() throws(PCMError) {
        let code = snd_pcm_drop(handle.pointer)
        if code < 0 { throw PCMError(.drop, code) }
    }

    /// `snd_pcm_resume`
    func resume() throws(PCMError) {
        let code = snd_pcm_resume(handle.pointer)
        if code < 0 { throw PCMError(.resume, code) }
    }

    private static func frames(_ operation: PCMError.Operation, _ count: snd_pcm_sframes_t) throws(PCMError) -> Int {
        if count < 0 { throw PCMError(operation, Int32(clamping: count)) }
        return count
    }
}
