/// A way to a channel that players may use: a CDN, an edge, or a member of a pair.
package struct PathwayDescription: Hashable, Sendable {
    /// The name that playlists and players know it by.
    package var id = ""
    /// The URL below which the channels are found by their names; it has no path.
    package var url = ""

    package init() {}
}
