package import Files
package import MediaCore
package import NIOSSL

/// The certificate of a server for TLS, and the authorities for those of its clients.
package struct ServerCertificate: Sendable {
    /// The files that it is made of, as its owner replaces them.
    package typealias Followed = FollowedFiles<ServerCertificate>

    /// The context of new connections.
    package let context: NIOSSLContext
    /// UTC, counted from 1970; clients refuse it from then on.
    package let expiry: MediaTime

    /// Reads the files.
    ///
    /// - Parameters:
    ///   - certificate: PEM: its own certificate, and those that it is signed by.
    ///   - privateKey: PEM, without a passphrase.
    ///   - clientAuthorities: PEM of those who sign the certificates of clients; nil if none is asked for. A client
    ///     that shows none is let in all the same.
    /// - Throws: ``ServerCertificateError``.
    package init(
        certificate: [UInt8],
        privateKey: [UInt8],
        clientAuthorities: [UInt8]? = nil
    ) throws(ServerCertificateError) {
        guard let chain = try? NIOSSLCertificate.fromPEMBytes(certificate), let own = chain.first else {
            throw .noCertificate
        }
        guard let key = try? NIOSSLPrivateKey(bytes: privateKey, format: .pem) else { throw .noPrivateKey }
        var settings = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(key)
        )
        settings.minimumTLSVersion = .tlsv12
        settings.applicationProtocols = ["h2", "http/1.1"]
        if let clientAuthorities {
            guard let authorities = try? NIOSSLCertificate.fromPEMBytes(clientAuthorities), !authorities.isEmpty else {
                throw .noClientAuthority
            }
            settings.certificateVerification = .optionalVerification
            settings.trustRoots = .certificates(authorities)
        }
        guard let context = try? NIOSSLContext(configuration: settings) else { throw .mismatch }
        self.context = context
        expiry = MediaTime(seconds: Int64(own.notValidAfter))
    }

    /// Reads it from files.
    ///
    /// - Parameters:
    ///   - certificate: See ``init(certificate:privateKey:clientAuthorities:)``.
    ///   - privateKey: The same.
    ///   - clientAuthorities: The same.
    /// - Returns: The certificate, as its files are and become.
    /// - Throws: `FileError`, ``ServerCertificateError``.
    package static func followed(
        certificate: String,
        privateKey: String,
        clientAuthorities: String? = nil
    ) throws -> Followed {
        try Followed([certificate, privateKey] + [clientAuthorities].compactMap(\.self)) { files in
            try ServerCertificate(
                certificate: files[0],
                privateKey: files[1],
                clientAuthorities: files.count > 2 ? files[2] : nil
            )
        }
    }
}
