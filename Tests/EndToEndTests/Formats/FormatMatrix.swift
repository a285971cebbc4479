import TestSupport
import Testing

/// Which codec goes into which container with which encryption; README.md shows it, and each cell is a test.
enum FormatMatrix {
    /// A line of the table.
    struct Codec: Sendable {
        var name: String
        var feed: FeedRecipe
        /// The tracks that are looked at.
        var kind: Kind
        var formats: Set<SegmentFormat>

        enum Kind: String, Sendable {
            case video
            case audio

            /// FFmpeg's for a kind of stream.
            var letter: String { self == .video ? "v" : "a" }
        }

        init(_ name: String, _ kind: Kind, _ feed: FeedRecipe, in formats: [SegmentFormat]) {
            self.name = name
            self.kind = kind
            self.feed = feed
            self.formats = Set(formats)
        }
    }

    /// A cell of the table.
    struct Cell: Sendable, CustomTestStringConvertible {
        var codec: Codec
        var format: SegmentFormat

        var testDescription: String { "\(codec.name) in \(format.testDescription)" }
    }

    static let codecs = [
        Codec("H.264", .video, .avc, in: formats),
        Codec("AAC", .audio, .avc, in: formats),
        Codec("AAC 5.1", .audio, .aac51, in: formats),
    ]

    /// The columns.
    static let formats = [
        SegmentFormat(.fragmentedMP4, .none), SegmentFormat(.fragmentedMP4, .aes128),
        SegmentFormat(.fragmentedMP4, .sampleAES),
    ]

    static let cells = codecs.flatMap { codec in formats.map { Cell(codec: codec, format: $0) } }
    static let packaged = cells.filter { $0.codec.formats.contains($0.format) }
    static let refused = cells.filter { !$0.codec.formats.contains($0.format) }

    /// The table in Markdown.
    static var table: String {
        let titles = formats.map { "`\($0.container.rawValue)` `\($0.encryption.rawValue)`" }
        let lines = codecs.map { codec in
            row([codec.name] + formats.map { codec.formats.contains($0) ? "yes" : "–" })
        }
        return ([row([""] + titles), row(titles.map { _ in "---" } + ["---"])] + lines).joined(separator: "\n")
    }

    private static func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |" }
}
