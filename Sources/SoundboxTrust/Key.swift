import CCrypto
import SoundboxCore

/// A key of one algorithm, as a JSON Web Key (RFC 7517) writes it: a shared secret for HS256, or an Ed25519 key for
/// EdDSA. The algorithm belongs to the key: what a message says of it is only compared.
public struct Key: Equatable, Sendable {
    /// The algorithms that a box knows, by their names in JWS (RFC 7518, RFC 8037).
    public enum Algorithm: String, Sendable {
        /// HMAC with SHA-256.
        case hs256 = "HS256"
        /// Ed25519.
        case edDSA = "EdDSA"
    }

    /// The name that messages call it by.
    public var id: String
    /// The only one it is used with.
    public var algorithm: Algorithm
    /// The secret of HS256; the public key of EdDSA, 32 bytes.
    let bytes: [UInt8]
    /// The private key of EdDSA, 32 bytes, where it is known.
    let seed: [UInt8]?

    /// Reads a JSON Web Key: `{"kty":"oct","k":…}` or `{"kty":"OKP","crv":"Ed25519","x":…}`, with `"kid"`.
    ///
    /// - Throws: for another kind of key, a member twice, an `alg` or `use` that contradicts, a secret shorter than the
    ///   hash (RFC 7518, 3.2), or a private key that is not the public one's.
    public init(jwk text: [UInt8]) throws(KeyError) {
        let json: JSON
        do throws(JSONError) {
            json = try JSON(parsing: text)
        } catch {
            throw KeyError("not JSON: \(error.reason.rawValue)")
        }
        guard let id = json["kid"]?.string, !id.isEmpty else { throw KeyError("without a kid") }
        self.id = id
        switch json["kty"] {
        case "oct":
            algorithm = .hs256
            bytes = try Key.bytes(of: "k", in: json)
            seed = nil
            guard bytes.count >= 32 else { throw KeyError("k has fewer than 32 bytes") }
        case "OKP":
            guard json["crv"] == "Ed25519" else { throw KeyError("crv is not Ed25519") }
            algorithm = .edDSA
            bytes = try Key.bytes(of: "x", in: json)
            guard bytes.count == 32 else { throw KeyError("x has not 32 bytes") }
            seed = json["d"] == nil ? nil : try Key.bytes(of: "d", in: json)
            guard seed == nil || seed.flatMap(EdDSA.publicKey) == bytes else { throw KeyError("d is not the key of x") }
        default: throw KeyError("kty is neither oct nor OKP")
        }
        guard json["alg"] == nil || json["alg"]?.string == algorithm.rawValue else {
            throw KeyError("alg is not \(algorithm.rawValue)")
        }
        guard json["use"] == nil || json["use"] == "sig" else { throw KeyError("use is not sig") }
    }

    private static func bytes(of member: String, in json: JSON) throws(KeyError) -> [UInt8] {
        guard let text = json[member]?.string, let bytes = Base64URL.decode(text.utf8) else {
            throw KeyError("\(member) is not base64url")
        }
        return bytes
    }

    private init(id: String, algorithm: Algorithm, bytes: [UInt8], seed: [UInt8]?) {
        self.id = id
        self.algorithm = algorithm
        self.bytes = bytes
        self.seed = seed
    }

    /// A new Ed25519 key from the system's random numbers. `RAND_priv_bytes`
    public static func makeEdDSA(id: String) throws(KeyError) -> Key {
        let seed = try random(32)
        guard let bytes = EdDSA.publicKey(of: seed) else { throw KeyError("libcrypto makes no key") }
        return Key(id: id, algorithm: .edDSA, bytes: bytes, seed: seed)
    }

    /// A new secret for HS256. `RAND_priv_bytes`
    public static func makeSecret(id: String) throws(KeyError) -> Key {
        Key(id: id, algorithm: .hs256, bytes: try random(32), seed: nil)
    }

    private static func random(_ count: Int) throws(KeyError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard RAND_priv_bytes(&bytes, Int32(count)) == 1 else { throw KeyError("no random numbers") }
        return bytes
    }

    /// Whether messages can be signed with it.
    public var canSign: Bool { algorithm == .hs256 || seed != nil }

    /// The key without what only its owner may know; nil for a shared secret, all of which is.
    public var publicKey: Key? {
        algorithm == .edDSA ? Key(id: id, algorithm: algorithm, bytes: bytes, seed: nil) : nil
    }

    /// The key as a JSON Web Key, the secret part included.
    public var jwk: JSON {
        let members: [JSON.Member]
        switch algorithm {
        case .hs256: members = [.init("kty", "oct"), .init("k", .string(Base64URL.encode(bytes)))]
        case .edDSA:
            let secret = seed.map { [JSON.Member("d", .string(Base64URL.encode($0)))] } ?? []
            members =
                [.init("kty", "OKP"), .init("crv", "Ed25519"), .init("x", .string(Base64URL.encode(bytes)))] + secret
        }
        return .object(members + [.init("kid", .string(id)), .init("alg", .string(algorithm.rawValue))])
    }
}

/// Why a key cannot be used. Never shows any of it.
public struct KeyError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong with it.
    public var description: String

    init(_ description: String) {
        self.description = description
    }
}
