import CALSA
import Glibc

extension PCM {
    /// How much sound the device shall hold: an announcement is known whole, so as much of it as may be.
    static let bufferMicroseconds: UInt32 = 500_000
    static let periodMicroseconds: UInt32 = 10_000
    /// Milliseconds after which a card must have said that it played the silence it was given.
    private static let trial = 100

    /// Every card that has no S16 has one of the others; this is the order of preference.
    private static let formats: [(PCMFormat.Sample, snd_pcm_format_t)] = [
        (.s16, SND_PCM_FORMAT_S16_LE), (.s32, SND_PCM_FORMAT_S32_LE), (.s24, SND_PCM_FORMAT_S24_LE),
        (.s24In3, SND_PCM_FORMAT_S24_3LE), (.float, SND_PCM_FORMAT_FLOAT_LE),
    ]

    private static func check(_ code: Int32) throws(PCMError) {
        if code < 0 { throw PCMError(.configure, code) }
    }

    /// Agrees with the card on everything that ``PCMFormat`` holds. `snd_pcm_hw_params_*`
    static func negotiate(_ handle: OpaquePointer, rate: Int) throws(PCMError) -> PCMFormat {
        var allocated: OpaquePointer?
        try check(snd_pcm_hw_params_malloc(&allocated))
        guard let params = allocated else { throw PCMError(.configure, ENOMEM) }
        defer { snd_pcm_hw_params_free(params) }
        try check(snd_pcm_hw_params_any(handle, params))
        // The clips are resampled by us, and well; the rate plugin would do it again at every write, and worse. Where it
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
        var format = PCMFormat(
            rate: Int(nearestRate), channels: Int(channels), sample: sample, period: Int(period), buffer: Int(buffer))
        format.isBatch = snd_pcm_hw_params_is_batch(params) == 1
        return format
    }

    /// The first write starts the card, and behind the last frame it plays silence: a card notices the end up to a period
    /// late, and would say again what lay in its buffer. One that runs freely never stops by itself; another stops when
    /// it has run dry. `snd_pcm_sw_params_*`
    static func setThresholds(_ handle: OpaquePointer, runsFree: Bool) throws(PCMError) {
        var allocated: OpaquePointer?
        try check(snd_pcm_sw_params_malloc(&allocated))
        guard let params = allocated else { throw PCMError(.configure, ENOMEM) }
        defer { snd_pcm_sw_params_free(params) }
        try check(snd_pcm_sw_params_current(handle, params))
        var boundary: snd_pcm_uframes_t = 0
        try check(snd_pcm_sw_params_get_boundary(params, &boundary))
        try check(snd_pcm_sw_params_set_start_threshold(handle, params, 1))
        if runsFree { try check(snd_pcm_sw_params_set_stop_threshold(handle, params, boundary)) }
        try check(snd_pcm_sw_params_set_silence_threshold(handle, params, 0))
        try check(snd_pcm_sw_params_set_silence_size(handle, params, boundary))
        try check(snd_pcm_sw_params(handle, params))
    }

    /// Finds out by trying whether the device runs on by itself when it has nothing, lets frames be left out, and lets
    /// them be taken back: names and kinds do not tell, since plugins may be stacked.
    ///
    /// What has no card of the kernel behind it (ALSA's `null` and `file`, sound servers) is not tried: none of these runs
    /// freely, and a trial would be heard, or written to the file.
    static func findAbilities(_ handle: OpaquePointer, of format: inout PCMFormat) throws(PCMError) {
        guard hasCard(handle) else { return try setThresholds(handle, runsFree: false) }
        try setThresholds(handle, runsFree: true)
        (format.runsFree, format.rewinds) = tryFreely(handle, format)
        guard !format.runsFree else { return }
        format.rewinds = false
        // The trial may have left it in any state; what cannot be prepared cannot be used.
        _ = snd_pcm_drop(handle)
        try setThresholds(handle, runsFree: false)
        let code = snd_pcm_prepare(handle)
        if code < 0 { throw PCMError(.prepare, code) }
    }

    /// `snd_pcm_info_get_card`
    private static func hasCard(_ handle: OpaquePointer) -> Bool {
        var info: OpaquePointer?
        guard snd_pcm_info_malloc(&info) == 0, let info else { return false }
        defer { snd_pcm_info_free(info) }
        return snd_pcm_info(handle, info) == 0 && snd_pcm_info_get_card(info) >= 0
    }

    private static func tryFreely(_ handle: OpaquePointer, _ format: PCMFormat) -> (runsFree: Bool, rewinds: Bool) {
        let none = (false, false)
        let count = min(format.buffer / 2, 2 * max(format.period, format.rate / 100))
        let silence = UnsafeMutableRawPointer.allocate(
            byteCount: count * format.channels * format.sample.bytes, alignment: 16)
        defer { silence.deallocate() }
        memset(silence, 0, count * format.channels * format.sample.bytes)
        guard snd_pcm_writei(handle, silence, snd_pcm_uframes_t(count)) == count else { return none }
        // A quarter of what was written, since the card plays it meanwhile; it is silence as before when it is left out.
        let part = snd_pcm_sframes_t(count / 4)
        let rewinds =
            snd_pcm_rewind(handle, snd_pcm_uframes_t(part)) == part
            && snd_pcm_forward(handle, snd_pcm_uframes_t(part)) == part
        for _ in 0..<(trial + count * 1000 / format.rate) / 5 {
            _ = poll(nil, 0, 5)
            var available: snd_pcm_sframes_t = 0
            var delay: snd_pcm_sframes_t = 0
            guard snd_pcm_avail_delay(handle, &available, &delay) == 0 else { return none }
            let ahead = available - snd_pcm_sframes_t(format.buffer)
            if ahead > 0 {
                return (snd_pcm_forward(handle, snd_pcm_uframes_t(ahead)) == ahead, rewinds)
            }
        }
        return none
    }
}
