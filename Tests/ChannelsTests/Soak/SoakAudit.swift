import ISOBMFF
import MediaCore
import NIOCore
import Operations
import Playlists
import Presentation
import Testing
import Timeline

@testable import Channels
@testable import Inspection
@testable import Segmenting

/// Fetches everything that a channel publishes, as a player would, and holds it against the rules and against what the
/// encoders sent.
struct SoakAudit {
    private let presentation: Presentation
    private let changes: ChangeLog
    private let grid: SegmentGrid
    private let isOnCommonClock: Bool
    /// The newest faults, UTC.
    private var faults: [Range<MediaTime>] = []
    private var playlists: [String: MediaPlaylist] = [:]
    /// The end of a rendition's newest segment, in units of its timescale; nil for a gap.
    private var ends: [String: Int64] = [:]
    /// The paths that there are.
    private var paths: Set<String> = []

    private(set) var slots = 0
    private(set) var segments = 0
    private(set) var gaps = 0
    private(set) var discontinuities = 0
    /// Segments far from any fault.
    private(set) var undisturbed = 0
    private(set) var samples = 0
    private(set) var mostPaths = 0
    /// The errors of dates far from any fault since this was reset, in ticks.
    var dateErrors: ClosedRange<Int64> = 0...0

    /// - Parameters:
    ///   - presentation: Where it is published.
    ///   - changes: One of its consumers.
    ///   - grid: The channel's.
    ///   - isOnCommonClock: Whether timestamps are UTC.
    init(_ presentation: Presentation, _ changes: ChangeLog, grid: SegmentGrid, isOnCommonClock: Bool) {
        self.presentation = presentation
        self.changes = changes
        self.grid = grid
        self.isOnCommonClock = isOnCommonClock
    }

    /// Notes when something goes wrong: two slots before and two behind are excused.
    mutating func faultHappens(_ range: Range<MediaTime>) {
        faults = faults.suffix(2) + [range]
    }

    /// Looks at what has changed.
    mutating func look(at now: MediaTime) {
        for change in changes.take() {
            guard let body = change.body else {
                paths.remove(change.path)
                continue
            }
            paths.insert(change.path)
            guard change.path.hasSuffix(".m3u8"), change.path != "index.m3u8" else { continue }
            do {
                try read(MediaPlaylist(parsing: String(buffer: body)), of: String(change.path.dropLast(5)), now)
            } catch {
                Issue.record("\(change.path): \(error)")
            }
        }
        mostPaths = max(mostPaths, paths.count)
    }

    private mutating func read(_ playlist: MediaPlaylist, of id: String, _ now: MediaTime) throws {
        expect(playlist.targetDuration == grid.targetDuration, "the target duration is fixed")
        let first = playlist.mediaSequence
        var known = 0
        if let before = playlists.updateValue(playlist, forKey: id) {
            let gone = Int(first.value - before.mediaSequence.value)
            expect(0...before.segments.count ~= gone, "numbers neither skip nor go back")
            let listed = before.segments.dropFirst(gone)
            known = listed.count
            expect(playlist.segments.starts(with: listed), "a listed line never changes")
            let passed = before.segments.prefix(gone).count(where: \.startsDiscontinuity)
            expect(
                playlist.discontinuitySequence == before.discontinuitySequence + passed,
                "discontinuities that leave the window are counted"
            )
        }
        // Pictures for trick play are bytes of the segments that are read already.
        if playlist.isIFramesOnly { return }
        for index in playlist.segments.indices.dropFirst(known) {
            let before = index > 0 ? playlist.segments[index - 1] : nil
            try read(playlist.segments[index], first.advanced(by: Int64(index)), after: before, of: id, now)
        }
    }

