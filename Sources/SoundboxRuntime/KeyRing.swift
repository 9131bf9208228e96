import SoundboxCore
import SoundboxPlatform
import SoundboxTrust

/// Why the keys of a folder cannot be used: the file, and why; nothing of a key.
public struct KeyRingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// `FILE: why`
    public var description: String
}

/// The keys whose messages a box believes.
struct KeyRing: Sendable {
    private var keys: [Key] = []

    /// Reads each `*.jwk` in a folder; without a folder there are no keys.
    ///
    /// - Throws: for a folder or a file that cannot be read, a file that holds no key, and two keys of one name.
    init(folder: String?) throws(KeyRingError) {
        guard let folder else { return }
        let names: [String]
        do throws(SystemError) {
            names = try File.names(in: folder, suffix: ".jwk")
        } catch {
            throw KeyRingError(description: error.description)
        }
        for name in names {
            let key = try KeyRing.key(in: "\(folder)/\(name)")
            guard !keys.contains(where: { $0.id == key.id }) else {
                throw KeyRingError(description: "\(folder)/\(name): another file has a key with the kid \(key.id)")
            }
            keys.append(key)
        }
    }

    private static func key(in file: String) throws(KeyRingError) -> Key {
        do {
            return try Key(jwk: try File.read(file, limit: 65_536))
        } catch let error as KeyError {
            throw KeyRingError(description: "\(file): \(error)")
        } catch {
            throw KeyRingError(description: "\(error)")
        }
    }

    /// Looks at a payload's signature.
    func verdict(on payload: [UInt8]) -> SignatureVerdict {
        guard JWS.isLikely(payload) else { return .unsigned }
        do throws(JWSError) {
            return .valid(try JWS.verify(payload, keys: keys))
        } catch {
            return .invalid(error.rawValue)
        }
    }
}
