import SoundboxCore
import SoundboxRuntime

extension Subcommand {
    /// Shows what would be said.
    static let plan = Subcommand(
        name: "plan", synopsis: "AMOUNT [OPTION]… | --stdin [OPTION]…",
        summary: "Print the words that say an amount, and the clips that say the words.",
        options: Option.utterance + [
            Option("stdin", nil, "one amount a line in, one reading a line out"),
            Option("json", nil, "print JSON"),
            Option("explain", nil, "print the phrase, the words, and each clip and pause with its time"),
        ]
    ) { (arguments) throws(Failure) in
        let (voice, style) = try arguments.voice()
        if arguments.has("stdin") {
            guard arguments.operands.isEmpty, !arguments.has("json"), !arguments.has("explain") else {
                throw .usage("plan --stdin takes neither AMOUNT nor --json nor --explain")
            }
            return PlanLines.run(
                planner: voice.planner, style: style, currency: try arguments.currency(), channel: arguments["channel"])
        }
        let utterance = try arguments.utterance()
        let plan = try makePlan(utterance, voice: voice, style: style)
        if arguments.has("explain") {
            guard !arguments.has("json") else { throw .usage("plan takes one of --json and --explain") }
            try PlanExplanation(utterance, plan, voice).print()
            return 0
        }
        let clips = voice.planner.pack.clips
        guard arguments.has("json") else {
            let files = plan.steps.compactMap { if case .clip(let index) = $0 { clips[index].file } else { nil } }
            Console.print(plan.text)
            Console.print(files.joined(separator: " "))
            return 0
        }
        let steps = plan.steps.map { step -> JSON in
            switch step {
            case .clip(let index):
                return .object([
                    .init("clip", .string(clips[index].file)), .init("words", .string(clips[index].words)),
                ])
            case .pause(let milliseconds): return .object([.init("pauseMs", JSON(milliseconds))])
            case .tone(let tone): return .object([.init("tone", .string("\(tone)"))])
            }
        }
        Console.print(JSON.object([.init("text", .string(plan.text)), .init("steps", .array(steps))]).text)
        return 0
    }
}
