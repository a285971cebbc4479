import Foundation
import MediaCore
import Playlists

/// The memory of one viewer of a rendition in parts through all lives of its packager, and the contradictions that it
/// has found: what was told is final for the next process as well (RFC 8216bis § 6.2.1).
struct PartMemory: Sendable {
    /// The amounts that were looked at.
    struct Figures: Hashable, Sendable {
        /// Parts that there was media for.
        var media = 0
        /// Parts that were listed as gaps.
        var gaps = 0
        /// The number of times that bytes were compared with those that came under the same name before.
        var comparisons = 0
    }

    /// A part or a segment that a viewer fetches.
    struct Resource: Hashable, Sendable {
        var uri: String
        /// The number of the segment.
        var segment: Int64
        /// The index of the part; nil for all of the segment.
        var part: Int?
    }

    private(set) var figures = Figures()
    private(set) var contradictions: [String] = []
    private var playlist: MediaPlaylist?
    private var lines: [PartPlace: MediaPlaylist.Part] = [:]
    private var media: [PartPlace: Data] = [:]
    private var segments: [Int64: MediaPlaylist.Segment] = [:]
    /// The names that were fetched in this life of the packager.
    private var fetched: Set<String> = []

    /// The newest segments that are compared with their parts.
    private static let comparedSegments = 4

    /// The place of the part to ask for; nil before there was a playlist.
    var next: PartPlace? { playlist?.nextPart }
    /// The newest part that there was media for.
    var newest: PartPlace? { media.keys.max() }
    /// The number of segments that begin with media and end in gaps.
    var brokenSegments: Int {
        Set(lines.filter { $0.value.isGap }.map(\.key.segment))
            .count { lines[PartPlace(segment: $0, part: 0)]?.isGap == false }
    }

    /// Notes that another life of the packager has begun: everything is fetched once more.
    mutating func begin() { fetched = [] }

    /// Takes a version of the playlist.
    ///
    /// - Parameters:
    ///   - text: The playlist.
    ///   - asked: The part that the request waited for; nil if it did not wait.
    mutating func playlistLoaded(_ text: String, asked: PartPlace?) {
        let playlist: MediaPlaylist
        do throws(PlaylistParsingError) {
            playlist = try MediaPlaylist(parsing: text)
        } catch {
            contradictions.append("\(error)\n\(text)")
            return
        }
        if let asked, playlist.nextPart <= asked { contradictions.append("early answer to \(asked)") }
        if let before = self.playlist, playlist.openNumber < before.openNumber {
            contradictions.append("segment \(before.openNumber - 1) is gone")
        }
        self.playlist = playlist
        note(playlist.segments, before: playlist.openNumber)
        // A process that continues lists no parts of segments that were over before.
        let count = playlist.openSegments.first?.parts.count ?? 0
        let told = lines.keys.count { $0.segment == playlist.openNumber }
        if count < told { contradictions.append("\(told - count) parts of segment \(playlist.openNumber) are gone") }
        var lost: Int64?
        for (place, line) in playlist.listedParts {
            if let before = lines.updateValue(line, forKey: place) {
                if before != line { contradictions.append("\(place) was \(before), and is \(line)") }
            } else if line.isGap {
                figures.gaps += 1
            }
            if line.isGap { lost = place.segment }
            if lost == place.segment, !line.isGap { contradictions.append("\(place) has media after a gap") }
        }
    }

    /// Compares whole segments with what was listed before; their keys and maps depend on what is listed above them.
    private mutating func note(_ listed: [MediaPlaylist.Segment], before end: Int64) {
        for (number, segment) in zip(end - Int64(listed.count)..<end, listed) {
            guard let before = segments.updateValue(segment, forKey: number) else { continue }
            let isSame =
                before.uri == segment.uri && before.isGap == segment.isGap && before.duration == segment.duration
            if !isSame { contradictions.append("segment \(number) was \(before), and is \(segment)") }
        }
    }

    /// The listed parts with media, and the newest segments that there are parts of, that have not been fetched in this
    /// life of the packager.
    var due: [Resource] {
        guard let playlist else { return [] }
        let parts = playlist.listedParts.filter { !$0.line.isGap }
            .map { Resource(uri: $0.line.uri, segment: $0.place.segment, part: $0.place.part) }
        let first = playlist.openNumber - Int64(playlist.segments.count)
        let segments = playlist.segments.enumerated().filter { !$0.element.isGap }
            .map { Resource(uri: $0.element.uri, segment: first + Int64($0.offset)) }
            .suffix(Self.comparedSegments)
            .filter { media[PartPlace(segment: $0.segment, part: 0)] != nil }
        return (parts + segments).filter { !fetched.contains($0.uri) }
    }

    /// Takes the bytes of a part, or of a segment, which its parts are the first of.
    mutating func loaded(_ resource: Resource, _ body: Data) {
        fetched.insert(resource.uri)
        guard let part = resource.part else {
            var (told, index) = (Data(), 0)
            while let next = media[PartPlace(segment: resource.segment, part: index)] {
                told += next
                index += 1
            }
            figures.comparisons += 1
            if !body.starts(with: told) { contradictions.append("\(resource.uri) does not begin with its parts") }
            return
        }
        let place = PartPlace(segment: resource.segment, part: part)
        guard let before = media.updateValue(body, forKey: place) else { return figures.media += 1 }
        figures.comparisons += 1
        if before != body { contradictions.append("\(resource.uri) has other bytes than before") }
    }

    /// Notes that a packager that lives did not give out what it has to.
    mutating func missed(_ path: String, _ status: Int, in life: Int) {
        let contradiction = "\(path) in life \(life): status \(status)"
        // A viewer asks again and again.
        if contradictions.last != contradiction { contradictions.append(contradiction) }
    }
}

extension PartMemory.Figures: CustomStringConvertible {
    var description: String { "\(media) parts and \(gaps) gaps, \(comparisons) comparisons of bytes" }
}
