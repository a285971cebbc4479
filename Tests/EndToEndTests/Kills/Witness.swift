import Fetching
import MediaCore
import NIOCore

@testable import Conformance
@testable import Playlists

/// The memory of one client of a channel through all lives of its packager, and the faults that it has found.
struct Witness: Sendable {
    /// The amounts that were looked at.
    struct Figures: Hashable, Sendable {
        /// Versions of media playlists that differ from the one before.
        var playlists = 0
        /// Sequence numbers, of all renditions together, that there was media under.
        var segments = 0
        /// The number of times that bytes were compared with those that came under the same number or URI before.
        var comparisons = 0
        /// Sequence numbers that were listed as gaps.
        var gaps = 0
    }

    /// A listed segment that there is media for.
    struct ListedSegment: Hashable, Sendable {
        var rendition: String
        var number: MediaSequenceNumber
        var segment: MediaPlaylist.Segment

        /// The paths that a player fetches for it, in that order.
        var paths: [String] { segment.keys.map(\.uri) + [segment.map?.uri, segment.uri].compactMap(\.self) }
    }

    private(set) var figures = Figures()
    private(set) var contradictions: [String] = []
    /// The highest number that there was media under.
    private(set) var lastMedia = MediaSequenceNumber(0)
    private var multivariant: MultivariantPlaylist?
    private var texts: [String: String] = [:]
    private var rules: [String: PlaylistRules] = [:]
    private var newest: [String: MediaSequenceNumber] = [:]
    private var ledger = SegmentLedger()
    /// Keys and initialization sections, by URI.
    private var references: [String: ByteBuffer] = [:]
    /// URIs that bytes have come for.
    private var loaded: Set<String> = []

    /// Returns true if a playlist was there before: then it must stay.
    func hasSeen(_ name: String) -> Bool { texts[name] != nil }

    /// - Returns: The URIs of the media playlists.
    mutating func multivariantLoaded(_ text: String) -> [String] {
        texts["index.m3u8"] = text
        do throws(PlaylistParsingError) {
            var playlist = try MultivariantPlaylist(parsing: text)
            // These follow the media that is listed; all else is what a player has decided by. On a busy machine a key
            // frame may be lost on its way, and the segment that should start with it is not independent.
            playlist.sessionKeys = []
            playlist.hasIndependentSegments = true
            for index in playlist.variants.indices {
                playlist.variants[index].bandwidth = 0
                playlist.variants[index].averageBandwidth = nil
            }
            for index in playlist.iFrameVariants.indices {
                playlist.iFrameVariants[index].bandwidth = 0
                playlist.iFrameVariants[index].averageBandwidth = nil
            }
            if let multivariant, multivariant != playlist {
                contradictions.append("the multivariant playlist has become\n\(text)")
            }
            multivariant = playlist
            return playlist.variants.map(\.uri) + playlist.renditions.compactMap(\.uri)
        } catch {
            contradictions.append("multivariant playlist: \(error)")
            return []
        }
    }

    /// - Returns: What it lists, but for gaps.
    mutating func playlistLoaded(_ name: String, _ text: String) -> [ListedSegment] {
        do throws(PlaylistParsingError) {
            let playlist = try MediaPlaylist(parsing: text)
            if texts.updateValue(text, forKey: name) != text {
                figures.playlists += 1
                let violations = rules[name, default: PlaylistRules()].violations(of: playlist)
                contradictions += violations.map { "\(name): \($0)" }
            }
            let listed = playlist.segments.enumerated().map { index, segment in
                ListedSegment(
                    rendition: name,
                    number: playlist.mediaSequence.advanced(by: Int64(index)),
                    segment: segment
                )
            }
            for line in listed where line.number > newest[name] ?? MediaSequenceNumber(0) {
                newest[name] = line.number
                if line.segment.isGap { figures.gaps += 1 }
            }
            return listed.filter { !$0.segment.isGap }
        } catch {
            contradictions.append("\(name): \(error)")
            return []
        }
    }

    /// Takes the bytes of what a player fetches for a segment.
    mutating func resourceLoaded(_ path: String, of line: ListedSegment, _ body: ByteBuffer) {
        let isMedia = path == line.segment.uri
        let isChanged: Bool
        if isMedia {
            lastMedia = max(lastMedia, line.number)
            isChanged = ledger.segmentLoaded(line.rendition, line.number, body)
        } else {
            isChanged = references.updateValue(body, forKey: path).map { $0 != body } ?? false
        }
        if isChanged { contradictions.append("\(path) at \(line.number) has other bytes than before") }
        if !loaded.insert(path).inserted {
            figures.comparisons += 1
        } else if isMedia {
            figures.segments += 1
        }
    }

    /// A packager that lives did not give out what it has to.
    mutating func missed(_ path: String, _ error: FetchError, in life: Int) {
        let contradiction = "\(path) in life \(life): \(error)"
        // A client asks again and again.
        if contradictions.last != contradiction { contradictions.append(contradiction) }
    }
}

extension Witness.Figures: CustomStringConvertible {
    var description: String {
        "\(playlists) versions of playlists, \(segments) segments and \(gaps) gaps, \(comparisons) comparisons of bytes"
    }
}
