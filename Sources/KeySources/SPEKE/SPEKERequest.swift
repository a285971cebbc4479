import CPIX
import ContentProtection
import MediaCore

/// A request to a key server: the keys of all classes in one crypto period.
struct SPEKERequest: Hashable, Sendable {
    var contentID: String
    var scheme: EncryptionScheme
    var periods: CryptoPeriods
    var slotDuration: MediaTime
    var period: CryptoPeriod
    var classes: KeyClasses
    /// The key systems for whose clients the key server gives signalling.
    var systems: [KeySystem]
    /// The certificate that content keys are to be encrypted for; nil for keys in the clear, which TLS protects.
    var recipient: Certificate?

    /// The beginning of the period, in UTC; nil if keys never change, or it is thousands of years away.
    var start: MediaTime? { periods.start(of: period, slotDuration: slotDuration) }

    /// Returns the request: the encryptor chooses key IDs and initialization vectors.
    ///
    /// - Throws: ``KeySourceError`` if the version cannot express it.
    func document(_ dialect: SPEKEDialect) throws -> CPIXDocument {
        let version = dialect.version
        let scheme = try scheme(in: version)
        var document = CPIXDocument(
            contentID: contentID,
            version: version.cpix,
            keys: [],
            periods: [],
            usageRules: []
        )
        document.recipients = recipient.map { [$0] } ?? []
        let periodID = document.add(period, of: periods, slotDuration: slotDuration)
        if version == .minor0, periodID != nil {
            document.periods = document.periods.map { .init(id: $0.id, index: $0.index) }
        }
        for keyClass in classes.all {
            let keyID = try KeyID(content: contentID, period: period, keyClass)
            document.keys.append(.init(keyID: keyID, scheme: scheme, explicitIV: keyID.bytes))
            document.systems += systems.map { .init(keyID: keyID, asking: $0, multivariant: dialect.multivariant) }
            document.usageRules.append(.init(keyID: keyID, keyClass, in: periodID, of: classes))
        }
        return document
    }

    /// SPEKE 2.0 has the four schemes of Common Encryption only.
    private func scheme(in version: SPEKEVersion) throws(KeySourceError) -> EncryptionScheme {
        switch (version, scheme) {
        case (.minor1, _), (.minor0, .cbcs), (.minor0, .cenc): scheme
        case (.minor0, .sampleAES): .cbcs
        case (.minor0, .sampleAESCounterMode): .cenc
        case (.minor0, _):
            throw KeySourceError(
                "the key server speaks SPEKE 2.0, which has no word for \(scheme.rawValue); use sample-aes"
            )
        }
    }
}
