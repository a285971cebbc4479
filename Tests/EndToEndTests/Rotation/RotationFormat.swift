import TestSupport
import Testing

/// The format of segments of many keys.
enum RotationFormat: String, CaseIterable, CustomTestStringConvertible {
    /// fMP4 by `cbcs`; pictures and audio apart.
    case fragments
    /// Samples of transport streams; pictures and audio in one segment.
    case muxed
    /// Whole transport streams, and packed audio beside them.
    case packed

    var testDescription: String { rawValue }

    var flags: [String: String] {
        switch self {
        case .fragments: ["--format": "fmp4", "--encryption": "sample-aes"]
        case .muxed: ["--format": "ts", "--encryption": "sample-aes"]
        case .packed: ["--format": "ts", "--encryption": "aes-128"]
        }
    }

    /// The part of the sample that is sent: audio is packed where there is more than one language.
    var feed: PairFixture.Feed { self == .packed ? .twoLanguages : .oneLanguage }
}

extension PairFixture.Feed {
    static let oneLanguage = PairFixture.Feed(file: Repository.smallFeed, options: ["-map", "-0:a:1"])
    static let twoLanguages = PairFixture.Feed(file: Repository.smallFeed)
}
