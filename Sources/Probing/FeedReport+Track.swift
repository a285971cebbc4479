extension FeedReport {
    package struct Track: Hashable, Sendable, Codable {
        /// Its place in the container.
        package var index: Int
        /// `video`, `audio` or `text`.
        package var kind: String
        package var program: Int?
        /// FFmpeg's name.
        package var codec: String
        /// As CODECS calls it (RFC 6381); nil where it had no media that could be read.
        package var codecs: String?
        /// Of audio that is encoded here, the track that it is made of.
        var transcodedFrom: Int?
        /// BCP 47.
        package var language: String?
        /// Of text, what the feed has it as.
        package var service: String?
        package var rates: Rates?
        var picture: Picture?
        var sound: Sound?
        /// What it would be called; nil where it is left out.
        package var rendition: String?
        /// Why it is left out.
        var leftOut: String?

        /// Bits a second.
        package struct Rates: Hashable, Sendable, Codable {
            var mean: Int
            /// Of the busiest second.
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
            /// Pictures a second: by timestamps, or what the headers say.
            var frameRate: Double?
            /// `progressive`, or `interlaced` where its headers allow fields.
            var scan: String
            /// Width to height of a pixel: `1:1`, `16:11`.
            var sampleAspectRatio: String
            /// Bits of a luma sample.
            var bitDepth: Int
            /// As its codec calls it: `High`, `Main 10`; nil where it has no name.
            var profile: String?
            /// `3.1`; nil where there is none.
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
            /// Whether a picture of one refers to another one.
            var isOpen: Bool
            /// Whether the encoder refreshes pictures bit by bit in place of key frames.
            var refreshesGradually: Bool
        }
    }
}
