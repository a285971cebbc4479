/// The playlists of a ``Listing`` by path, ready to be sent.
struct RenderedListing: Sendable {
    var generation: Int
    var resources: [String: Resource]
}
