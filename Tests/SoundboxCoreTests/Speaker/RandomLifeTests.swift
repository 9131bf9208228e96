import TestSupport
import TestVoice
import Testing

@testable import SoundboxCore

/// Thousands of lives of a box, of whatever may happen to it, against what must hold in all of them.
struct RandomLifeTests {
    @Test("Nothing is lost, nothing spoken twice, each notice has one last word, and order is kept")
    func invariants() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed \(seed)")
        let planner = try TestVoice.planner()
        let other = try TestVoice.planner(id: "other", extra: ["aaa"])
        var random = SeededGenerator(seed: seed)
        for life in 0..<2000 {
            // Each with a seed of its own, so that one can be lived again alone.
            let own = UInt64.random(in: 0 ... .max, using: &random)
            TestWorld(
                "life \(life), seed \(own)", planner: planner, other: other, random: SeededGenerator(seed: own)
            ).live()
        }
    }
}
