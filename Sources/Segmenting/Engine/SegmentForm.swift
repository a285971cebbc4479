package import MediaCore

/// What the segments of a rendition are made of, for as long as it is published.
package struct SegmentForm: Hashable, Sendable {
    package var kind: MediaKind
    package var format: SegmentFormat
    /// The container of the channel's video and audio.
    package var container: StreamFormat
    /// BCP 47; of the track that has the rendition to itself, or leads.
    package var language: String?
    /// Whether audio is carried with its pictures.
    package var carriesAudio: Bool
    /// BCP 47; of that audio.
    package var audioLanguage: String?

    package init(
        kind: MediaKind,
        format: SegmentFormat,
        container: StreamFormat = .fmp4,
        language: String? = nil,
        carriesAudio: Bool = false,
        audioLanguage: String? = nil
    ) {
        self.kind = kind
        self.format = format
        self.container = container
        self.language = language
        self.carriesAudio = carriesAudio
        self.audioLanguage = audioLanguage
    }
}
