package import ContentProtection

/// The protection of a segment.
package enum SegmentProtection: Hashable, Sendable {
    /// No encryption is configured, or there is no media to encrypt.
    case clear
    /// The clear lead: not encrypted yet, so that players can begin before they have a licence.
    case clearLead
    /// A content key, as each key system names it.
    case keys([KeyReference])
    /// A missing key: the segment is a gap, because it is not published in the clear.
    case missing
}
