import SoundboxCore

/// Why a message is not to be trusted.
public enum JWSError: String, Error, Sendable {
    /// Not three parts of base64url, or a header that is not one strict JSON object.
    case malformed
    /// Names no key, or one that is not known here.
    case unknownKey = "unknown-key"
    /// Asks for another algorithm than its key's, `none` among them.
    case algorithm
    /// Has extensions that must be understood (`crit`, RFC 7515, 4.1.11), and none is here.
    case critical
    /// Was not signed with this key, or was changed since.
    case signature
}

/// A JSON Web Signature in its compact form (RFC 7515, 7.1).
public enum JWS {
    /// Whether a payload is meant as one: it begins as a header does (`{"` in base64url), not as JSON.
    public static func isLikely(_ bytes: [UInt8]) -> Bool {
        bytes.starts(with: Array("eyJ".utf8)) && bytes.contains(UInt8(ascii: "."))
    }

    /// What was signed, if it was, by one of the keys, which the message names by its `kid`. Any thread.
    public static func verify(_ compact: [UInt8], keys: [Key]) throws(JWSError) -> [UInt8] {
        let message = try Message(compact)
        guard let id = message.header["kid"]?.string,
            // By their bytes: Swift's == takes two spellings of one character for equal.
            let key = keys.first(where: { $0.id.utf8.elementsEqual(id.utf8) })
        else { throw .unknownKey }
        return try message.verified(by: key)
    }

    /// What was signed, if it was, by this key, whatever the message calls it. Any thread.
    public static func verify(_ compact: [UInt8], key: Key) throws(JWSError) -> [UInt8] {
        try Message(compact).verified(by: key)
    }

    /// Signs with a key that can. Any thread.
    public static func sign(_ payload: [UInt8], key: Key) throws(KeyError) -> String {
        let header = JSON.object([.init("alg", .string(key.algorithm.rawValue)), .init("kid", .string(key.id))])
        let input = "\(Base64URL.encode(header.text.utf8)).\(Base64URL.encode(payload))"
        let signature: [UInt8]?
        switch key.algorithm {
        case .hs256: signature = HS256.tag(of: Array(input.utf8), key: key.bytes)
        case .edDSA: signature = key.seed.flatMap { EdDSA.sign(Array(input.utf8), seed: $0) }
        }
        guard let signature else { throw KeyError("\(key.id) cannot sign") }
        return "\(input).\(Base64URL.encode(signature))"
    }

    private struct Message {
        let header: JSON
        let payload: [UInt8]
        let signature: [UInt8]
        /// Header and payload as they were sent.
        let input: [UInt8]

        init(_ compact: [UInt8]) throws(JWSError) {
            let parts = compact.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard parts.count == 3, let header = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
                let signature = Base64URL.decode(parts[2]), let json = try? JSON(parsing: header), json.members != nil
            else { throw .malformed }
            self.header = json
            self.payload = payload
            self.signature = signature
            input = Array(compact[..<parts[1].endIndex])
        }

        func verified(by key: Key) throws(JWSError) -> [UInt8] {
            guard header["crit"] == nil else { throw .critical }
            guard header["alg"]?.string == key.algorithm.rawValue else { throw .algorithm }
            let isRight =
                switch key.algorithm {
                case .hs256: HS256.verify(signature, of: input, key: key.bytes)
                case .edDSA: EdDSA.verify(signature, of: input, key: key.bytes)
                }
            guard isRight else { throw .signature }
            return payload
        }
    }
}
