package import MediaCore
package import NIOCore

/// The initialization vectors of a segment under scheme `cenc`: no two blocks that one key ever encrypts have one counter.
///
/// A segment is one message in counter mode, and each sample begins where the one before it ends. If a segment is
/// written in parts, each part is a message. A vector of 16 bytes is the counter of its first block (ISO/IEC 23001-7 §
/// 9.3):
///
/// | bits | what it tells apart                                                                                        |
/// |------|------------------------------------------------------------------------------------------------------------|
/// | 36   | slots: of one second they last until the year 4147                                                          |
/// | 60   | what fills a slot: renditions, which share keys, and what a peer or a later run has for it                    |
/// | 5    | parts: the lowest bits of the index; more blocks in a segment that is not written in parts                   |
/// | 27   | blocks, as many as a movie fragment has room for                                                              |
///
/// Slots, the first 32 parts of a slot, and blocks differ by construction. The contents of a slot cannot be counted,
/// since two packagers that never talk may cut it differently. They are told apart by a keyed digest (HKDF-SHA256 of
/// the content key) of the rendition's name, the index of the part and all of its samples. Two different contents have
/// the same digest with a chance of 1 in 2^60. With forty contents of a slot of one second, a year has a collision with
/// a chance of 1 in 2^25. With eight of four seconds it is 1 in 2^32, the limit of NIST SP 800-38D § 8.3 for a key.
/// Parts are contents of their own: twenty of each of the eight make it one in 2^28.
package struct CounterModeVectors: Sendable {
    /// The first block's counter, whose lowest bits, as many as blocks have, are zero.
    private let base: Bytes16
    /// The number of blocks that have counters.
    private let capacity: UInt64

    private static let bitsOfPart: UInt64 = 27

    /// - Parameters:
    ///   - slot: The segment's number.
    ///   - part: The index of the part, if the segment is written in parts.
    ///   - rendition: Its name.
    ///   - samples: The samples that are to be encrypted.
    ///   - key: The content key of the period.
    /// - Throws: ``OpenSSLError`` without memory or without SHA-256.
    package init(
        slot: MediaSequenceNumber,
        part: Int? = nil,
        rendition: String,
        samples: [ByteBuffer],
        key: ContentKey
    ) throws(OpenSSLError) {
        // Each field behind its count of bytes: no two lists of fields give the same bytes.
        var digest = try SHA256Context()
        try digest.update(rendition)
        for sample in samples { try digest.update(sample) }
        // Each kind of message has a name: a part's has its index.
        let kind = part.map { "packager counter mode 2 \($0) " } ?? "packager counter mode 1"
        let filling =
            try HKDF.derive(
                secret: key.secret.bytes,
                salt: [],
                info: Array(kind.utf8) + digest.finish(),
                count: 8
            ).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } >> 4
        let number = UInt64(truncatingIfNeeded: slot.value)
        let index = part.map { UInt64(truncatingIfNeeded: $0) & 0x1F } ?? 0
        base = Bytes16(high: number << 28 | filling >> 32, low: filling << 32 | index << Self.bitsOfPart)
        capacity = part == nil ? 1 << 32 : 1 << Self.bitsOfPart
    }

    /// The vectors of samples that follow each other.
    ///
    /// - Parameter protectedByteCounts: The number of encrypted bytes of each.
    /// - Returns: A vector for each sample; nil if they are more than the counter has room for.
    package func vectors(protectedByteCounts: [Int]) -> [Bytes16]? {
        var block: UInt64 = 0
        var result: [Bytes16] = []
        result.reserveCapacity(protectedByteCounts.count)
        for count in protectedByteCounts {
            guard block < capacity else { return nil }
            result.append(Bytes16(high: base.high, low: base.low | block))
            // A sample without protected bytes has a vector of its own all the same.
            block += UInt64(max(1, (count + CipherContext.blockSize - 1) / CipherContext.blockSize))
        }
        return block <= capacity ? result : nil
    }
}
