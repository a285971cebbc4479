extension ChannelStatus {
    /// The source that fills the slots of one rendition.
    package struct Rendition: Hashable, Codable, Sendable {
        package var id: String
        /// Width and height of video in pixels: `1920x1080`.
        package var resolution: String?
        /// The RFC 6381 names of the formats in its segments.
        package var codecs: [String]?
        /// The name of an input, `slate`, `hold`, or `none` in a gap.
        package var source: String
        /// The newest listed slot; nil if there is none.
        var newest: Slot?
        /// The number of listed segments with media.
        package var segments: Int
        /// The number of listed gaps.
        package var gaps: Int
        /// The peak bit rate of the newest segments.
        package var peak: Int?
        /// The mean bit rate of the newest segments.
        package var average: Int?

        /// The content of a slot.
        package enum Slot: String, Hashable, Codable, Sendable {
            /// Media of an input.
            case media
            case gap, slate, hold
        }

        package init(
            id: String,
            resolution: String? = nil,
            codecs: [String]? = nil,
            source: String,
            newest: Slot?,
            segments: Int,
            gaps: Int,
            peak: Int? = nil,
            average: Int? = nil
        ) {
            self.id = id
            self.resolution = resolution
            self.codecs = codecs
            self.source = source
            self.newest = newest
            self.segments = segments
            self.gaps = gaps
            self.peak = peak
            self.average = average
        }
    }
}
