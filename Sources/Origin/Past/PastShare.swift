import HTTPServing

/// The share of a machine that the past has: playlists and media of recordings, and finished recordings.
///
/// However many ask for the past, live viewers have the rest.
package struct PastShare: Sendable {
    /// The threads that read recordings and make texts of them.
    var readers = Readers.past
    /// The memory of long playlists.
    var texts = LongAnswers.shared
    /// The compressed playlists of finished recordings.
    var playlists = CompressedPlaylists()

    package init() {}
}
