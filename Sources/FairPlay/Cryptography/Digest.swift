import COpenSSL
import ContentProtection

/// The digests that FairPlay names certificates and derives keys with.
enum Digest: String {
    case sha1 = "SHA1"
    case sha256 = "SHA256"

    private var size: Int { self == .sha1 ? 20 : 32 }

    /// - Throws: ``OpenSSLError`` where OpenSSL fails.
    func callAsFunction(_ bytes: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: size)
        guard unsafe EVP_Q_digest(nil, rawValue, nil, bytes, bytes.count, &digest, nil) == 1 else {
            throw OpenSSLError("EVP_Q_digest")
        }
        return digest
    }
}
