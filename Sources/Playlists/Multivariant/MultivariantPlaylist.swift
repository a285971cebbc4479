package import MediaCore

/// A multivariant playlist as a value: everything that a channel offers (RFC 8216bis § 4.4.6).
package struct MultivariantPlaylist: Hashable, Sendable {
    package var variants: [Variant]
    /// I-frame playlists for trick play: EXT-X-I-FRAME-STREAM-INF, whose attributes are those of a variant without
    /// frame rate, audio and captions (RFC 8216bis § 4.4.6.3).
    package var iFrameVariants: [Variant]
    package var renditions: [Rendition]
    package var subtitles: [Subtitles]
    /// All media playlists that it names, each once, in their order.
    package var uris: [String] {
        let all = (variants + iFrameVariants).map(\.uri) + renditions.compactMap(\.uri) + subtitles.map(\.uri)
        var seen: Set<String> = []
        return all.filter { seen.insert($0).inserted }
    }
    /// The closed captions inside the video of the variants.
    package var closedCaptions: [ClosedCaptions]
    /// Keys that a player may fetch before it opens a media playlist.
    package var sessionKeys: [EncryptionKey]
    package var variables: [PlaylistVariable]
    /// Facts about the whole channel.
    package var sessionData: [SessionDatum] = []
    /// The place where players begin; nil for one of their choice.
    package var start: Start?
    /// The server that tells players which pathway to use; nil if none does.
    package var steering: Steering?
    /// True if every segment of every rendition can be decoded without the one before.
    var hasIndependentSegments: Bool

    package init(
        variants: [Variant],
        iFrameVariants: [Variant] = [],
        renditions: [Rendition] = [],
        subtitles: [Subtitles] = [],
        closedCaptions: [ClosedCaptions] = [],
        sessionKeys: [EncryptionKey] = [],
        variables: [PlaylistVariable] = [],
        hasIndependentSegments: Bool = true
    ) {
        self.variants = variants
        self.iFrameVariants = iFrameVariants
        self.renditions = renditions
        self.subtitles = subtitles
        self.closedCaptions = closedCaptions
        self.sessionKeys = sessionKeys
        self.variables = variables
        self.hasIndependentSegments = hasIndependentSegments
    }

    /// The lowest protocol version whose features cover this playlist (RFC 8216bis § 8).
    ///
    /// Keys need the version that they need in a media playlist: EXT-X-SESSION-KEY has the attributes of EXT-X-KEY (§
    /// 4.4.6.5).
    var version: Int {
        let hasServices = closedCaptions.contains { $0.instreamID.hasPrefix("SERVICE") }
        let versions = [hasServices ? 7 : 1] + variables.map(\.version) + sessionKeys.map(\.version)
        return versions.max() ?? 1
    }
}
