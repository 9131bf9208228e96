import Foundation
import SoundboxCore
import Testing

@testable import SoundboxTrust

/// Signatures as the RFCs and others have them, and everything that is not one.
struct JWSTests {
    static let secret = "AyM1SysPpbyDfgZld3umj1qzKObwVMkoqQ-EstJQLr_T-1qS0gZH75aKtMN3Yj0iPS4hcgUuTwjAzZr1Z9CAow"
    static let ed25519 = (
        d: "nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A", x: "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
    )

    static func key(_ text: String) throws -> Key { try Key(jwk: Array(text.utf8)) }

    static func hmacKey(_ id: String = "h") throws -> Key { try key(#"{"kty":"oct","kid":"\#(id)","k":"\#(secret)"}"#) }

    static func edKey(_ id: String = "e") throws -> Key {
        try key(#"{"kty":"OKP","crv":"Ed25519","kid":"\#(id)","x":"\#(ed25519.x)","d":"\#(ed25519.d)"}"#)
    }

    @Test("RFC 7515, A.1: HS256")
    func rfc7515() throws {
        let jws =
            "eyJ0eXAiOiJKV1QiLA0KICJhbGciOiJIUzI1NiJ9"
            + ".eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ"
            + ".dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
        let payload = try JWS.verify(Array(jws.utf8), key: Self.hmacKey())
        #expect(
            String(decoding: payload, as: UTF8.self)
                == "{\"iss\":\"joe\",\r\n \"exp\":1300819380,\r\n \"http://example.com/is_root\":true}")
    }

    @Test("RFC 8037, A.4: Ed25519, verified and signed")
    func rfc8037() throws {
        let signature = "hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg"
        let input = "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc"
        let key = try Self.edKey()
        let payload = try JWS.verify(Array("\(input).\(signature)".utf8), key: key)
        #expect(String(decoding: payload, as: UTF8.self) == "Example of Ed25519 signing")
        let seed = try #require(key.seed)
        #expect(EdDSA.sign(Array(input.utf8), seed: seed).map { Base64URL.encode($0) } == signature)
    }

    @Test("What is signed is verified by the key of its name, and by no other")
    func roundTrip() throws {
        let keys = [try Self.hmacKey(), try Key.makeSecret(id: "h2"), try Self.edKey(), try Key.makeEdDSA(id: "e2")]
        for key in keys {
            for payload in ["", "{}", #"{"id":"n1","amount":"1"}"#, String(repeating: "é", count: 2000)] {
                let jws = Array(try JWS.sign(Array(payload.utf8), key: key).utf8)
                #expect(try JWS.verify(jws, keys: keys) == Array(payload.utf8))
                for other in keys where other != key {
                    #expect(throws: JWSError.self) { try JWS.verify(jws, key: other) }
                }
                #expect(throws: JWSError.unknownKey) { try JWS.verify(jws, keys: keys.filter { $0 != key }) }
            }
            // The public half verifies and cannot sign; a secret has none.
            let jws = Array(try JWS.sign([1, 2, 3], key: key).utf8)
            if let half = key.publicKey {
                #expect(try JWS.verify(jws, key: half) == [1, 2, 3])
                #expect(!half.canSign)
                #expect(throws: KeyError.self) { try JWS.sign([], key: half) }
            } else {
                #expect(key.algorithm == .hs256)
            }
        }
    }

    @Test("Each bit counts: a message with one bit changed anywhere is refused")
    func everyBit() throws {
        for key in [try Self.hmacKey(), try Self.edKey()] {
            let jws = Array(try JWS.sign(Array(#"{"id":"n1"}"#.utf8), key: key).utf8)
            for index in jws.indices {
                for bit in 0..<8 {
                    var changed = jws
                    changed[index] ^= 1 << bit
                    #expect(throws: JWSError.self) { try JWS.verify(changed, keys: [key]) }
                }
            }
            for length in 0..<jws.count {
                #expect(throws: JWSError.self) { try JWS.verify(Array(jws[..<length]), keys: [key]) }
            }
        }
    }

    /// Header, and why it is refused although its signature is right.
    static let headers: [(String, JWSError)] = [
        (#"{"alg":"none","kid":"h"}"#, .algorithm), (#"{"alg":"HS512","kid":"h"}"#, .algorithm),
        (#"{"alg":"hs256","kid":"h"}"#, .algorithm), (#"{"alg":"EdDSA","kid":"h"}"#, .algorithm),
        (#"{"kid":"h"}"#, .algorithm), (#"{"alg":null,"kid":"h"}"#, .algorithm),
        (#"{"alg":"HS256"}"#, .unknownKey), (#"{"alg":"HS256","kid":"x"}"#, .unknownKey),
        (#"{"alg":"HS256","kid":1}"#, .unknownKey),
        (#"{"alg":"HS256","kid":"h","crit":["b64"],"b64":false}"#, .critical),
        (#"{"alg":"HS256","kid":"h","crit":[]}"#, .critical),
        (#"{"alg":"HS256","alg":"HS256","kid":"h"}"#, .malformed), (#"[]"#, .malformed), ("", .malformed),
        (#"{"alg":"HS256","kid":"h"} x"#, .malformed),
    ]

    @Test("A header that asks for something else is refused, however it is signed", arguments: headers)
    func header(header: String, error: JWSError) throws {
        let key = try Self.hmacKey()
        let input = "\(Base64URL.encode(header.utf8)).\(Base64URL.encode("{}".utf8))"
        let tag = try #require(HS256.tag(of: Array(input.utf8), key: key.bytes))
        #expect(throws: error) { try JWS.verify(Array("\(input).\(Base64URL.encode(tag))".utf8), keys: [key]) }
    }

    @Test("A public key used as a shared secret does not pass")
    func confusion() throws {
        let key = try #require(try Self.edKey().publicKey)
        let input = "\(Base64URL.encode(#"{"alg":"HS256","kid":"e"}"#.utf8)).\(Base64URL.encode("{}".utf8))"
        let tag = try #require(HS256.tag(of: Array(input.utf8), key: key.bytes))
        #expect(throws: JWSError.algorithm) {
            try JWS.verify(Array("\(input).\(Base64URL.encode(tag))".utf8), keys: [key])
        }
    }

    static let badKeys: [(String, String)] = [
        ("x", "not JSON: not-json"), (#"{"kty":"oct"}"#, "without a kid"),
        (#"{"kid":"","kty":"oct"}"#, "without a kid"),
        (#"{"kid":"a","kty":"RSA"}"#, "kty is neither oct nor OKP"),
        (#"{"kid":"a","kty":"oct"}"#, "k is not base64url"),
        (#"{"kid":"a","kty":"oct","k":"AAAA"}"#, "k has fewer than 32 bytes"),
        (#"{"kid":"a","kty":"oct","k":"\#(secret)=="}"#, "k is not base64url"),
        (#"{"kid":"a","kty":"oct","k":"\#(secret)","alg":"HS512"}"#, "alg is not HS256"),
        (#"{"kid":"a","kty":"oct","k":"\#(secret)","use":"enc"}"#, "use is not sig"),
        (#"{"kid":"a","kty":"OKP","crv":"X25519","x":"\#(ed25519.x)"}"#, "crv is not Ed25519"),
        (#"{"kid":"a","kty":"OKP","crv":"Ed25519","x":"AAAA"}"#, "x has not 32 bytes"),
        (#"{"kid":"a","kty":"OKP","crv":"Ed25519","x":"\#(ed25519.d)","d":"\#(ed25519.d)"}"#, "d is not the key of x"),
    ]

    @Test("A key that cannot be used says why, and shows nothing of itself")
    func keys() throws {
        for (text, why) in Self.badKeys {
            do {
                _ = try Self.key(text)
                Issue.record("\(text) was taken")
            } catch let error as KeyError {
                #expect(error.description == why, "\(text)")
            }
        }
        let pair = try Key.makeEdDSA(id: "k")
        #expect(try Self.key(pair.jwk.text) == pair)
        let half = try #require(pair.publicKey)
        #expect(try Self.key(half.jwk.text) == half && half.jwk["d"] == nil)
        let secret = try Key.makeSecret(id: "k")
        #expect(try Self.key(secret.jwk.text) == secret)
        #expect(try Key.makeEdDSA(id: "k") != pair)
    }

    @Test("Base64url has one text for each sequence of bytes (RFC 4648, 10)")
    func base64() {
        let vectors = ["": "", "f": "Zg", "fo": "Zm8", "foo": "Zm9v", "foob": "Zm9vYg", "fooba": "Zm9vYmE"]
        for (plain, text) in vectors {
            #expect(Base64URL.encode(plain.utf8) == text)
            #expect(Base64URL.decode(text.utf8) == Array(plain.utf8))
        }
        for byte in UInt8.min...UInt8.max {
            #expect(Base64URL.decode(Base64URL.encode([byte, 255]).utf8) == [byte, 255])
        }
        for text in ["Zh", "Zg==", "Zm9", "Z", "Zm+v", "Zm/v", "Zm9v\n", " Zm9v", "Zm9vA"] {
            #expect(Base64URL.decode(text.utf8) == nil, "\(text)")
        }
    }
}
