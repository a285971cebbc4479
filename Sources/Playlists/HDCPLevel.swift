package import MediaCore

/// HDCP-LEVEL (RFC 8216bis § 4.4.6.2).
package enum HDCPLevel: String, Hashable, Sendable, CaseIterable {
    case none = "NONE"
    case type0 = "TYPE-0"
    case type1 = "TYPE-1"

    package init(_ protection: DisplayProtection) {
        self =
            switch protection {
            case .none: .none
            case .type0: .type0
            case .type1: .type1
            }
    }

    /// Chooses the level for pictures; fails if playlists need none.
    ///
    /// - Parameters:
    ///   - protection: The requested protection.
    ///   - resolution: The resolution of the pictures.
    ///   - sharesKeyOfHDR: True if the pictures share their key with all pictures of high dynamic range. The largest of
    ///     these then decide on the level of all, since different levels need different keys (RFC 8216bis § 4.4.6.2).
    package init?(_ protection: OutputProtection, for resolution: Resolution?, sharesKeyOfHDR: Bool = false) {
        guard let resolution else { return nil }
        switch protection {
        case .none: return nil
        case .type0: self = .type0
        case .type1: self = .type1
        case .automatic:
            let protection = (sharesKeyOfHDR ? .hdr : VideoClass(resolution)).displayProtection
            // Most pictures need none, and then there is no tag.
            if protection == .none { return nil }
            self.init(protection)
        }
    }
}
