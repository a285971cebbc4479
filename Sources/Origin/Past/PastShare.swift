import HTTPServing

/// The share of the machine for the past: playlists and media of recordings, and finished recordings.
///
/// Live viewers always have the rest.
package struct PastShare: Sendable {
    /// The threads that read recordings and make texts of them.
    var readers = Readers.past
    /// The memory of long playlists.
    var texts = LongAnswers.shared
    /// The compressed playlists of finished recordings.
    var playlists = CompressedPlaylists()

    package init() {}
}
