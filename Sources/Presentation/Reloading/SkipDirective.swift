/// The lines that a player can do without, as it has an older copy: `_HLS_skip` (RFC 8216bis § 6.2.5.1).
package enum SkipDirective: Hashable, Sendable, CaseIterable {
    /// Old segments: `YES`.
    case yes
    /// Old segments and old date ranges: `v2`.
    case v2
}
