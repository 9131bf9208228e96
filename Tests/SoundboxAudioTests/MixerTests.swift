import Testing

@testable import SoundboxAudio

@Suite struct MixerTests {
    /// Volume, range of the element and expected level, in hundredths of a decibel.
    private static let levels = [
        (100, -6000, 0, 0), (99, -6000, 0, -40), (50, -6000, 0, -2000), (1, -6000, 0, -3960), (0, -6000, 0, -6000),
        // Never above 0 dB, and never below what there is.
        (100, -4600, 1200, 0), (75, -4600, 1200, -1000), (100, -6000, -300, -300), (50, -1000, 0, -1000),
    ]

    @Test(arguments: levels)
    func stepsAreEvenInDecibels(volume: Int, low: Int, high: Int, expected: Int) {
        #expect(Mixer.level(volume, low: low, high: high) == expected)
    }

    @Test func aCardThatIsNotThereIsAnErrorWithAReason() {
        #expect(throws: MixerError(.open, 2)) { _ = try Mixer(card: "no-such-card", element: "PCM") }
        #expect(MixerError(.find, 2).description == "find: No such file or directory")
    }
}
