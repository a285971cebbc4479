/// The encryption of a track's samples: the contents of `schm`, `tenc` and `pssh` (ISO/IEC 23001-7 § 4.1, 8.1, 8.2).
package struct TrackEncryption: Hashable, Sendable {
    package var keyID: KeyID
    package var scheme: Scheme
    /// The headers of key systems, in `pssh`.
    package var headers: [ProtectionSystemHeader]

    /// The way in which the key is used (ISO/IEC 23001-7 § 10.1, 10.4).
    package enum Scheme: Hashable, Sendable {
        /// AES-CBC over a pattern of blocks, every protected range with the same IV.
        case cbcs(constantIV: Bytes16, pattern: Pattern)
        /// AES-CTR over all protected bytes, every sample with an IV of its own, which `senc` carries.
        case cenc
    }

    /// Encrypted and clear blocks of 16 bytes in turn; 0:0 is whole-sample encryption.
    package struct Pattern: Hashable, Sendable {
        package var cryptBlocks: UInt8
        package var skipBlocks: UInt8

        /// The pattern 1:9, which Apple's authoring specification § 13.7 demands of video.
        package static let video = Pattern(cryptBlocks: 1, skipBlocks: 9)
        /// 0:0, whole-sample encryption, as for audio.
        package static let wholeSample = Pattern(cryptBlocks: 0, skipBlocks: 0)

        package init(cryptBlocks: UInt8, skipBlocks: UInt8) {
            self.cryptBlocks = cryptBlocks
            self.skipBlocks = skipBlocks
        }
    }

    package init(keyID: KeyID, scheme: Scheme, headers: [ProtectionSystemHeader] = []) {
        self.keyID = keyID
        self.scheme = scheme
        self.headers = headers
    }
}
