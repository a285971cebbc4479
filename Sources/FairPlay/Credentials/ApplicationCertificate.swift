import ContentProtection
import MediaCore

/// A FairPlay application certificate with its private key, as Apple's deployment package names it.
///
/// No description, dump or interpolation of it shows the key or the provisioning data.
package struct ApplicationCertificate: Sendable {
    /// The data about it for a plug-in, byte for byte as Apple gave it to the operator.
    let provisioningData: [UInt8]
    let privateKey: PrivateKey
    /// The hash of the DER, 20 bytes: SPCs of version 1 and 2 name it so, and plug-ins know it so.
    let sha1: [UInt8]
    private let sha256: [UInt8]

    /// - Parameters:
    ///   - der: The certificate, byte for byte as it is given to applications (`fairplay.cer`).
    ///   - privateKey: PEM of RSA, 1024 or 2048 bits, without a passphrase.
    ///   - provisioningData: May be empty if the plug-in knows it.
    /// - Throws: ``CertificateError`` if one of them is something else, or they do not belong together.
    package init(der: [UInt8], privateKey: [UInt8], provisioningData: [UInt8]) throws(CertificateError) {
        guard let privateKey = PrivateKey(pem: privateKey) else { throw .privateKey }
        guard [1024, 2048].contains(privateKey.bits) else { throw .modulus(bits: privateKey.bits) }
        guard let certificate = Certificate(der: der) else { throw .certificate }
        guard privateKey.isOf(certificate) else { throw .mismatch }
        self.provisioningData = provisioningData
        self.privateKey = privateKey
        do throws(OpenSSLError) {
            sha1 = try MessageDigest.sha1.digest(der)
            sha256 = try MessageDigest.sha256.digest(der)
        } catch {
            throw .openSSL(error)
        }
    }

    /// The hash that SPCs of a version name their certificate by.
    func hash(of version: SPCVersion) -> [UInt8] { version == .three ? sha256 : sha1 }
}

extension ApplicationCertificate: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "ApplicationCertificate(\(sha1.hex))" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
