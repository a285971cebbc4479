/// Video that may have content keys of its own, as licences tell it apart: by the protection that its screen needs.
///
/// Raw values are what an operator writes, and go into derived keys.
package enum VideoClass: String, Hashable, Sendable, CaseIterable {
    /// Video below 720 lines.
    case sd
    /// Video of 720 to 1080 lines.
    case hd
    /// Video above 1080 lines.
    case uhd
    /// Video of high dynamic range, whatever its size.
    case hdr

    /// The protection that displays must have for it (Apple's authoring specification § 13.5, 13.6).
    package var displayProtection: DisplayProtection {
        switch self {
        case .sd: .none
        case .hd: .type0
        case .uhd, .hdr: .type1
        }
    }

    /// The classes that differ in size.
    package static let sizes: [VideoClass] = [.sd, .hd, .uhd]

    /// The class of a size: limits are those of Apple's authoring specification § 13.5 and 13.6, so that what has a key in
    /// common has a level of HDCP in common.
    ///
    /// - Parameter lines: The shorter side of the presented picture: for an upright one, its width.
    package init(lines: Int) {
        switch lines {
        case ..<720: self = .sd
        case 720...1080: self = .hd
        default: self = .uhd
        }
    }
}
