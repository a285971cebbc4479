import Foundation
import MediaCore
import Playlists
import TestSupport

/// A player of one rendition in low-latency mode: it asks for each part before that is there, as RFC 8216bis § 6.2.5.2
/// and § 6.3.7 have it.
struct PartReader {
    let packager: PackagerProcess
    let rendition: String
    /// The URL of the channel, with a slash at its end.
    private var channel: String
    /// The playlist as it came last.
    private(set) var playlist: MediaPlaylist
    /// The parts that were fetched, each with its place.
    private(set) var parts: [PartPlace: Fetched] = [:]
    /// The answers that were there before their part was listed.
    private(set) var earlyAnswers: [PartPlace] = []
    /// The parts that were listed otherwise than before.
    private(set) var changes: [PartPlace] = []

    struct Fetched {
        var line: MediaPlaylist.Part
        /// The bytes; nil for a gap.
        var media: Data?
    }

    init(_ packager: PackagerProcess, _ rendition: String) async throws {
        (self.packager, self.rendition, channel) = (packager, rendition, packager.url(""))
        playlist = try await packager.mediaPlaylist(rendition, "a part of \(rendition)") { playlist in
            playlist.segments.contains { !$0.parts.isEmpty } || !playlist.openSegments.isEmpty
        }
    }

    /// The place of the part that follows all that are listed.
    var next: PartPlace { playlist.nextPart }

    /// Asks another server from now on, such as a cache.
    mutating func move(to origin: String) { channel = "\(origin)/live/" }

    /// Waits for the next part, by a playlist request that the origin holds back, and fetches all parts that are new.
    mutating func follow() async throws {
        let wanted = next
        let url = "\(channel)\(rendition).m3u8?_HLS_msn=\(wanted.segment)&_HLS_part=\(wanted.part)"
        playlist = try MediaPlaylist(parsing: String(decoding: try await HTTP.body(url), as: UTF8.self))
        // The part, or a segment that ended before it (§ 6.2.5.2).
        if next <= wanted { earlyAnswers.append(wanted) }
        for (place, line) in playlist.listedParts {
            if let known = parts[place] {
                if known.line != line { changes.append(place) }
                continue
            }
            let media = line.isGap ? nil : try await HTTP.body(channel + line.uri)
            parts[place] = Fetched(line: line, media: media)
        }
    }

    /// Returns a reader that has waited for so many parts more.
    func following(_ count: Int) async throws -> Self {
        var reader = self
        for _ in 0..<count { try await reader.follow() }
        return reader
    }

    /// Returns the fetched parts of a segment in order.
    func parts(of segment: Int64) -> [Fetched] {
        parts.filter { $0.key.segment == segment }.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Returns the number of parts with media that were fetched of segments after one.
    func mediaCount(behind segment: Int64) -> Int {
        parts.filter { $0.key.segment > segment && $0.value.media != nil }.count
    }

    /// Returns the fetched parts of a segment, joined; nil if some of them are missing or gaps.
    func joined(_ segment: Int64, count: Int) -> Data? {
        let media = (0..<count).map { parts[PartPlace(segment: segment, part: $0)]?.media }
        guard count > 0, media.allSatisfy({ $0 != nil }) else { return nil }
        return media.reduce(into: Data()) { $0 += $1 ?? Data() }
    }
}

/// The place of a part: the number of its segment, and its index there.
struct PartPlace: Hashable, Comparable, Sendable {
    var segment: Int64
    var part: Int

    static func < (lhs: Self, rhs: Self) -> Bool { (lhs.segment, lhs.part) < (rhs.segment, rhs.part) }
}

extension MediaPlaylist {
    /// The number of the segment that is not over.
    var openNumber: Int64 { mediaSequence.value + Int64((skip?.segmentCount ?? 0) + segments.count) }

    /// The place of the part that follows all that are listed.
    var nextPart: PartPlace { PartPlace(segment: openNumber, part: openSegments.first?.parts.count ?? 0) }

    /// The parts with their places, in order.
    var listedParts: [(place: PartPlace, line: Part)] {
        let first = openNumber - Int64(segments.count)
        let all = segments.map(\.parts) + openSegments.map(\.parts)
        return all.enumerated().flatMap { offset, parts in
            parts.enumerated().map { (place: PartPlace(segment: first + Int64(offset), part: $0), line: $1) }
        }
    }
}
