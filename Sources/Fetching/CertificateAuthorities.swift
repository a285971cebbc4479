import NIOSSL

/// Who has to have signed the certificates of servers.
package struct CertificateAuthorities: Hashable, Sendable {
    let certificates: [NIOSSLCertificate]

    /// Reads a file of certificates in PEM.
    ///
    /// - Returns: Nil where there is none in it.
    package init?(file path: String) {
        guard let certificates = try? NIOSSLCertificate.fromPEMFile(path), !certificates.isEmpty else { return nil }
        self.certificates = certificates
    }
}
