package import MediaCore

/// The dynamic range of a video: VIDEO-RANGE (RFC 8216bis § 4.4.6.2).
package enum VideoRange: String, Hashable, Sendable {
    case standard = "SDR"
    /// Hybrid Log-Gamma.
    case hlg = "HLG"
    /// Perceptual Quantizer.
    case pq = "PQ"

    /// The range of transfer characteristics; unknown ones are standard, except for Dolby Vision.
    package init(_ picture: PictureFormat) {
        switch picture.colour?.transfer {
        case _ where picture.dynamicRange.dolbyVision?.compatibilityID == 0: self = .pq
        case 16: self = .pq
        case 18: self = .hlg
        default: self = .standard
        }
    }
}
