import Foundation
import MediaCore
import Operations

/// Chapters as players read them: the JSON that `com.apple.hls.chapters` names (Apple, "Providing JSON chapters").
struct ChapterDocument: Encodable {
    /// The DATA-ID of EXT-X-SESSION-DATA.
    static let sessionDataID = "com.apple.hls.chapters"
    static let file = "chapters.json"

    struct Chapter: Encodable {
        var chapter: Int
        var start: Double
        var duration: Double
        var titles: [Title]

        enum CodingKeys: String, CodingKey {
            case chapter, duration, titles
            case start = "start-time"
        }
    }

    struct Title: Encodable {
        var language: String
        var title: String
    }

    private let chapters: [Chapter]

    /// - Parameters:
    ///   - chapters: Chapters and their places in the asset, in order.
    ///   - duration: The length of the asset.
    init(_ chapters: [(place: MediaTime, chapter: AssetChapter)], duration: MediaTime) {
        let places = chapters.map(\.place)
        self.chapters = chapters.enumerated().compactMap { index, entry in
            let end = index + 1 < places.count ? places[index + 1] : duration
            // A chapter within a cut has no time of its own.
            guard end > entry.place else { return nil }
            return Chapter(
                chapter: index + 1,
                start: entry.place.roundedSeconds,
                duration: (end - entry.place).roundedSeconds,
                titles: [
                    Title(
                        language: entry.chapter.language ?? "und",
                        title: entry.chapter.title ?? "\(index + 1)"
                    )
                ]
            )
        }
    }

    func encode(to encoder: any Encoder) throws { try chapters.encode(to: encoder) }

    var isEmpty: Bool { chapters.isEmpty }

    var text: String {
        (try? JSONEncoder.readable.encode(self)).map { String(decoding: $0, as: UTF8.self) + "\n" } ?? "[]\n"
    }
}

extension MediaTime {
    /// Seconds with three decimals.
    fileprivate var roundedSeconds: Double { Double(milliseconds) / 1000 }
}
