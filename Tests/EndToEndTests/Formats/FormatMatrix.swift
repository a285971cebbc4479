import TestSupport
import Testing

/// The codecs that go into each container with each encryption.
///
/// docs/outputs-and-players.md shows them, and each cell is a test.
enum FormatMatrix {
    /// A line of the table.
    struct Codec: Sendable {
        var name: String
        /// The tracks that are looked at.
        var kind: Kind
        var feeds: [FeedRecipe]
        var formats: [SegmentFormat]
        /// The formats of which an operator is warned.
        var warned: [SegmentFormat]

        enum Kind: String, Sendable {
            case video
            case audio

            /// FFmpeg's for a kind of stream.
            var letter: String { self == .video ? "v" : "a" }
        }

        init(
            _ name: String,
            _ kind: Kind,
            _ feeds: FeedRecipe...,
            in formats: [SegmentFormat],
            warned: [SegmentFormat] = []
        ) {
            self.name = name
            self.kind = kind
            self.feeds = feeds
            self.formats = formats
            self.warned = warned
        }
    }

    /// A cell of the table, with one of the feeds that it is tested with.
    struct Cell: Sendable, CustomTestStringConvertible {
        var codec: Codec
        var feed: FeedRecipe
        var format: SegmentFormat

        /// FFmpeg does not look for the decoder configuration of ALAC in a sample entry that is protected.
        var isReadByFFmpeg: Bool {
            codec.name != "ALAC" || ![.sampleAES, .sampleAESCounterMode].contains(format.encryption)
        }

        var testDescription: String { "\(codec.name) of \(feed) in \(format.testDescription)" }
    }

    static let codecs = [
        Codec("H.264", .video, .avc, in: formats),
        Codec(
            "HEVC",
            .video,
            .hevc,
            .hevcMP4,
            .hdr10,
            .hybridLogGamma,
            in: fragmented + [transportClear, transportSealed],
            warned: [transportClear, transportSealed]
        ),
        Codec("AV1", .video, .av1, .av1Matroska, in: fragmented),
        Codec("AAC", .audio, .avc, .aac51, in: formats),
        Codec("AC-3", .audio, .ac3, .ac351, in: formats),
        Codec("E-AC-3", .audio, .eac3, .eac351, in: formats),
        Codec("MP3", .audio, .mp3, in: fragmented + [transportClear, transportSealed]),
        Codec("Opus", .audio, .opusMatroska, .opus, .opus51, in: fragmented),
        Codec("FLAC", .audio, .flac, .flacMatroska, in: fragmented),
        Codec("ALAC", .audio, .alac, in: fragmented),
    ]

    static let formats = fragmented + transport
    static let fragmented = [
        SegmentFormat(.fragmentedMP4, .none), SegmentFormat(.fragmentedMP4, .aes128),
        SegmentFormat(.fragmentedMP4, .sampleAES), SegmentFormat(.fragmentedMP4, .sampleAESCounterMode),
    ]
    static let transport = [transportClear, transportSealed, SegmentFormat(.transportStream, .sampleAES)]
    private static let transportClear = SegmentFormat(.transportStream, .none)
    private static let transportSealed = SegmentFormat(.transportStream, .aes128)

    static let packaged = codecs.flatMap { codec in
        codec.formats.flatMap { format in
            // Whole segments are encrypted without a look at what is in them: one feed of a codec will do.
            (format.encryption == .aes128 ? codec.feeds.prefix(1) : codec.feeds[...]).map { feed in
                Cell(codec: codec, feed: feed, format: format)
            }
        }
    }

    /// Returns the cells that are tested, some of every codec.
    static func tested(where isMeant: (Cell) -> Bool) -> [Cell] {
        codecs.flatMap { codec in packaged.filter { $0.codec.name == codec.name && isMeant($0) }.oneIn(3) }
    }

    static let warned = codecs.flatMap { codec in
        codec.warned.map { Cell(codec: codec, feed: codec.feeds[0], format: $0) }
    }
    static let refused = codecs.flatMap { codec in
        formats.filter { !codec.formats.contains($0) }.map { Cell(codec: codec, feed: codec.feeds[0], format: $0) }
    }

    /// The table in Markdown: for a codec and an encryption, the containers.
    static var table: String {
        let titles = SegmentFormat.Encryption.allCases.map { "`\($0.rawValue)`" }
        let lines = codecs.map { codec in
            row([codec.name] + SegmentFormat.Encryption.allCases.map { containers(of: codec, $0) })
        }
        return ([row([""] + titles), row(["---"] + titles.map { _ in "---" })] + lines).joined(separator: "\n")
    }

    private static func containers(of codec: Codec, _ encryption: SegmentFormat.Encryption) -> String {
        codec.formats.filter { $0.encryption == encryption }
            .map { $0.container.rawValue + (codec.warned.contains($0) ? "\\*" : "") }
            .joined(separator: ", ")
    }

    private static func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
}
