import MediaCore
import NIOCore
import Playlists

/// Decides whether two origins publish one stream: equal lines for every slot that both list, equal bytes behind them.
///
/// It takes the answers of both, in any order, and names the resources to load from both.
struct PairComparison: Sendable {
    /// A resource that both should have equal.
    struct Resource: Hashable, Sendable {
        /// The media playlist that names it.
        var rendition: String
        /// The number of the segment, or of the first segment that needs the initialization section.
        var number: MediaSequenceNumber
        var isInitialization: Bool
        /// References in the media playlists of each.
        var first: String
        var second: String
    }

    private struct Line: Hashable {
        var segment: MediaPlaylist.Segment
        var discontinuitySequence: Int
    }

    private enum Slot: Hashable {
        case listed(PairSide, Line)
        case compared
    }

    private struct Rendition {
        /// A version of each playlist without its segments.
        var frames: [PairSide: MediaPlaylist] = [:]
        var slots: [MediaSequenceNumber: Slot] = [:]
        /// References to initialization sections, of both.
        var initializationSections: Set<[String]> = []
    }

    private var renditions: [String: Rendition] = [:]
    /// The segments whose bytes were requested: I-frame playlists name byte ranges of them.
    private var askedFor: Set<[String]> = []
    private var counts = PairResult()

    init() {}

    /// Everything up to now.
    var result: PairResult {
        var result = counts
        for slot in renditions.values.lazy.flatMap(\.slots.values) {
            switch slot {
            case .listed(.first, _): result.slotsOnlyInFirst += 1
            case .listed(.second, _): result.slotsOnlyInSecond += 1
            case .compared: break
            }
        }
        return result
    }

    /// Takes the texts of both multivariant playlists.
    ///
    /// - Returns: The media playlists that both name, in order.
    mutating func multivariantLoaded(_ first: String, _ second: String) -> [String] {
        let lines = (Self.lines(of: first), Self.lines(of: second))
        if lines.0 != lines.1 {
            let index = zip(lines.0, lines.1).prefix { $0 == $1 }.count
            found(
                .text(line: index + 1, first: lines.0.dropFirst(index).first, second: lines.1.dropFirst(index).first)
            )
        }
        let names = (mediaPlaylists(of: first, .first), mediaPlaylists(of: second, .second))
        let common = names.0.filter { names.1.contains($0) }
        for name in common { renditions[name] = Rendition() }
        counts.renditions = renditions.count
        return common
    }

    private static func lines(of text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    private mutating func mediaPlaylists(of text: String, _ side: PairSide) -> [String] {
        do {
            return try MultivariantPlaylist(parsing: text).uris
        } catch {
            found(.malformed(side, reason: "\(error)"))
            return []
        }
    }

    /// Takes a version of a media playlist from one side.
    ///
    /// - Returns: The resources that can now be compared, and are to be loaded from both.
    mutating func playlistLoaded(_ name: String, _ side: PairSide, _ text: String) -> [Resource] {
        let playlist: MediaPlaylist
        do {
            playlist = try MediaPlaylist(parsing: text)
        } catch {
            found(.malformed(side, reason: "\(error)"), in: name)
            return []
        }
        compareFrame(of: name, side, playlist)
        var resources: [Resource] = []
        var discontinuitySequence = playlist.discontinuitySequence
        for (number, segment) in playlist.numbered {
            if segment.startsDiscontinuity { discontinuitySequence += 1 }
            let line = Line(segment: segment, discontinuitySequence: discontinuitySequence)
            switch renditions[name]?.slots[number] {
            case nil: renditions[name]?.slots[number] = .listed(side, line)
            case .compared, .listed(side, _): break
            case .listed(_, let other):
                renditions[name]?.slots[number] = .compared
                let (first, second) = side == .first ? (line, other) : (other, line)
                resources += compare(name, number, first, second)
            }
        }
        return resources
    }

    /// Compares the constant parts once; hints and reports change with each version.
    private mutating func compareFrame(of name: String, _ side: PairSide, _ playlist: MediaPlaylist) {
        var frame = MediaPlaylist(targetDuration: playlist.targetDuration, mediaSequence: MediaSequenceNumber(0))
        (frame.partTarget, frame.serverControl) = (playlist.partTarget, playlist.serverControl)
        guard renditions[name]?.frames.updateValue(frame, forKey: side) == nil,
            let both = renditions[name]?.frames, let first = both[.first], let second = both[.second]
        else { return }
        for difference in first.frameDifferences(from: second) { found(.line(difference), in: name) }
    }

    private mutating func compare(
        _ name: String,
        _ number: MediaSequenceNumber,
        _ first: Line,
        _ second: Line
    ) -> [Resource] {
        counts.slots += 1
        for difference in first.segment.differences(from: second.segment) {
            found(.line(difference), in: name, at: number)
        }
        if first.discontinuitySequence != second.discontinuitySequence {
            let difference = LineDifference(
                .discontinuitySequence,
                "\(first.discontinuitySequence)",
                "\(second.discontinuitySequence)"
            )
            found(.line(difference), in: name, at: number)
        }
        if first.segment.isGap, second.segment.isGap { counts.gaps += 1 }
        // A gap has no bytes to compare.
        if first.segment.isGap || second.segment.isGap { return [] }
        var resources: [Resource] = []
        func add(_ first: String, _ second: String, isInitialization: Bool) {
            resources.append(
                Resource(
                    rendition: name,
                    number: number,
                    isInitialization: isInitialization,
                    first: first,
                    second: second
                )
            )
        }
        if let one = first.segment.map?.uri, let other = second.segment.map?.uri,
            renditions[name]?.initializationSections.insert([one, other]).inserted ?? false
        {
            add(one, other, isInitialization: true)
        }
        if askedFor.insert([first.segment.uri, second.segment.uri]).inserted {
            add(first.segment.uri, second.segment.uri, isInitialization: false)
        }
        return resources
    }

    /// Takes the bytes that both sent.
    mutating func resourceLoaded(_ resource: Resource, _ first: ByteBuffer, _ second: ByteBuffer) {
        if resource.isInitialization { counts.initializationSections += 1 } else { counts.segments += 1 }
        counts.bytes += min(first.readableBytes, second.readableBytes)
        guard let difference = ByteDifference(first, second) else { return }
        found(.bytes(uri: resource.first, difference), in: resource.rendition, at: resource.number)
    }

    /// Notes a failed request: the slot has left the window, or an origin is down.
    mutating func requestFailed() {
        counts.unavailable += 1
    }

    private mutating func found(
        _ what: PairDifference.What,
        in rendition: String? = nil,
        at number: MediaSequenceNumber? = nil
    ) {
        counts.differences.append(PairDifference(rendition: rendition, number: number?.value, what: what))
    }
}
