import CCrypto

/// HMAC with SHA-256 (RFC 2104), by libcrypto.
enum HS256 {
    /// The tag of a message, 32 bytes; nil where libcrypto fails. `HMAC`
    static func tag(of message: [UInt8], key: [UInt8]) -> [UInt8]? {
        var tag = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var length: UInt32 = 0
        guard HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &tag, &length) != nil else {
            return nil
        }
        return Array(tag.prefix(Int(length)))
    }

    /// Whether this is the message's tag, in a time that tells nothing of where they differ. `CRYPTO_memcmp`
    static func verify(_ tag: [UInt8], of message: [UInt8], key: [UInt8]) -> Bool {
        guard let expected = self.tag(of: message, key: key), tag.count == expected.count else { return false }
        return CRYPTO_memcmp(tag, expected, expected.count) == 0
    }
}

/// Ed25519 (RFC 8032), by libcrypto.
enum EdDSA {
    /// `EVP_DigestVerify` with `EVP_PKEY_ED25519`
    static func verify(_ signature: [UInt8], of message: [UInt8], key: [UInt8]) -> Bool {
        guard let pkey = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, key, key.count) else { return false }
        defer { EVP_PKEY_free(pkey) }
        guard let context = EVP_MD_CTX_new() else { return false }
        defer { EVP_MD_CTX_free(context) }
        return EVP_DigestVerifyInit(context, nil, nil, nil, pkey) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }

    /// The signature of a message, 64 bytes; nil where libcrypto fails. `EVP_DigestSign`
    static func sign(_ message: [UInt8], seed: [UInt8]) -> [UInt8]? {
        guard let pkey = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count) else { return nil }
        defer { EVP_PKEY_free(pkey) }
        guard let context = EVP_MD_CTX_new() else { return nil }
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: 64)
        var length = signature.count
        guard EVP_DigestSignInit(context, nil, nil, nil, pkey) == 1,
            EVP_DigestSign(context, &signature, &length, message, message.count) == 1
        else { return nil }
        return signature
    }

    /// The public key of a private one. `EVP_PKEY_get_raw_public_key`
    static func publicKey(of seed: [UInt8]) -> [UInt8]? {
        guard let pkey = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count) else { return nil }
        defer { EVP_PKEY_free(pkey) }
        var key = [UInt8](repeating: 0, count: 32)
        var length = key.count
        return EVP_PKEY_get_raw_public_key(pkey, &key, &length) == 1 && length == 32 ? key : nil
    }
}
