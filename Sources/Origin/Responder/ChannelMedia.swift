import HTTPServing
package import Presentation

/// The part of a channel that answers with media depend on: an object, since all requests ask for it.
package final class ChannelMedia: Sendable {
    /// The first component of all paths of the channel.
    package let name: String
    package let presentation: Presentation
    /// Decides if the playlists may be served.
    package let endpoint: EndpointHealth
    /// True if a request for a media playlist waits for the next segment, for players that do not ask to wait.
    let holdsNext: Bool
    let policy: CachePolicy
    let filtered = FilteredPlaylists()
    /// The media on a disk that was sent a moment ago.
    let recent = RecentAnswers()
    /// True if viewers see nothing before some time has passed.
    let isDelayed: Bool

    init(
        name: String,
        presentation: Presentation,
        endpoint: EndpointHealth,
        holdsNext: Bool = false,
        isDelayed: Bool = false
    ) {
        (self.name, self.presentation, self.endpoint) = (name, presentation, endpoint)
        (self.holdsNext, self.isDelayed) = (holdsNext, isDelayed)
        policy = CachePolicy(presentation.configuration)
    }
}
