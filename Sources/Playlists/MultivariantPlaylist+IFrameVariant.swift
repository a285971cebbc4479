extension MultivariantPlaylist {
    /// The pictures of a variant that need no other: EXT-X-I-FRAME-STREAM-INF.
    package struct IFrameVariant: Hashable, Sendable {
        package var uri: String
        /// Peak bits a second.
        package var bandwidth: Int
        /// Mean bits a second.
        package var averageBandwidth: Int?
        /// RFC 6381 names of its formats.
        package var codecs: [String]
        /// As ``Variant/supplementalCodecs``.
        package var supplementalCodecs: [String]
        package var resolution: Resolution?
        package var videoRange: VideoRange?
        /// As ``Variant/stableID``.
        package var stableID: String?

        package init(
            uri: String,
            bandwidth: Int,
            averageBandwidth: Int? = nil,
            codecs: [String],
            supplementalCodecs: [String] = [],
            resolution: Resolution? = nil,
            videoRange: VideoRange? = nil,
            stableID: String? = nil
        ) {
            self.uri = uri
            self.bandwidth = bandwidth
            self.averageBandwidth = averageBandwidth
            self.codecs = codecs
            self.supplementalCodecs = supplementalCodecs
            self.resolution = resolution
            self.videoRange = videoRange
            self.stableID = stableID
        }
    }
}
