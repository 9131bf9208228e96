import SoundboxCore
import SoundboxRuntime

extension Subcommand {
    /// The daemon.
    static let run = Subcommand(
        name: "run", synopsis: "[OPTION]…", summary: "Run the daemon until SIGTERM; SIGHUP reloads voice and style.",
        options: [.config, Option("log-level", "LEVEL", "debug, info, notice, warning or error (default info)")]
    ) { (arguments) throws(Failure) in
        let file = arguments["config"] ?? Configuration.defaultFile
        let name = arguments["log-level"] ?? LogLevel.info.rawValue
        guard let level = LogLevel(rawValue: name) else {
            throw .usage("--log-level \(name): debug, info, notice, warning or error is wanted")
        }
        let log = Log(level: level)
        let configuration = try load(file) { log.write(.warning, $0) }
        do throws(ServiceError) {
            try Service.run(configuration: configuration, file: file, log: log)
        } catch {
            throw Failure("cannot start", error)
        }
        return 0
    }

    /// Checks a configuration.
    static let config = Subcommand(
        name: "config", synopsis: "check FILE", summary: "Check a configuration with its drop-ins.", options: []
    ) { (arguments) throws(Failure) in
        guard arguments.operands.first == "check" else { throw .usage("config: 'check FILE' is wanted") }
        guard arguments.operands.count == 2 else { throw .usage("config check: one FILE is wanted") }
        _ = try load(arguments.operands[1]) { Console.error("soundbox: \($0)") }
        Console.print("\(arguments.operands[1]): ok")
        return 0
    }

    /// Reads a configuration; each of its warnings is said.
    static func load(_ file: String, warn: (String) -> Void) throws(Failure) -> Configuration {
        do throws(ConfigurationError) {
            let (configuration, warnings) = try Configuration.load(file)
            warnings.forEach(warn)
            return configuration
        } catch {
            throw Failure("configuration", error)
        }
    }
}
