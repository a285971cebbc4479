extension FeedReport {
    package struct Track: Hashable, Sendable, Codable {
        /// The index in the container.
        package var index: Int
        /// `video`, `audio` or `text`.
        package var kind: String
        package var program: Int?
        /// FFmpeg's name.
        package var codec: String
        /// The name in CODECS (RFC 6381); nil without readable media.
        package var codecs: String?
        /// The index of the track that audio that is encoded here is made of.
        var transcodedFrom: Int?
        /// BCP 47.
        package var language: String?
        /// The kind of text in the feed.
        package var service: String?
        package var rates: Rates?
        var picture: Picture?
        var sound: Sound?
        /// The name of its rendition; nil if it is left out.
        package var rendition: String?
        /// The reason why it is left out.
        var leftOut: String?

        /// Bits a second.
        package struct Rates: Hashable, Sendable, Codable {
            var mean: Int
            /// The rate of the busiest second.
            package var peak: Int
        }

        struct Sound: Hashable, Sendable, Codable {
            /// Hz.
            var sampleRate: Int
            var channels: Int
            var isDescription: Bool
        }

        struct Picture: Hashable, Sendable, Codable {
            var width: Int
            var height: Int
            /// The frame rate, by timestamps or by the headers.
            var frameRate: Double?
            /// `progressive`, or `interlaced` if its headers allow fields.
            var scan: String
            /// Width to height of a pixel: `1:1`, `16:11`.
            var sampleAspectRatio: String
            /// Bits of a luma sample.
            var bitDepth: Int
            /// The codec's name for its profile: `High`, `Main 10`; nil if it has no name.
            var profile: String?
            /// `3.1`; nil if there is none.
            var level: String?
            var groups: Groups
            /// The most B pictures in a row; 0 for none.
            var bPictures: Int
            /// `CC1` to `CC4`, `SERVICE1` to `SERVICE63`.
            var captions: [String]
            /// The first label.
            var timecode: String?
        }

        /// Groups of pictures, each from a picture that decoding may start at to the next.
        struct Groups: Hashable, Sendable, Codable {
            /// Whole ones that were seen.
            var count: Int
            /// Seconds; nil before the first is whole.
            var shortest: Double?
            var longest: Double?
            var mean: Double?
            /// Pictures in each, where all have as many.
            var pictures: Int?
            var isRegular: Bool
            /// True if a picture of one refers to another one.
            var isOpen: Bool
            /// True if the encoder refreshes pictures bit by bit in place of key frames.
            var refreshesGradually: Bool
        }
    }
}
