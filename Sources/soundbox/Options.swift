@preconcurrency import CLinux
import Glibc

/// One long option of a command.
struct Option: Sendable {
    let name: String
    /// What its argument is called; nil for a switch.
    let argument: String?
    let help: String

    init(_ name: String, _ argument: String? = nil, _ help: String) {
        self.name = name
        self.argument = argument
        self.help = help
    }

    /// Known to every command.
    static let help = Option("help", nil, "print this help")
    static let version = Option("version", nil, "print the version")
}

/// Why the program ends without having done what it was asked to: printed as `soundbox: what: why`.
struct Failure: Error {
    var text: String
    /// 1 failed, 2 usage.
    var status: Int32

    /// It was tried, and failed.
    init(_ what: String, _ why: Any) {
        text = "\(what): \(why)"
        status = 1
    }

    /// It was asked for in a way that cannot be understood.
    static func usage(_ text: String) -> Failure {
        var failure = Failure("", "")
        failure.text = text
        failure.status = 2
        return failure
    }
}

/// The options and operands that a command was called with.
struct Arguments {
    private(set) var operands: [String] = []
    private var values: [String: String] = [:]
    private var switches: Set<String> = []

    subscript(name: String) -> String? { values[name] }

    func has(_ name: String) -> Bool { switches.contains(name) }

    /// The option as a whole number in a range; nil where it was not given.
    func integer(_ name: String, in range: ClosedRange<Int>) throws(Failure) -> Int? {
        guard let text = values[name] else { return nil }
        guard let value = Int(text), range.contains(value) else {
            throw .usage("--\(name) \(text): a whole number from \(range.lowerBound) to \(range.upperBound) is wanted")
        }
        return value
    }

    /// The one operand of a command that takes one.
    func operand(_ what: String) throws(Failure) -> String {
        guard let operand = operands.first else { throw .usage("\(what) is missing") }
        guard operands.count == 1 else { throw .usage("\(operands[1]): only one \(what) is taken") }
        return operand
    }

    /// Sorts out arguments as getopt_long(3) does: abbreviations, `--name=value`, operands anywhere, `--` ends options.
    /// Main thread, since getopt_long keeps its place in globals.
    init(parsing arguments: [String], options: [Option]) throws(Failure) {
        let strings = (["soundbox"] + arguments).map { strdup($0) }
        defer { strings.forEach { free($0) } }
        let names = options.map { strdup($0.name) }
        defer { names.forEach { free($0) } }
        // A leading colon: no message of getopt's own, and ':' for a missing argument.
        var argv = strings + [nil]
        var table = zip(options, names).map { option, name in
            CLinux.option(
                name: name, has_arg: option.argument == nil ? no_argument : required_argument, flag: nil, val: 0)
        }
        table.append(CLinux.option())
        optind = 0
        while true {
            var index: Int32 = 0
            let result = getopt_long(Int32(strings.count), &argv, ":", &table, &index)
            if result == -1 { break }
            guard result == 0, options.indices.contains(Int(index)) else {
                let culprit = argv.indices.contains(Int(optind) - 1) ? argv[Int(optind) - 1] : nil
                let text = culprit.map { String(cString: $0) } ?? ""
                throw .usage(
                    result == Int32(UInt8(ascii: ":")) ? "\(text): an argument is missing" : "\(text): no such option")
            }
            let option = options[Int(index)]
            if option.argument == nil {
                switches.insert(option.name)
            } else {
                values[option.name] = optarg.map { String(cString: $0) } ?? ""
            }
        }
        for string in argv[Int(optind)...] {
            if let string { operands.append(String(cString: string)) }
        }
    }
}
