package import MediaCore

extension MultivariantPlaylist {
    /// One choice of bit rate: EXT-X-STREAM-INF.
    package struct Variant: Hashable, Sendable {
        package var uri: String
        /// Peak bits a second of the variant with the heaviest rendition of its groups.
        package var bandwidth: Int
        /// Mean bits a second, likewise.
        package var averageBandwidth: Int?
        /// RFC 6381 names of every format in the variant and its groups.
        package var codecs: [String]
        package var resolution: Resolution?
        /// Frames a second, printed with three decimals.
        package var frameRate: Ratio?
        /// ``Rendition/groupID`` of its audio.
        package var audioGroup: String?

        package init(
            uri: String,
            bandwidth: Int,
            averageBandwidth: Int? = nil,
            codecs: [String],
            resolution: Resolution? = nil,
            frameRate: Ratio? = nil,
            audioGroup: String? = nil
        ) {
            self.uri = uri
            self.bandwidth = bandwidth
            self.averageBandwidth = averageBandwidth
            self.codecs = codecs
            self.resolution = resolution
            self.frameRate = frameRate
            self.audioGroup = audioGroup
        }
    }
}
