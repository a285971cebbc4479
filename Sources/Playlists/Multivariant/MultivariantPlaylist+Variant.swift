package import MediaCore

extension MultivariantPlaylist {
    /// One choice of bit rate: EXT-X-STREAM-INF.
    package struct Variant: Hashable, Sendable {
        package var uri: String
        /// The peak bit rate of the variant with the heaviest rendition of its groups.
        var bandwidth: Int
        /// The mean bit rate, likewise.
        var averageBandwidth: Int?
        /// The RFC 6381 names of all formats in the variant and its groups.
        package var codecs: [String]
        /// The formats that extend one of the codecs, with their brands: `dvh1.08.07/db4h`.
        var supplementalCodecs: [String]
        package var resolution: Resolution?
        /// Frames a second, printed with three decimals.
        var frameRate: Ratio?
        var videoRange: VideoRange?
        /// The HDCP-LEVEL that a screen must support; nil for any screen.
        var hdcpLevel: HDCPLevel?
        /// The content protection that a player must have, by KEYFORMAT, in the form of ALLOWED-CPC; nil for any.
        var allowedCPC: String?
        /// ``Rendition/groupID`` of its audio.
        package var audioGroup: String?
        /// ``Subtitles/groupID`` of its subtitles.
        package var subtitlesGroup: String?
        /// ``ClosedCaptions/groupID`` of the captions in its video; nil if there are none.
        var closedCaptionsGroup: String?
        /// The ID, which stays the same for the channel's life and at every origin.
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
