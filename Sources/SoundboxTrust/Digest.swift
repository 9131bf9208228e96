import CCrypto

/// Message digests, by libcrypto.
public enum Digest {
    /// SHA-256 (FIPS 180-4) of the bytes in lower-case hex; empty where libcrypto has no memory left. `EVP_Digest`. Any thread.
    public static func sha256(_ bytes: [UInt8]) -> String {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        guard EVP_Digest(bytes, bytes.count, &digest, &length, EVP_sha256(), nil) == 1 else { return "" }
        return digest.prefix(Int(length)).map { byte in
            (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
