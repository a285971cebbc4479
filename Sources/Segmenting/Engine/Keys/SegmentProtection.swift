package import ContentProtection

/// What keeps a segment from those who are not meant to see it.
package enum SegmentProtection: Hashable, Sendable {
    /// Nothing, and nothing is meant to; or there is no media to protect.
    case clear
    /// Nothing yet, so that players can begin before they have a licence.
    case clearLead
    /// A content key, as each key system names it.
    case keys([KeyReference])
    /// Its key is not there: it is a gap, for in the clear it is not published.
    case missing
}
