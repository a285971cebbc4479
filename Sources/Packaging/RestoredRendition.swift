import Presentation

/// A rendition that an earlier run has published, until it has media again.
struct RestoredRendition: Sendable {
    var description: RenditionDescription
    /// Of the decoder configuration that its media had.
    var fingerprint: String?
    /// Whether the window lists media of it still.
    var hasMedia: Bool
    var isClaimed = false
}
