import MediaCore
import Playlists

/// The playlists of a ``Listing`` by path, ready to be sent.
struct RenderedListing: Sendable {
    var generation: Int
    var resources: [String: Resource] = [:]
    /// The newest slot of each playlist.
    var ends: [RenditionID: MediaSequenceNumber] = [:]
    /// What the next listing need not render again.
    var lines: [RenditionID: LineBlocks] = [:]
    var carried = CarriedLines()
}
