import CALSA
import Glibc
import Testing

@testable import SoundboxAudio

@Suite struct PCMTests {
    @Test func negotiatesWithALSA() throws {
        let pcm = try PCM.open("null", rate: 44100, known: nil)
        #expect(pcm.format == PCMFormat(rate: 44100, channels: 1, sample: .s16, period: 441, buffer: 22050))
        let line = "44100 Hz, 1 channel, s16, buffer 22050 frames in periods of 441, paced by a timer"
        #expect(pcm.format.description == line)
    }

    @Test func keepsALSAsOwnLinesOffStandardError() {
        #expect(throws: PCMError(.open, ENOENT)) { _ = try PCM.open("no-such-device", rate: 48000, known: nil) }
        // The handler of this thread, which takes the lines.
        #expect(snd_lib_error_set_local(nil) != nil)
    }

    /// Twelve hundred, and its negative, as each format wants them: every channel the same.
    @Test func convertsToWhatTheCardHas() {
        let frames: [Int16] = [0x1234, -0x1234, Int16.min]
        let expected: [(PCMFormat.Sample, [UInt8])] = [
            (.s16, [0x34, 0x12, 0xCC, 0xED, 0x00, 0x80]),
            (.s32, [0, 0, 0x34, 0x12, 0, 0, 0xCC, 0xED, 0, 0, 0x00, 0x80]),
            (.s24, [0, 0x34, 0x12, 0, 0, 0xCC, 0xED, 0xFF, 0, 0x00, 0x80, 0xFF]),
            (.s24In3, [0, 0x34, 0x12, 0, 0xCC, 0xED, 0, 0x00, 0x80]),
            (.float, [0, 0xA0, 0x11, 0x3E, 0, 0xA0, 0x11, 0xBE, 0, 0, 0x80, 0xBF]),
        ]
        #expect(expected.map(\.0) == PCMFormat.Sample.allCases)
        for (sample, mono) in expected {
            for channels in 1...3 {
                let format = PCMFormat(rate: 48000, channels: channels, sample: sample, period: 480, buffer: 4800)
                var bytes = [UInt8](repeating: 0x55, count: frames.count * channels * sample.bytes)
                frames.withUnsafeBufferPointer { frames in
                    bytes.withUnsafeMutableBytes { bytes in
                        if let base = bytes.baseAddress { format.convert(frames, to: base) }
                    }
                }
                let wanted = (0..<frames.count).flatMap { frame in
                    (0..<channels).flatMap { _ in mono[frame * sample.bytes..<(frame + 1) * sample.bytes] }
                }
                #expect(bytes == wanted, "\(sample), \(channels) channels")
            }
        }
    }

    @Test func theWarningNamesWhatIsMissing() {
        #expect(realTimeWarning(scheduling: 0, memory: 0) == nil)
        #expect(
            realTimeWarning(scheduling: 1, memory: 12)
                == "sound may break while the machine is busy: no real-time priority (Operation not permitted), "
                + "no locked memory (Cannot allocate memory)")
    }
}
