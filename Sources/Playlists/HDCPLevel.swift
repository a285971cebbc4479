package import MediaCore

/// HDCP-LEVEL (RFC 8216bis § 4.4.6.2).
package enum HDCPLevel: String, Hashable, Sendable, CaseIterable {
    case none = "NONE"
    case type0 = "TYPE-0"
    case type1 = "TYPE-1"

    /// Nil where nothing is said.
    ///
    /// - Parameters:
    ///   - protection: What is asked for.
    ///   - resolution: Of the pictures.
    package init?(_ protection: OutputProtection, for resolution: Resolution?) {
        guard let resolution else { return nil }
        switch protection {
        case .none: return nil
        case .type0: self = .type0
        case .type1: self = .type1
        case .automatic:
            // Apple's authoring specification § 13.5, 13.6; a picture that stands upright has its lines across.
            switch min(resolution.width, resolution.height) {
            case ..<720: return nil
            case 720...1080: self = .type0
            default: self = .type1
            }
        }
    }
}
