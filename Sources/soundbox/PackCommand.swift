import SoundboxAudio
import SoundboxCore
import SoundboxPlatform
import SoundboxRuntime

extension Subcommand {
    /// Looks at voice packs.
    static let pack = Subcommand(
        name: "pack", synopsis: "check DIR [OPTION]… | list [DIR] [OPTION]…",
        summary: "Check whether a voice pack is fit to be shipped, or list the installed ones.",
        options: [Option("json", nil, "print JSON"), .config]
    ) { (arguments) throws(Failure) in
        switch (arguments.operands.first, arguments.operands.count) {
        case ("check", 2): return PackCommand.check(arguments.operands[1], json: arguments.has("json"))
        case ("check", _): throw .usage("pack check: one DIR is wanted")
        case ("list", 1):
            let voice = try arguments.configuration()?.voice ?? Configuration.Voice()
            return try PackCommand.list(voice.packsDirectory, json: arguments.has("json"))
        case ("list", 2): return try PackCommand.list(arguments.operands[1], json: arguments.has("json"))
        default: throw .usage("pack: 'check DIR' or 'list [DIR]' is wanted")
        }
    }
}

/// `soundbox pack`
private enum PackCommand {
    /// Prints what was found; the status is 1 where one of it is an error.
    static func check(_ folder: String, json: Bool) -> Int32 {
        let check = PackCheck(folder: folder)
        if json {
            Console.print(report(check).text)
        } else {
            print(check.findings)
            let errors = check.findings.count { $0.level == .error }
            let warnings = check.findings.count { $0.level == .warning }
            Console.print("\(folder): \(errors) errors, \(warnings) warnings")
        }
        return check.level == .error ? 1 : 0
    }

    /// One line each; of many of a kind the first, which is enough to see what is wrong.
    private static func print(_ findings: [PackCheck.Finding]) {
        let most = 10
        var rest = findings[...]
        while let first = rest.first {
            let alike = rest.prefix { $0.level == first.level && $0.check == first.check }
            let head = "\(first.level.rawValue.padded(to: 8)) \(first.check.padded(to: 10))"
            for finding in alike.prefix(most) { Console.print("\(head) \(finding.file): \(finding.text)") }
            if alike.count > most { Console.print("\(head) … and \(alike.count - most) more (--json has all)") }
            rest = rest.dropFirst(alike.count)
        }
    }

    private static func report(_ check: PackCheck) -> JSON {
        let findings = check.findings.map { finding -> JSON in
            var members: [JSON.Member] = [
                .init("level", .string(finding.level.rawValue)), .init("check", .string(finding.check)),
                .init("file", .string(finding.file)),
            ]
            if let value = finding.value, value.isFinite { members.append(.init("value", .number("\(value)"))) }
            if let limit = finding.limit { members.append(.init("limit", .number("\(limit)"))) }
            if !finding.unit.isEmpty { members.append(.init("unit", .string(finding.unit))) }
            return .object(members + [.init("text", .string(finding.text))])
        }
        var members = check.pack.map { identity($0) } ?? []
        members.append(.init("level", .string(check.level.rawValue)))
        return .object(members + [.init("findings", .array(findings))])
    }

    private static func identity(_ pack: VoicePack) -> [JSON.Member] {
        [
            .init("id", .string(pack.id)), .init("version", .string(pack.version)),
            .init("language", .string(pack.language)), .init("voice", .string(pack.voice)),
        ]
    }

    /// Prints the packs in a folder; the status is 1 where one cannot be read.
    static func list(_ folder: String, json: Bool) throws(Failure) -> Int32 {
        let names: [String]
        do throws(SystemError) {
            names = try File.names(in: folder, suffix: "").filter { File.exists("\(folder)/\($0)/pack.json") }
        } catch {
            throw Failure("pack list", error)
        }
        var status: Int32 = 0
        var packs: [(pack: VoicePack, size: Int)] = []
        for name in names {
            do throws(VoiceError) {
                let pack = try Voice(folder: "\(folder)/\(name)").planner.pack
                packs.append((pack, size(of: pack, in: "\(folder)/\(name)")))
            } catch {
                Console.error("soundbox: voice pack: \(error)")
                status = 1
            }
        }
        if json {
            Console.print(JSON.array(packs.map { .object(identity($0.pack) + details($0.pack, $0.size)) }).text)
        } else {
            let columns = packs.map { [$0.pack.id, $0.pack.version, $0.pack.language, $0.pack.voice] }
            let widths = (0..<4).map { column in columns.map { $0[column].count }.max() ?? 0 }
            for ((pack, size), row) in zip(packs, columns) {
                let styles = pack.styleNames.map { "\($0) (\(pack.currencies(of: $0).joined(separator: " ")))" }
                let cells = zip(row, widths).map { $0.padded(to: $1) } + ["\((size + 500) / 1000) kB"]
                Console.print("\(cells.joined(separator: "  "))  \(styles.joined(separator: ", "))")
            }
        }
        return status
    }

    private static func details(_ pack: VoicePack, _ size: Int) -> [JSON.Member] {
        let styles = pack.styleNames.map { style in
            JSON.Member(style, .array(pack.currencies(of: style).map { .string($0) }))
        }
        return [
            .init("licence", .string(pack.licence)), .init("style", .string(pack.defaultStyle)),
            .init("styles", .object(styles)), .init("clips", JSON(pack.clips.count)), .init("bytes", JSON(size)),
        ]
    }

    private static func size(of pack: VoicePack, in folder: String) -> Int {
        let files = ["pack.json", "grammar.rbnf"] + Set(pack.clips.map { "clips/\($0.file)" })
        return files.reduce(0) { sum, file in sum + ((try? File.size(of: "\(folder)/\(file)")) ?? 0) }
    }
}
