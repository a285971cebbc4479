package import MediaCore

/// Tracks that share their content keys during a crypto period.
///
/// Raw values go into derived keys, into documents and tokens, and into what operators read.
package enum KeyClass: String, Hashable, Sendable, CaseIterable {
    /// Video that is in no class of its own.
    case video
    case audio
    case sd, hd, uhd, hdr

    package init(_ video: VideoClass) {
        self =
            switch video {
            case .sd: .sd
            case .hd: .hd
            case .uhd: .uhd
            case .hdr: .hdr
            }
    }

    /// The protection that displays must have for it; nil for video of all sizes.
    package var displayProtection: DisplayProtection? {
        switch self {
        case .audio: DisplayProtection.none
        case .video: nil
        case .sd: VideoClass.sd.displayProtection
        case .hd: VideoClass.hd.displayProtection
        case .uhd: VideoClass.uhd.displayProtection
        case .hdr: VideoClass.hdr.displayProtection
        }
    }

    /// True if there are pictures, which may be of worth that audio is not.
    package var isVideo: Bool { self != .audio }
}
