import CALSA
import Glibc

/// A sound device as the engine needs it; ``PCM`` is the real one, and tests have one that fails at will.
///
/// Only the audio thread calls these, and none of them blocks: what cannot be done now gives EAGAIN.
protocol PCMDevice: ~Copyable {
    /// Opens the device that ALSA knows by this name, ready to be written to, at the rate nearest to `rate`.
    static func open(_ name: UnsafePointer<CChar>, rate: Int) throws(PCMError) -> Self
    /// What was agreed.
    var format: PCMFormat { get }
    /// How many frames can be written, and how many frames from now the last written one is heard.
    func status() throws(PCMError) -> (available: Int, delay: Int)
    /// Writes frames in the agreed format and returns how many were taken. The first write starts the device.
    func write(_ frames: UnsafeRawPointer, count: Int) throws(PCMError) -> Int
    /// Makes the device ready to be written to, after it stopped.
    func prepare() throws(PCMError)
    /// Stops at once; what was not heard is discarded.
    func drop() throws(PCMError)
    /// Goes on after the machine was suspended.
    func resume() throws(PCMError)
}

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

    /// How much sound the device holds: deep enough for a busy machine, shallow enough to be cut soon.
    static let bufferMicroseconds: UInt32 = 150_000
    static let periodMicroseconds: UInt32 = 10_000

    /// Every card that has no S16 has one of the others; this is the order of preference.
    private static let formats: [(PCMFormat.Sample, snd_pcm_format_t)] = [
        (.s16, SND_PCM_FORMAT_S16_LE), (.s32, SND_PCM_FORMAT_S32_LE), (.s24, SND_PCM_FORMAT_S24_LE),
        (.s24In3, SND_PCM_FORMAT_S24_3LE), (.float, SND_PCM_FORMAT_FLOAT_LE),
    ]

    /// `snd_pcm_open` and the parameters; the device is then prepared. Allocates, and may take a while.
    static func open(_ name: UnsafePointer<CChar>, rate: Int) throws(PCMError) -> PCM {
        soundbox_alsa_quiet()
        var opened: OpaquePointer?
        // Non-blocking, so that a card in use is an error at once, and a write never holds up a stop.
        let code = snd_pcm_open(&opened, name, SND_PCM_STREAM_PLAYBACK, SND_PCM_NONBLOCK)
        guard code == 0, let opened else { throw PCMError(.open, code) }
        let handle = Handle(pointer: opened)
        let format = try negotiate(opened, rate: rate)
        try setThresholds(opened)
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
        let written = snd_pcm_writei(handle.pointer, frames, snd_pcm_uframes_t(count))
        if written < 0 { throw PCMError(.write, Int32(clamping: written)) }
        return written
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

    /// Agrees with the card on everything that ``PCMFormat`` holds. `snd_pcm_hw_params_*`
    private static func negotiate(_ handle: OpaquePointer, rate: Int) throws(PCMError) -> PCMFormat {
        func check(_ code: Int32) throws(PCMError) {
            if code < 0 { throw PCMError(.configure, code) }
        }
        var allocated: OpaquePointer?
        try check(snd_pcm_hw_params_malloc(&allocated))
        guard let params = allocated else { throw PCMError(.configure, ENOMEM) }
        defer { snd_pcm_hw_params_free(params) }
        try check(snd_pcm_hw_params_any(handle, params))
        // The clips are resampled once, and well; the rate plugin would do it again at every write, and worse. Where it
        // cannot be left out the card is still usable.
        _ = snd_pcm_hw_params_set_rate_resample(handle, params, 0)
        try check(snd_pcm_hw_params_set_access(handle, params, SND_PCM_ACCESS_RW_INTERLEAVED))
        guard let (sample, native) = formats.first(where: { snd_pcm_hw_params_test_format(handle, params, $0.1) == 0 })
        else { throw PCMError(.configure, EINVAL) }
        try check(snd_pcm_hw_params_set_format(handle, params, native))
        var channels: UInt32 = 1
        try check(snd_pcm_hw_params_set_channels_near(handle, params, &channels))
        var nearestRate = UInt32(clamping: rate)
        try check(snd_pcm_hw_params_set_rate_near(handle, params, &nearestRate, nil))
        // The buffer before the period: a card with few choices then gets the depth it needs rather than the grain.
        var bufferTime = bufferMicroseconds
        try check(snd_pcm_hw_params_set_buffer_time_near(handle, params, &bufferTime, nil))
        var periodTime = periodMicroseconds
        try check(snd_pcm_hw_params_set_period_time_near(handle, params, &periodTime, nil))
        try check(snd_pcm_hw_params(handle, params))
        var period: snd_pcm_uframes_t = 0
        var buffer: snd_pcm_uframes_t = 0
        try check(snd_pcm_hw_params_get_period_size(params, &period, nil))
        try check(snd_pcm_hw_params_get_buffer_size(params, &buffer))
        return PCMFormat(
            rate: Int(nearestRate), channels: Int(channels), sample: sample, period: Int(period), buffer: Int(buffer))
    }

    /// The first write starts the card, and it stops when it has run dry. Behind the last frame it plays silence: a
    /// card notices the end up to a period late, and would say again what lay in its buffer. `snd_pcm_sw_params_*`
    private static func setThresholds(_ handle: OpaquePointer) throws(PCMError) {
        func check(_ code: Int32) throws(PCMError) {
            if code < 0 { throw PCMError(.configure, code) }
        }
        var allocated: OpaquePointer?
        try check(snd_pcm_sw_params_malloc(&allocated))
        guard let params = allocated else { throw PCMError(.configure, ENOMEM) }
        defer { snd_pcm_sw_params_free(params) }
        try check(snd_pcm_sw_params_current(handle, params))
        var boundary: snd_pcm_uframes_t = 0
        try check(snd_pcm_sw_params_get_boundary(params, &boundary))
        try check(snd_pcm_sw_params_set_start_threshold(handle, params, 1))
        try check(snd_pcm_sw_params_set_silence_threshold(handle, params, 0))
        try check(snd_pcm_sw_params_set_silence_size(handle, params, boundary))
        try check(snd_pcm_sw_params(handle, params))
    }
}
