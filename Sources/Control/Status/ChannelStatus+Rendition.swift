extension ChannelStatus {
    /// The source that fills the slots of one rendition.
    package struct Rendition: Hashable, Codable, Sendable {
        package var id: String
        /// Width and height in pixels, as in `1920x1080`; of video.
        package var resolution: String?
        /// RFC 6381 names of what its segments carry.
        package var codecs: [String]?
        /// The name of an input, `slate`, `hold`, or `none` in a gap.
        package var source: String
        /// The newest slot that is listed; nil if none is.
        var newest: Slot?
        /// Segments with media that are listed.
        package var segments: Int
        /// Segments without.
        package var gaps: Int
        /// Bits a second of the heaviest of the newest segments with media.
        package var peak: Int?
        /// Bits a second of those together.
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
