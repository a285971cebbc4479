import ContentProtection
import MediaCore
import NIOCore

/// The outer form of a server playback context (SPC): which certificate it was made for, and its payload, encrypted.
///
/// | bytes in versions 1, 2 | in version 3 | what |
/// |---|---|---|
/// | 4 | 4 | version |
/// | 4 | 4 | reserved |
/// | 16 | 16 | IV; in version 3 what version of the protocol it is |
/// | 128, 256 | 256 | key, wrapped with the certificate's public key |
/// | 20 | 32 | hash of the certificate: SHA-1; SHA-256 |
/// | 4 | 16 | payload length |
/// | n × 16 | n × 16 | payload: TLLVs under AES-128-CBC without padding |
/// | | 16 | AES-CMAC of all from the wrapped key on |
struct SPCContainer {
    let version: SPCVersion
    private let iv: Bytes16
    private let wrappedKey: ByteBuffer
    private let certificateHash: ByteBuffer
    private let payload: ByteBuffer
    private let authenticated: ByteBuffer
    private let authenticationCode: ByteBuffer

    /// A device's request has a few kilobytes; it may list some hundreds of deleted offline keys.
    private static let maximumSize = 65_536
    /// The offset of the wrapped key.
    private static let wrappedKeyOffset = 24

    /// Takes an SPC apart.
    ///
    /// - Throws: ``FairPlayError`` if the bytes are not an SPC, or an incomplete one.
    init(_ spc: ByteBuffer) throws(FairPlayError) {
        guard spc.readableBytes > 0 else { throw .empty }
        guard spc.readableBytes <= Self.maximumSize else { throw .oversized(bytes: spc.readableBytes) }
        var rest = spc
        let truncated = FairPlayError.truncated(bytes: spc.readableBytes)
        guard let word: UInt32 = rest.readInteger() else { throw truncated }
        // A SEQUENCE of DER whose length has two bytes: the certificate was posted in place of the request.
        guard word >> 16 != 0x3082 else { throw .certificatePosted }
        guard let version = SPCVersion(rawValue: word) else { throw .unknownVersion(word) }
        self.version = version
        guard rest.readInteger(as: UInt32.self) != nil, let iv = rest.readBytes16(),
            let wrappedKey = rest.readSlice(length: version.wrappedKeySize),
            let certificateHash = rest.readSlice(length: version.certificateHashSize),
            rest.readSlice(length: version == .three ? 12 : 0) != nil,
            let length: UInt32 = rest.readInteger()
        else { throw truncated }
        self.iv = iv
        self.wrappedKey = wrappedKey
        self.certificateHash = certificateHash
        guard length > 0, length % 16 == 0 else { throw .payloadLength(length) }
        guard rest.readableBytes == Int(length) + version.trailerSize,
            let payload = rest.readSlice(length: Int(length)),
            let authenticated = spc.getSlice(
                at: spc.readerIndex + Self.wrappedKeyOffset,
                length: spc.readableBytes - Self.wrappedKeyOffset - version.trailerSize
            )
        else { throw .payloadMismatch(stated: length, present: rest.readableBytes - version.trailerSize) }
        self.payload = payload
        self.authenticated = authenticated
        authenticationCode = rest
    }

    /// Finds the certificate that the SPC was made for, and decrypts its payload.
    ///
    /// - Parameters:
    ///   - certificates: All that are valid now: while one replaces another, both are in use.
    ///   - spc3: The values that open version 3; nil if it is refused.
    /// - Returns: The certificate, and the TLLVs.
    /// - Throws: ``FairPlayError`` if it was made for another certificate, is damaged, or has version 3 without
    ///   anything to open that with.
    func open(
        _ certificates: [ApplicationCertificate],
        _ spc3: SPC3Parameters?
    ) throws(FairPlayError) -> (certificate: ApplicationCertificate, payload: ByteBuffer) {
        let hash = Array(certificateHash.readableBytesView)
        guard let certificate = certificates.first(where: { $0.hash(of: version) == hash }) else {
            throw .unknownCertificate(hash: hash.hex)
        }
        // All failures here give the same error, so that a sender does not learn how far it came (RFC 8017 § 7.1.2).
        guard
            let unwrapped = try? certificate.privateKey.decrypt(
                Array(wrappedKey.readableBytesView),
                version == .one ? .sha1 : .sha256
            ), let key = Bytes16(unwrapped).map(ContentKey.init)
        else { throw .unwrapping }
        var payload = payload
        if version == .three {
            guard let spc3 else { throw .unsupportedVersion3 }
            guard spc3.protocolVersion == iv else { throw .unknownProtocol(iv) }
            let integrityKey = ContentKey(try AES128.encrypt(spc3.integritySeed, key: key))
            guard try AES128.authenticates(authenticated, code: authenticationCode, key: integrityKey) else {
                throw .authentication
            }
            let payloadKey = ContentKey(try AES128.encrypt(spc3.keySeed, key: key))
            try AES128.decrypt(&payload, key: payloadKey, iv: try AES128.encrypt(spc3.ivSeed, key: key))
        } else {
            try AES128.decrypt(&payload, key: key, iv: iv)
        }
        return (certificate, payload)
    }
}
