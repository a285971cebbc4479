/// The reason why a certificate cannot be used.
package enum ServerCertificateError: Error, Hashable, CustomStringConvertible {
    case noCertificate, noPrivateKey, noClientAuthority
    /// The key is another certificate's.
    case mismatch

    package var description: String {
        switch self {
        case .noCertificate: "there is no certificate in PEM in the file"
        case .noPrivateKey: "there is no private key in PEM in the file, or it has a passphrase"
        case .noClientAuthority:
            "there is no certificate in PEM in the file of those who sign the clients' certificates"
        case .mismatch: "the private key is not that of the certificate"
        }
    }
}
