import MediaCore
import Playlists

/// Decides which segments of an asset have thumbnails, and lists the thumbnails for players.
struct ThumbnailPlan: Sendable {
    /// The segments whose first pictures are shown.
    private(set) var thumbnails: [Thumbnail] = []
    private let interval: MediaTime

    struct Thumbnail: Hashable, Sendable {
        var segment: MediaPlaylist.Segment
        /// The time from the asset's start.
        var place: MediaTime
    }

    static let file = "thumbnails.vtt"
    static let poster = "poster.jpg"
    /// The directory of the pictures.
    static let folder = "thumbnails"

    /// Thumbnails are this far apart, or farther.
    private static let shortest = MediaTime(seconds: 10)
    private static let most: Int64 = 300

    /// - Parameter length: The length that the asset will have, or more.
    init(length: MediaTime) {
        interval = max(Self.shortest, MediaTime(ticks: length.ticks / Self.most))
    }

    /// Takes a segment, if its time has come, and its picture is in the clear in fragmented MP4.
    ///
    /// - Parameters:
    ///   - segment: A segment of video, as the channel listed it.
    ///   - place: The time from the asset's start.
    mutating func offer(_ segment: MediaPlaylist.Segment, at place: MediaTime) {
        guard !segment.isGap, segment.keys.isEmpty, segment.map?.keys.isEmpty == true,
            SegmentFormat(path: segment.uri) == .fragmentedMP4
        else { return }
        if let last = thumbnails.last, place < last.place + interval { return }
        thumbnails.append(Thumbnail(segment: segment, place: place))
    }

    /// The name of a picture's file.
    static func file(_ index: Int) -> String { "\(folder)/\(index).jpg" }

    /// Writes the cues: each names the picture for its time (W3C WebVTT § 4, as players read metadata of thumbnails).
    ///
    /// - Parameters:
    ///   - made: Indices of the pictures that are there, in order.
    ///   - duration: The length of the asset.
    /// - Returns: WebVTT.
    func text(made: [Int], duration: MediaTime) -> String {
        var text = "WEBVTT\n"
        for (index, next) in zip(made, made.dropFirst().map { thumbnails[$0].place } + [duration])
        where next > thumbnails[index].place {
            text += "\n\(Self.time(thumbnails[index].place)) --> \(Self.time(next))\n\(Self.file(index))\n"
        }
        return text
    }

    private static func time(_ time: MediaTime) -> String {
        var text = ""
        text.append(hoursOf: time.milliseconds)
        return text
    }
}
