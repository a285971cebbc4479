package import ContentProtection

/// A certificate and a key that cannot answer requests.
package enum CertificateError: Error, Hashable, CustomStringConvertible {
    /// The key is no RSA key in PEM, or has a passphrase.
    case privateKey
    /// A modulus of other than 1024 or 2048 bits, which FairPlay's RSA has.
    case modulus(bits: Int)
    /// The certificate is none of an RSA key in DER.
    case certificate
    /// The certificate is for another key.
    case mismatch
    case openSSL(OpenSSLError)

    package var description: String {
        switch self {
        case .privateKey:
            "the private key is no RSA key in PEM without a passphrase; "
                + "run: openssl pkey -in KEY -out KEY-without-passphrase"
        case .modulus(let bits): "the private key has \(bits) bits, not 1024 or 2048"
        case .certificate: "the certificate is not DER; run: openssl x509 -in CERTIFICATE -outform der"
        case .mismatch: "the certificate has another private key"
        case .openSSL(let error):
            "\(error)"
        }
    }
}
