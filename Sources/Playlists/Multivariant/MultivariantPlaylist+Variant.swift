package import MediaCore

extension MultivariantPlaylist {
    /// One choice of bit rate: EXT-X-STREAM-INF.
    package struct Variant: Hashable, Sendable {
        package var uri: String
        /// Peak bits a second of the variant with the heaviest rendition of its groups.
        var bandwidth: Int
        /// Mean bits a second, likewise.
        var averageBandwidth: Int?
        /// RFC 6381 names of every format in the variant and its groups.
        package var codecs: [String]
        /// Formats that one of the codecs is a base of, with the brands that say how: `dvh1.08.07/db4h`.
        var supplementalCodecs: [String]
        package var resolution: Resolution?
        /// Frames a second, printed with three decimals.
        var frameRate: Ratio?
        var videoRange: VideoRange?
        /// HDCP-LEVEL that a screen must support; nil for any screen.
        var hdcpLevel: HDCPLevel?
        /// The content protection that a player must have, by KEYFORMAT: ALLOWED-CPC as it is; nil for anything.
        var allowedCPC: String?
        /// ``Rendition/groupID`` of its audio.
        package var audioGroup: String?
        /// ``Subtitles/groupID`` of its subtitles.
        package var subtitlesGroup: String?
        /// ``ClosedCaptions/groupID`` of the captions in its video; nil if there are none.
        var closedCaptionsGroup: String?
        /// The same for the channel's life and in every place that it is offered.
        var stableID: String?
        /// The pathway that it belongs to, for content steering; nil for the default one.
        package var pathwayID: String?

        package init(
            uri: String,
            bandwidth: Int,
            averageBandwidth: Int? = nil,
            codecs: [String],
            supplementalCodecs: [String] = [],
            resolution: Resolution? = nil,
            frameRate: Ratio? = nil,
            videoRange: VideoRange? = nil,
            hdcpLevel: HDCPLevel? = nil,
            allowedCPC: String? = nil,
            audioGroup: String? = nil,
            subtitlesGroup: String? = nil,
            closedCaptionsGroup: String? = nil,
            stableID: String? = nil
        ) {
            self.uri = uri
            self.bandwidth = bandwidth
            self.averageBandwidth = averageBandwidth
            self.codecs = codecs
            self.supplementalCodecs = supplementalCodecs
            self.resolution = resolution
            self.frameRate = frameRate
            self.videoRange = videoRange
            self.hdcpLevel = hdcpLevel
            self.allowedCPC = allowedCPC
            self.audioGroup = audioGroup
            self.subtitlesGroup = subtitlesGroup
            self.closedCaptionsGroup = closedCaptionsGroup
            self.stableID = stableID
        }
    }
}
