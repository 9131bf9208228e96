import SoundboxAudio
import SoundboxCore
import SoundboxRuntime

/// How an utterance becomes sound: phrase, words, and the clips with their times.
struct PlanExplanation {
    private let lines: [String]

    /// Decodes the pack's clips, for their lengths.
    init(_ utterance: Utterance, _ plan: ClipPlan, _ voice: Voice) throws(Failure) {
        let pack = voice.planner.pack
        var lines: [String] = []
        if case .phrase(let key, _) = utterance {
            lines.append("phrase  \(key): \(pack.phrase(for: key) ?? "")")
        }
        lines.append("words   \(plan.text)")
        do {
            let bank = try voice.clips(rate: pack.rate)
            let times = try bank.ends(of: plan).map { ($0 * 1000 + pack.rate / 2) / pack.rate }
            var start = 0
            for (step, end) in zip(plan.steps, times) {
                let what =
                    switch step {
                    case .clip(let index): "\(pack.clips[index].file)  \(pack.clips[index].words)"
                    case .pause: "pause"
                    case .tone(let tone): "\(tone)"
                    }
                lines.append("\(Self.column(start)) \(Self.column(end - start)) ms  \(what)")
                start = end
            }
            lines.append("\(Self.column(start)) ms in all")
        } catch {
            throw Failure("plan", error)
        }
        self.lines = lines
    }

    /// To standard output.
    func print() {
        lines.forEach { Console.print($0) }
    }

    private static func column(_ milliseconds: Int) -> String {
        let text = String(milliseconds)
        return String(repeating: " ", count: max(0, 6 - text.count)) + text
    }
}
