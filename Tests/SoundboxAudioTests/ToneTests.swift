import SoundboxCore
import TestSupport
import Testing

@testable import SoundboxAudio

/// The sounds of the box's own.
struct ToneTests {
    @Test(
        "A tone begins and ends at nothing, is heard, and stays well below full scale",
        arguments: ClipPlan.Tone.allCases, [8000, 44_100, 48_000])
    func shape(_ tone: ClipPlan.Tone, _ rate: Int) throws {
        let folder = try TemporaryFolder()
        let bank = try folder.bank([[1000]], sourceRate: rate, rate: rate)
        let samples = try bank.render(ClipPlan(.tone(tone)), volume: 100)
        #expect(samples.count == rate * (tone == .tick ? 25 : 200) / 1000)
        #expect(samples.first == 0)
        #expect(abs(samples.last ?? .max) < 50)
        let loudest = samples.map { abs(Int($0)) }.max() ?? 0
        #expect((3000...13_000).contains(loudest))
    }

    @Test("A tone stands in a plan like a clip, between clips and pauses")
    func inPlan() throws {
        let folder = try TemporaryFolder()
        let bank = try folder.bank([[1, 2, 3]], sourceRate: 8000, rate: 8000)
        let tick = try bank.render(ClipPlan(.tone(.tick)), volume: 100)
        let chime = try bank.render(ClipPlan(.tone(.chime)), volume: 100)
        let plan = ClipPlan(text: "", steps: [.tone(.chime), .clip(0), .pause(1), .tone(.tick)])
        #expect(try bank.render(plan, volume: 100) == chime + [1, 2, 3] + [Int16](repeating: 0, count: 8) + tick)
        #expect(try bank.ends(of: plan) == [1600, 1603, 1611, 1811])
    }
}
