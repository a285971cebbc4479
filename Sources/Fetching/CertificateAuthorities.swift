import Files
import NIOSSL

/// The authorities one of which must have signed a server's certificate.
package struct CertificateAuthorities: Hashable, Sendable {
    let certificates: [NIOSSLCertificate]

    /// The reason why there are no certificates, in one phrase.
    package struct Missing: Error, CustomStringConvertible {
        package let description: String
    }

    /// Reads a file of certificates in PEM.
    ///
    /// - Throws: The reason why it cannot be read, or has none.
    package init(file path: String) throws(Missing) {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try OpenFile.contents(of: path, limit: 8 << 20)
        } catch {
            throw Missing(description: "it cannot be read: \(error.reason)")
        }
        let certificates = try? NIOSSLCertificate.fromPEMBytes(bytes)
        guard let certificates, !certificates.isEmpty else {
            throw Missing(description: "it has no certificate in PEM")
        }
        self.certificates = certificates
    }
}