    private mutating func read(
        _ segment: MediaPlaylist.Segment,
        _ number: MediaSequenceNumber,
        after before: MediaPlaylist.Segment?,
        of id: String,
        _ now: MediaTime
    ) throws {
        let isVideo = id.hasPrefix("video")
        let edge = grid.start(of: number)
        let late = segment.programDateTime - edge
        let around = edge - grid.slotDuration * 2..<edge + grid.slotDuration * 3
        let isUndisturbed = !faults.contains { $0.overlaps(around) }
        if isVideo { slots += 1 }
        if isVideo, segment.startsDiscontinuity { discontinuities += 1 }
        if isUndisturbed { undisturbed += 1 }

        expect(segment.uri == "\(id)/\(number).m4s", "a segment's number is its slot's: \(segment.uri)")
        expect(abs(late.ticks) <= grid.tolerance.ticks + 9_000, "\(segment.uri) starts \(late) from its slot's edge")
        let seconds = (segment.duration.microseconds + 500_000) / 1_000_000
        expect(seconds <= Int64(grid.targetDuration), "\(segment.uri) lasts \(segment.duration)")
        if let before {
            // Behind a gap audio begins with its own first frame. Dates are slewed by up to 2000 ppm.
            let error = segment.programDateTime - before.programDateTime - before.duration.time
            let slew = isOnCommonClock ? 0 : before.duration.time.ticks / 500
            expect(abs(error.ticks) <= (before.isGap ? 1_920 : 180) + slew, "dates run on to \(segment.uri): \(error)")
        }
        if isUndisturbed {
            expect(!segment.isGap && !segment.startsDiscontinuity, "\(segment.uri) follows from no fault")
            if isVideo, isOnCommonClock { expect(late == .zero, "\(segment.uri) starts \(late) from its slot's edge") }
        }
        if segment.isGap {
            gaps += 1
            ends[id] = nil
        } else {
            segments += 1
            try readMedia(of: segment, id, isUndisturbed, now)
        }
    }

    private mutating func readMedia(
        of segment: MediaPlaylist.Segment,
        _ id: String,
        _ isUndisturbed: Bool,
        _ now: MediaTime
    ) throws {
        guard case .found(let resource) = presentation.resource(segment.uri, now: now),
            let body = resource.body.memory, let fragment = try ParsedFragment.fragments(in: body).first
        else {
            Issue.record("\(segment.uri) is listed, and not there")
            return
        }
        let timescale: Int64 = id.hasPrefix("video") ? 90_000 : 48_000
        let (start, end) = (Int64(fragment.baseMediaDecodeTime), Int64(fragment.endDecodeTime))
        let length = MediaTime(end - start, timescale: timescale) - segment.duration.time
        expect(abs(length.ticks) <= 1, "EXTINF is what the samples of \(segment.uri) last, but for \(length)")
        expect(ends[id].map { $0 == start } ?? true, "media time runs on to \(segment.uri)")
        ends[id] = end
        samples += fragment.samples.count
        // The first picture, or frame, takes up what lies between two inputs.
        for sample in fragment.samples.dropFirst(isOnCommonClock ? 0 : 1) where isUndisturbed {
            guard let identity = SoakIdentity(body, sample: sample.range) else {
                Issue.record("\(segment.uri) holds what no encoder sent")
                continue
            }
            let time = Int64(sample.decodeTime) + sample.compositionOffset
            let since = MediaTime(time - start, timescale: timescale)
            let error = (segment.programDateTime + since).ticks - identity.utc
            dateErrors = min(dateErrors.lowerBound, error)...max(dateErrors.upperBound, error)
            guard isOnCommonClock else { continue }
            let stamp = MediaTime(time, timescale: timescale).ticks & (ChannelFeed.modulus - 1)
            expect(stamp == identity.timestamp, "media time is the timestamp's in \(segment.uri): \(stamp)")
        }
    }

    /// Like #expect, at a fraction of its cost.
    private func expect(_ condition: Bool, _ rule: @autoclosure () -> String) {
        if !condition { Issue.record("\(rule())") }
    }
}
