/// How a track's samples are encrypted: the contents of `tenc` under scheme `cbcs` (ISO/IEC 23001-7 § 8.2, 10.4.1).
package struct TrackEncryption: Hashable, Sendable {
    package var keyID: KeyID
    package var constantIV: Bytes16
    package var pattern: Pattern

    /// Encrypted and clear blocks of 16 bytes in turn; 0:0 is whole-sample encryption.
    package struct Pattern: Hashable, Sendable {
        package var cryptBlocks: UInt8
        package var skipBlocks: UInt8

        /// 1:9, what Apple's authoring specification § 13.7 demands of video.
        package static let video = Pattern(cryptBlocks: 1, skipBlocks: 9)
        /// 0:0, whole-sample encryption, as for audio.
        package static let wholeSample = Pattern(cryptBlocks: 0, skipBlocks: 0)

        package init(cryptBlocks: UInt8, skipBlocks: UInt8) {
            self.cryptBlocks = cryptBlocks
            self.skipBlocks = skipBlocks
        }
    }

    package init(keyID: KeyID, constantIV: Bytes16, pattern: Pattern) {
        self.keyID = keyID
        self.constantIV = constantIV
        self.pattern = pattern
    }
}

/// Names a content key; public, unlike the key.
package struct KeyID: Hashable, Sendable, CustomStringConvertible {
    package var bytes: Bytes16

    package init(_ bytes: Bytes16) {
        self.bytes = bytes
    }

    package var description: String { bytes.hex }
}

/// A run of clear bytes and the run of protected bytes that follows it: an entry of `senc` (ISO/IEC 23001-7 § 7.2).
package struct Subsample: Hashable, Sendable {
    package var clearBytes: UInt16
    package var protectedBytes: UInt32

    package init(clearBytes: UInt16, protectedBytes: UInt32) {
        self.clearBytes = clearBytes
        self.protectedBytes = protectedBytes
    }
}
