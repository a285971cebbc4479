import HTTPServing
package import Presentation

/// The part of a channel for answers with media.
///
/// It is an object, because nearly all requests need it.
package final class ChannelMedia: Sendable {
    /// The first component of all paths of the channel.
    package let name: String
    package let presentation: Presentation
    /// Decides if the playlists may be served.
    package let endpoint: EndpointHealth
    /// True if a request for a media playlist without directives waits for the next segment.
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
        isDelayed: Bool = false,
        isPaired: Bool = false
    ) {
        (self.name, self.presentation, self.endpoint) = (name, presentation, endpoint)
        (self.holdsNext, self.isDelayed) = (holdsNext, isDelayed)
        policy = CachePolicy(presentation.configuration, isPaired: isPaired)
    }
}
