import ContentProtection
import MediaCore
import XML

/// Decrypts the content keys of a document.
struct ContentKeyOpener {
    private let envelopes: [KeyID?: KeyEnvelope]

    /// Opens nothing: for documents whose keys are in the clear.
    init() {
        envelopes = [:]
    }

    /// - Parameters:
    ///   - deliveries: All of a document.
    ///   - recipient: The private key of the recipient.
    /// - Throws: ``CPIXError`` if the document is for others, or the keys in it cannot be opened.
    init(_ deliveries: [DeliveryData], _ recipient: PrivateKey) throws(CPIXError) {
        guard let own = deliveries.first(where: { recipient.isOf($0.certificate) }) else {
            throw CPIXError("CPIX/DeliveryDataList", "the document is for \(deliveries.count) others")
        }
        envelopes = try own.envelopes(openedBy: recipient)
    }

    /// Decrypts a content key, once its authentication code is known to be right (CPIX 2.4 § 8.1).
    func open(_ secret: Element, _ encrypted: Element, of keyID: KeyID) throws(CPIXError) -> [UInt8] {
        guard let envelope = envelopes[keyID] ?? envelopes[nil] else {
            throw CPIXError(encrypted.path, "the content key is encrypted, and there is no key to decrypt it with")
        }
        guard let mac = secret.element("ValueMAC", .pskc), let code = mac.text.decodedBase64 else {
            throw CPIXError(secret.path, "it has no ValueMAC")
        }
        let contents = KeyEnvelope.Contents(cipher: try encrypted.cipher(Algorithm.aes256), authenticationCode: code)
        guard let bytes = (try? envelope.open(contents)) ?? nil else {
            throw CPIXError(mac.path, "it is not that of the encrypted key: one of them was changed")
        }
        return bytes
    }
}
