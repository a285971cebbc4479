package import MediaCore

extension MediaSequenceNumber {
    /// The initialization vector of a segment whose EXT-X-KEY has no IV attribute: the number, big-endian, in sixteen bytes
    /// with zeros on the left (RFC 8216bis § 5.2).
    package var initializationVector: Bytes16 { Bytes16(high: 0, low: UInt64(bitPattern: value)) }
}
