import SoundboxCore
import SoundboxPlatform
import SoundboxRuntime
import SoundboxTrust

extension Option {
    static let key = Option("key", "FILE", "sign with this JSON Web Key")
}

extension Subcommand {
    /// The operator's side.
    static let fleet = Subcommand(
        name: "fleet", synopsis: "keygen KID --out FILE [--secret] | sign-notice [FILE] --key FILE --box ID",
        summary: "Make a key for boxes to trust, and sign notices and commands with it.",
        options: [
            Option("out", "FILE", "where the new key goes; only its owner may read it"),
            Option("secret", nil, "make a shared secret (HS256) instead of a key pair (EdDSA)"), .key,
            Option("box", "ID", "the box that it is for; for commands also 'all' or 'group/NAME'"),
        ]
    ) { (arguments) throws(Failure) in
        switch (arguments.operands.first, arguments.operands.count) {
        case ("keygen", 2): return try FleetCommand.makeKey(arguments.operands[1], arguments)
        case ("keygen", _): throw .usage("fleet keygen: one KID is wanted")
        case ("sign-notice", 1...2):
            return try FleetCommand.sign(
                arguments.operands.count == 2 ? arguments.operands[1] : "/dev/stdin", arguments)
        case ("sign-notice", _): throw .usage("fleet sign-notice: at most one FILE is taken")
        default: throw .usage("fleet: 'keygen KID' or 'sign-notice [FILE]' is wanted")
        }
    }
}

extension Arguments {
    /// The key named by `--key`; nil where none is.
    func signingKey() throws(Failure) -> Key? {
        guard let file = self["key"] else { return nil }
        do {
            let key = try Key(jwk: try File.read(file, limit: 65_536))
            guard key.canSign else { throw Failure("key \(file)", "has no private part") }
            return key
        } catch let error as Failure {
            throw error
        } catch {
            throw Failure("key \(file)", error)
        }
    }
}

/// `soundbox fleet`
enum FleetCommand {
    /// Writes a new key, and prints its public half, which is what goes to the boxes.
    static func makeKey(_ id: String, _ arguments: Arguments) throws(Failure) -> Int32 {
        guard let file = arguments["out"] else { throw .usage("fleet keygen: --out FILE is missing") }
        do {
            let key = try arguments.has("secret") ? Key.makeSecret(id: id) : Key.makeEdDSA(id: id)
            try File.writeNew(Array("\(key.jwk.text)\n".utf8), to: file)
            if let half = key.publicKey { Console.print(half.jwk.text) }
        } catch {
            throw Failure("fleet keygen", error)
        }
        return 0
    }

    /// Prints a document as a signed message for one box.
    static func sign(_ file: String, _ arguments: Arguments) throws(Failure) -> Int32 {
        guard let key = try arguments.signingKey() else { throw .usage("fleet sign-notice: --key FILE is missing") }
        guard let box = arguments["box"] else { throw .usage("fleet sign-notice: --box ID is missing") }
        let document: JSON
        do {
            document = try JSON(parsing: try File.read(file, limit: 65_536))
        } catch {
            throw Failure("fleet sign-notice", error)
        }
        Console.print(try sealed(document, for: box, by: key))
        return 0
    }

    /// The signed message of a document, with the box that it is for and the time of now.
    static func sealed(_ document: JSON, for box: String, by key: Key) throws(Failure) -> String {
        guard let members = document.members else { throw Failure("fleet sign-notice", "not a JSON object") }
        let own = members.filter { $0.key != "box" && $0.key != "iat" }
        let issued = SystemClock.wall.milliseconds / 1000
        let sealed = JSON.object(own + [.init("box", .string(box)), .init("iat", JSON(issued))])
        do throws(KeyError) {
            return try JWS.sign(Array(sealed.text.utf8), key: key)
        } catch {
            throw Failure("key", error)
        }
    }
}
