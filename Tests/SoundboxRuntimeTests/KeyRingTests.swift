import Foundation
import SoundboxTrust
import TestSupport
import Testing

@testable import SoundboxCore
@testable import SoundboxRuntime

/// The keys of a folder, and what they make of a payload.
struct KeyRingTests {
    @Test("Each *.jwk is a key; what is signed by one is the message, by another it is not")
    func verdicts() throws {
        let folder = try TemporaryFolder()
        let (mine, secret, other) = (
            try Key.makeEdDSA(id: "a"), try Key.makeSecret(id: "s"), try Key.makeEdDSA(id: "a")
        )
        try folder.write("a.jwk", try #require(mine.publicKey).jwk.text)
        try folder.write("s.jwk", secret.jwk.text)
        try folder.write("README", "not a key")
        let ring = try KeyRing(folder: folder.path)
        let message = Array(#"{"id":"n1"}"#.utf8)
        for key in [mine, secret] {
            #expect(ring.verdict(on: Array(try JWS.sign(message, key: key).utf8)) == .valid(message))
        }
        #expect(ring.verdict(on: Array(try JWS.sign(message, key: other).utf8)) == .invalid("signature"))
        let stranger = try Key.makeSecret(id: "x")
        #expect(ring.verdict(on: Array(try JWS.sign(message, key: stranger).utf8)) == .invalid("unknown-key"))
        #expect(ring.verdict(on: message) == .unsigned)
        #expect(ring.verdict(on: Array("eyJ.x".utf8)) == .invalid("malformed"))
        #expect(
            try KeyRing(folder: nil).verdict(on: Array(try JWS.sign(message, key: mine).utf8))
                == .invalid("unknown-key"))
    }

    @Test("A folder that is not there, a file that is no key and two keys of one name stop the start, each named")
    func refused() throws {
        let folder = try TemporaryFolder()
        func why(_ path: String) -> String {
            do throws(KeyRingError) {
                _ = try KeyRing(folder: path)
                return "taken"
            } catch {
                return error.description
            }
        }
        #expect(why("/nowhere") == "open /nowhere: No such file or directory")
        try folder.write("a.jwk", "{}")
        #expect(why(folder.path) == "\(folder.path)/a.jwk: without a kid")
        let key = try Key.makeEdDSA(id: "k")
        try folder.write("a.jwk", key.jwk.text)
        try folder.write("b.jwk", key.jwk.text)
        #expect(why(folder.path) == "\(folder.path)/b.jwk: another file has a key with the kid k")
    }
}
