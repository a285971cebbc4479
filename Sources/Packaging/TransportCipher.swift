import ContentProtection

/// The keyed cipher of a crypto period for transport streams and packed audio; a class because an OpenSSL context
/// cannot be copied.
final class TransportCipher {
    let key: PeriodKey
    var encryptor: TransportSampleEncryptor

    /// - Throws: ``OpenSSLError``.
    init(_ key: PeriodKey) throws {
        self.key = key
        encryptor = try TransportSampleEncryptor(key: key.contentKey, iv: key.constantIV)
    }

    /// The cipher of a key; the one before is used again if the key has not changed.
    static func cipher(for key: PeriodKey?, after before: TransportCipher?) throws -> TransportCipher? {
        guard let key else { return nil }
        return if let before, before.key == key { before } else { try TransportCipher(key) }
    }
}
