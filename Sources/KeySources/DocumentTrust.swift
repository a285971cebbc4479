import CPIX
import ContentProtection

/// The holder of the key that CPIX documents are encrypted for, and the signer that they must have.
package struct DocumentTrust: Sendable {
    private let recipient: PrivateKey?
    /// The certificate that a key server is to encrypt keys for.
    let certificate: Certificate?
    private let signer: Certificate?

    /// - Parameters:
    ///   - recipientFile: Path of a PEM file with a private key and its certificate, that only its owner may read; nil for
    ///     keys in the clear.
    ///   - signerFile: Path of a PEM file with a certificate; nil for any signer, or none.
    /// - Throws: `MasterSecretFileError` if the first cannot be read; ``KeySourceError`` where one has something else.
    package init(recipientFile: String? = nil, signerFile: String? = nil) throws {
        if let recipientFile {
            let pem = try SecretFile.contents(path: recipientFile, atMost: 1 << 20)
            guard let recipient = PrivateKey(pem: pem) else {
                throw KeySourceError("\(recipientFile): it has no RSA private key in PEM that needs no passphrase")
            }
            guard let certificate = Certificate(pem: pem), recipient.isOf(certificate) else {
                throw KeySourceError("\(recipientFile): it has no certificate of its private key in PEM")
            }
            (self.recipient, self.certificate) = (recipient, certificate)
        } else {
            (recipient, certificate) = (nil, nil)
        }
        signer = try signerFile.map { try Certificate(file: $0) }
    }

    /// Reads a document.
    func read(_ bytes: [UInt8]) throws(CPIXError) -> CPIXDocument {
        try CPIXDocument(parsing: bytes, for: recipient, signedBy: signer)
    }
}
