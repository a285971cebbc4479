import Presentation

/// A rendition that an earlier run has published, until it has media again.
struct RestoredRendition: Sendable {
    var description: RenditionDescription
    /// Of the decoder configuration that its media had.
    var fingerprint: String?
    var isClaimed = false
}
