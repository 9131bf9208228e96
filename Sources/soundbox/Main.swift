import Glibc
import SoundboxRuntime

/// One of the things that `soundbox` can be told to do.
struct Subcommand: Sendable {
    let name: String
    /// What follows the name, `AMOUNT [OPTION]…`.
    let synopsis: String
    let summary: String
    let options: [Option]
    let body: @Sendable (Arguments) throws(Failure) -> Int32

    static let all: [Subcommand] = [
        run, plan, render, say, pay, status, history, total, config, pack, doctor, fleet,
    ]
}

@main
struct Main {
    static func main() {
        exit(run(Array(CommandLine.arguments.dropFirst())))
    }

    private static func run(_ arguments: [String]) -> Int32 {
        do throws(Failure) {
            return try dispatch(arguments)
        } catch {
            Console.error("soundbox: \(error.text)")
            if error.status == 2 { Console.error("Try 'soundbox --help'.") }
            return error.status
        }
    }

    private static func dispatch(_ arguments: [String]) throws(Failure) -> Int32 {
        guard let name = arguments.first, !name.hasPrefix("-") else {
            let given = try Arguments(parsing: arguments, options: [.help, .version])
            if given.has("help") { return print(overview) }
            if given.has("version") { return print("soundbox \(SoundboxVersion.text)") }
            throw .usage("a command is missing")
        }
        guard let command = Subcommand.all.first(where: { $0.name == name }) else {
            throw .usage("\(name): no such command")
        }
        let given = try Arguments(
            parsing: Array(arguments.dropFirst()), options: command.options + [.help, .version])
        if given.has("help") { return print(help(for: command)) }
        if given.has("version") { return print("soundbox \(SoundboxVersion.text)") }
        return try command.body(given)
    }

    private static func print(_ text: String) -> Int32 {
        Console.print(text)
        return 0
    }

    private static var overview: String {
        let width = Subcommand.all.map { $0.name.count }.max() ?? 0
        let rows = Subcommand.all.map { "  \($0.name.padded(to: width))  \($0.summary)" }
        return """
            Usage: soundbox COMMAND [OPTION]…
            The payment speaker on a shop counter.

            \(rows.joined(separator: "\n"))

            'soundbox COMMAND --help' tells more. Exit status: 0 done, 1 failed, 2 usage.
            """
    }

    private static func help(for command: Subcommand) -> String {
        let options = command.options + [.help, .version]
        let heads = options.map { option in "--\(option.name)\(option.argument.map { " \($0)" } ?? "")" }
        let width = heads.map { $0.count }.max() ?? 0
        let rows = zip(heads, options).map { head, option in "  \(head.padded(to: width))  \(option.help)" }
        return """
            Usage: soundbox \(command.name) \(command.synopsis)
            \(command.summary)

            \(rows.joined(separator: "\n"))
            """
    }
}

extension String {
    func padded(to width: Int) -> String {
        self + String(repeating: " ", count: max(0, width - count))
    }
}
