/// What the segments of a channel are made of.
package enum StreamFormat: String, Hashable, Sendable, CaseIterable {
    /// Fragmented MP4 (CMAF).
    case fmp4
    /// MPEG transport streams, and packed audio beside them.
    case ts
}
