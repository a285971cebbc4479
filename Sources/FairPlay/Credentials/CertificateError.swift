package import ContentProtection

/// A certificate and a key that cannot answer requests.
package enum CertificateError: Error, Hashable, CustomStringConvertible {
    /// No private key in PEM, or one with a passphrase.
    case privateKey(OpenSSLError)
    /// RSA has 1024 or 2048 bits with FairPlay; 0 is another kind of key.
    case modulus(bits: Int)
    /// The certificate is no certificate in DER, or that of another key.
    case mismatch
    case openSSL(OpenSSLError)

    package var description: String {
        switch self {
        case .privateKey(let error):
            "the private key is no PEM without a passphrase (\(error)); "
                + "run: openssl pkey -in KEY -out KEY-without-passphrase"
        case .modulus(let bits):
            bits == 0 ? "the private key is not an RSA key" : "the private key has \(bits) bits, not 1024 or 2048"
        case .mismatch:
            "the certificate is not DER, or has another private key; run: openssl x509 -inform der -in CERTIFICATE -text"
        case .openSSL(let error):
            "\(error)"
        }
    }
}
