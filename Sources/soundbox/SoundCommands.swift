import SoundboxAudio
import SoundboxCore
import SoundboxPlatform
import SoundboxRuntime

extension Subcommand {
    /// Writes to a file what would be heard.
    static let render = Subcommand(
        name: "render", synopsis: "AMOUNT [--out FILE.wav] [--plot FILE.svg] [OPTION]…",
        summary: "Write exactly the samples that the speaker would get.",
        options: Option.utterance + [
            Option("out", "FILE", "the WAV file to write"),
            Option("plot", "FILE", "the SVG file to draw the waveform into, with the clips' names and joins"),
            Option("rate", "HZ", "the device's sample rate (default 48000)"),
            Option("volume", "PERCENT", "the software volume, 0 to 100 (default 100)"),
        ]
    ) { (arguments) throws(Failure) in
        guard arguments["out"] != nil || arguments["plot"] != nil else {
            throw .usage("render: --out FILE is missing")
        }
        let rate = try arguments.integer("rate", in: 8000...192_000) ?? 48_000
        let volume = try arguments.integer("volume", in: 0...100) ?? 100
        let (voice, style) = try arguments.voice()
        let plan = try makePlan(arguments.utterance(), voice: voice, style: style)
        do {
            let bank = try voice.clips(rate: rate)
            let samples = try bank.render(plan, volume: volume)
            if let file = arguments["out"] { try WAVFile.write(samples, rate: rate, to: file) }
            if let file = arguments["plot"] {
                let plot = try WaveformPlot(samples, of: plan, bank: bank, pack: voice.planner.pack)
                try File.write(Array(plot.svg.utf8), to: file)
            }
        } catch {
            throw Failure("render", error)
        }
        Console.print(plan.text)
        return 0
    }

    /// Speaks an amount here and now.
    static let say = Subcommand(
        name: "say", synopsis: "AMOUNT [OPTION]…", summary: "Speak an amount here and now, without the daemon.",
        options: Option.utterance + [
            Option("device", "NAME", "an ALSA device instead of the configured one"),
            Option("volume", "PERCENT", "the software volume, 1 to 100"),
        ]
    ) { (arguments) throws(Failure) in
        let audio = try arguments.configuration()?.audio ?? Configuration.Audio()
        let volume = try arguments.integer("volume", in: 1...100) ?? audio.volume
        let (voice, style) = try arguments.voice()
        let plan = try makePlan(arguments.utterance(), voice: voice, style: style)
        Console.print(plan.text)
        do {
            try Mouth.say(plan, with: voice, device: arguments["device"] ?? audio.device, volume: volume)
        } catch {
            throw Failure("say", error)
        }
        return 0
    }

    static func makePlan(_ utterance: Utterance, voice: Voice, style: String?) throws(Failure) -> ClipPlan {
        do throws(PlanError) {
            return try voice.planner.plan(utterance, style: style)
        } catch {
            throw Failure("cannot be said", error)
        }
    }
}
