import SoundboxCore
import SoundboxRuntime

extension Subcommand {
    /// Looks at everything that a box needs.
    static let doctor = Subcommand(
        name: "doctor", synopsis: "[OPTION]…",
        summary: "Look at card, voice, broker, journal and clock: each ok, or what to do. Exit status 1 on an error.",
        options: [
            .config, Option("quiet", nil, "say nothing on the sound cards"),
            Option("json", nil, "print JSON"),
        ]
    ) { (arguments) throws(Failure) in
        guard arguments.operands.isEmpty else { throw .usage("doctor takes no operand") }
        let file = arguments["config"] ?? Configuration.defaultFile
        let isJSON = arguments.has("json")
        var findings: [JSON] = []
        func report(_ finding: Doctor.Finding) {
            if isJSON {
                findings.append(json(finding))
            } else {
                Console.print(
                    "\(finding.level.rawValue.padded(to: 8)) \(finding.part.padded(to: 8)) \(finding.text)")
                if let remedy = finding.remedy { Console.print("\("".padded(to: 17)) → \(remedy)") }
            }
        }
        var warnings: [String] = []
        let configuration = try load(file) { warnings.append($0) }
        var doctor = Doctor(
            configuration, warnings: warnings, file: file, isAloud: !arguments.has("quiet"), report: report)
        let level = doctor.examine()
        if isJSON {
            Console.print(
                JSON.object([.init("level", .string(level.rawValue)), .init("findings", .array(findings))]).text)
        }
        return level == .error ? 1 : 0
    }

    private static func json(_ finding: Doctor.Finding) -> JSON {
        var members: [JSON.Member] = [
            .init("level", .string(finding.level.rawValue)), .init("part", .string(finding.part)),
            .init("text", .string(finding.text)),
        ]
        if let remedy = finding.remedy { members.append(.init("remedy", .string(remedy))) }
        return .object(members)
    }
}
