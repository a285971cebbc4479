import Foundation
import MediaCore
import Playlists
import TestSupport

/// A player of one rendition in low-latency mode: it asks for each part before that is there, as RFC 8216bis § 6.2.5.2
/// and § 6.3.7 have it.
struct PartReader {
    let packager: PackagerProcess
    let rendition: String
    /// The playlist as it came last.
    private(set) var playlist: MediaPlaylist
    /// The parts that were fetched, each with its place.
    private(set) var parts: [Place: Fetched] = [:]
    /// The answers that were there before their part was listed.
    private(set) var earlyAnswers: [Place] = []

    struct Place: Hashable, Comparable {
        var segment: Int64
        var part: Int

        static func < (lhs: Self, rhs: Self) -> Bool { (lhs.segment, lhs.part) < (rhs.segment, rhs.part) }
    }

    struct Fetched {
        var line: MediaPlaylist.Part
        /// The bytes; nil for a gap.
        var media: Data?
    }

    init(_ packager: PackagerProcess, _ rendition: String) async throws {
        (self.packager, self.rendition) = (packager, rendition)
        playlist = try await packager.mediaPlaylist(rendition, "a part of \(rendition)") { playlist in
            playlist.segments.contains { !$0.parts.isEmpty } || !playlist.openSegments.isEmpty
        }
    }

    /// The number of the segment that is not over.
    private var openNumber: Int64 {
        playlist.mediaSequence.value + Int64((playlist.skip?.segmentCount ?? 0) + playlist.segments.count)
    }

    /// The place of the part that follows all that are listed.
    var next: Place { Place(segment: openNumber, part: playlist.openSegments.first?.parts.count ?? 0) }

    /// Waits for the next part, by a playlist request that the origin holds back, and fetches all parts that are new.
    mutating func follow() async throws {
        let wanted = next
        let path = "\(rendition).m3u8?_HLS_msn=\(wanted.segment)&_HLS_part=\(wanted.part)"
        playlist = try MediaPlaylist(parsing: try await packager.text(path))
        // The part, or a segment that ended before it (§ 6.2.5.2).
        if next <= wanted { earlyAnswers.append(wanted) }
        for (place, line) in listedParts where parts[place] == nil {
            let media = line.isGap ? nil : try await HTTP.body(packager.url(line.uri))
            parts[place] = Fetched(line: line, media: media)
        }
    }

    private var listedParts: [(Place, MediaPlaylist.Part)] {
        let first = openNumber - Int64(playlist.segments.count)
        let whole = playlist.segments.enumerated().flatMap { offset, segment in
            segment.parts.enumerated().map { (Place(segment: first + Int64(offset), part: $0), $1) }
        }
        let open = playlist.openSegments.enumerated().flatMap { offset, segment in
            segment.parts.enumerated().map { (Place(segment: openNumber + Int64(offset), part: $0), $1) }
        }
        return whole + open
    }

    /// Returns the fetched parts of a segment, joined; nil if some of them are missing or gaps.
    func joined(_ segment: Int64, count: Int) -> Data? {
        let media = (0..<count).map { parts[Place(segment: segment, part: $0)]?.media }
        guard count > 0, media.allSatisfy({ $0 != nil }) else { return nil }
        return media.reduce(into: Data()) { $0 += $1 ?? Data() }
    }
}
