import Playlists

/// The playlists of a ``Listing`` by path, ready to be sent.
struct RenderedListing: Sendable {
    var generation: Int
    var resources: [String: Resource] = [:]
    /// What the next listing need not render again.
    var lines: [RenditionID: LineBlocks] = [:]
}
