import Glibc
import SoundboxCore

@main
struct Main {
    static func main() {
        var options: [String: String] = [:]
        var key: String?
        for argument in CommandLine.arguments.dropFirst() {
            if let name = key {
                options[name] = argument
                key = nil
            } else if argument.hasPrefix("--"), argument != "--stdin" {
                key = argument
            }
        }
        do {
            let pack = options["--pack"] ?? "."
            let voice = try VoicePack(manifest: read("\(pack)/pack.json"), grammar: read("\(pack)/grammar.rbnf"))
            exit(
                PlanCommand.planLines(
                    planner: Planner(pack: voice), style: options["--style"],
                    currency: options["--currency"].flatMap { Currency(code: $0) } ?? .cny,
                    phrase: options["--channel"].map { "payment.\($0)" }))
        } catch {
            print(error)
            exit(1)
        }
    }

    private static func read(_ path: String) -> [UInt8] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        while true {
            let byte = getc(file)
            guard byte != EOF else { return bytes }
            bytes.append(UInt8(truncatingIfNeeded: byte))
        }
    }
}
