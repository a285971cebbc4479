import ContentProtection
import MediaCore
import Playlists

extension ChannelEngine {
    /// A track of the channel, and what viewers get of it.
    struct Rendition: Sendable {
        var plan: RenditionPlan
        /// What it is called; nil for a track that has had no media, and for audio that a video carries.
        var id: RenditionID?
        /// What an earlier run has said of it, until it has media again.
        var restored: RestoredRendition?
        /// Whether it has left the playlists, and no track has claimed it since.
        var hasLeft = false
        /// Whose key protects its newest media; nil while that is not known.
        var keyClass: KeyClass?
        /// What has filled its newest slot.
        var onAir = OnAir.nothing
        /// Since which slot no input has had media for it; nil while one has.
        var lostSince: MediaSequenceNumber?
        /// The input that an operator has chosen and that is not on air yet.
        var chosen: InputID?
        /// Whether its audio is in the CODECS of the video that carries it.
        var isDeclaredAudio = false
        /// What it was to tell in segments that were gaps.
        var postponed = Postponed()
    }
}
