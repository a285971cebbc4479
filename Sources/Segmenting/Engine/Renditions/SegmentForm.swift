package import MediaCore

/// The make-up of a rendition's segments, for as long as it is published.
package struct SegmentForm: Hashable, Sendable {
    package var kind: MediaKind
    package var format: SegmentFormat
    /// The container of the channel's video and audio.
    package var container: StreamFormat
    /// The BCP 47 tag of the track that has the rendition to itself, or leads.
    package var language: String?
    /// True if audio is carried with its pictures.
    package var carriesAudio: Bool
    /// The BCP 47 tag of that audio.
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
