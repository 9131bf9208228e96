/// What a voice pack is held to, and why. The one place for these numbers.
public enum PackLimits {
    /// Loudness of a sentence in LUFS (ITU-R BS.1770): what voice assistants and stores' announcements have. Packs that
    /// agree on it can be exchanged without a hand at the volume.
    public static let sentenceLoudness = -16.0
    /// How far the mean of a phrase's sentences may be from it, in LU: below what an ear can tell (about 1 LU), so that
    /// no channel is louder than another.
    public static let meanDeviation = 0.5
    /// How far one sentence may be: a warning and an error. Short and long amounts differ by their vowels; from 3 LU on a
    /// shopkeeper hears that one is louder.
    public static let sentenceDeviation = (warning: 1.5, error: 3.0)
    /// How far a clip may be from the median clip, in LU. Words differ by nature (the vowel of 八 against that of 四); what is
    /// further off is a wrong gain or a wrong cut.
    public static let clipDeviation = (warning: 5.0, error: 9.0)
    /// The highest true peak in dBTP: EBU R 128. Above, a codec or a resampler behind us may clip.
    public static let truePeak = -1.0
    /// So many samples in a row at full scale are a clipped wave and not a peak that just fits.
    public static let clippedRun = 3
    /// The mean of a clip's samples, full scale 1. From −50 dBFS on it is a step where clip and pause meet.
    public static let offset = (warning: 0.001, error: 0.003)
    /// The magnitude of a clip's first and last sample, full scale 1. A faded edge has next to nothing: a step of −60 dBFS
    /// disappears in the speech around it, one of −40 dBFS ticks.
    public static let step = (warning: 0.001, error: 0.01)
    /// Milliseconds of silence at either end of a clip: more would be heard as a pause that the pack did not ask for.
    public static let silence = 20.0
    /// Bytes of all files of a pack: the image of a box holds several, and flash is small.
    public static let size = 4_000_000
    /// Amounts below this many minor units have to be read: a thousand million of a currency with two decimals, which
    /// no counter takes, in rupiah neither.
    public static let amounts: UInt64 = 100_000_000_000
    /// The amounts, in minor units, of the sentences that are measured: one word to twelve.
    public static let sampleAmounts: [UInt64] = [
        5, 100, 888, 1_250, 6_600, 10_065, 32_005, 99_999, 123_450, 1_000_000, 2_560_080, 100_000_001,
    ]
}
