import Fetching
import MediaCore
import Playlists

/// The state of one track of a player, and its next requests.
struct TrackLoader: Sendable {
    let track: PlayerTrack
    private(set) var playlist: MediaPlaylist?
    private(set) var timeline = TrackTimeline()
    private(set) var age = PlaylistAge()
    private(set) var figures = ViewerReport.TrackFigures()
    /// The marks that lie ahead in the buffer, in order.
    private(set) var marks: [Mark] = []
    var buffer = BufferedRanges()

    private var rules = PlaylistRules()
    private var playlistRequest = Request()
    private var segmentRequest = Request()
    /// The next segment to download; nil if the playhead decides.
    private var next: MediaSequenceNumber?
    /// The time at which downloading continues in another variant; nil if the playhead decides.
    private var resumption: MediaTime?
    /// The number of other variants that may have media for a gap of this one.
    private let alternatives: Int
    /// The number of them that were not tried since the last media.
    private var untried: Int
    private var lastLoaded: (number: MediaSequenceNumber, segment: MediaPlaylist.Segment, discontinuities: Int)?

    /// A change that the decoder has to deal with at a position.
    struct Mark: Hashable, Sendable {
        var position: MediaTime
        var kind: ViewerReport.MarkKind
    }

    /// A resource that is requested repeatedly.
    private struct Request: Sendable {
        var isUnderWay = false
        var startedAt = MediaTime.zero
        /// The time of the next request; nil if nothing has to be requested, or another answer comes first.
        var dueAt: MediaTime?
        var attempts = 0
    }

    /// - Parameters:
    ///   - track: The track that it loads.
    ///   - alternatives: The number of other variants.
    ///   - now: UTC.
    init(_ track: PlayerTrack, alternatives: Int = 0, at now: MediaTime) {
        self.track = track
        self.alternatives = alternatives
        untried = alternatives
        playlistRequest.dueAt = now
        segmentRequest.dueAt = now
    }

    /// The time when something is due next.
    var deadline: MediaTime? {
        let reload = playlistRequest.isUnderWay ? nil : playlistRequest.dueAt
        let retry = segmentRequest.isUnderWay || segmentRequest.attempts == 0 ? nil : segmentRequest.dueAt
        return [reload, retry].compactMap(\.self).min()
    }

    // MARK: Playlists

    /// Takes a version of the playlist.
    ///
    /// - Returns: The rules that it breaks, and why the player does not take it, if it does not.
    mutating func playlistLoaded(
        _ new: MediaPlaylist,
        at now: MediaTime
    ) -> (violations: [RuleViolation], levelError: String?) {
        let requestedAt = playlistRequest.startedAt
        playlistRequest = Request(startedAt: requestedAt)
        let violations = rules.violations(of: new)
        age.playlistLoaded(new, requestedAt: requestedAt, at: now)
        figures.longestPlaylistAge = max(figures.longestPlaylistAge, age.longest.milliseconds)
        figures.targetDuration = Int64(new.targetDuration) * 1000
        if let error = playlist.flatMap({ Self.levelError(from: $0, to: new) }) {
            playlistRequest.dueAt = now + MediaTime(seconds: Int64(new.targetDuration)).half
            return (violations, error)
        }
        let isUpdated = playlist?.end != new.end
        playlist = new
        timeline.playlistLoaded(new)
        // RFC 8216bis § 6.3.4: wait the last segment's duration after a change, half the target duration after none,
        // counted from the request.
        let target = MediaTime(seconds: Int64(new.targetDuration))
        let wait = isUpdated ? min(new.segments.last?.duration.time ?? target, target) : target.half
        playlistRequest.dueAt = new.isEnded ? nil : max(now, requestedAt + wait)
        // A segment that was given up is requested again.
        if segmentRequest.dueAt == nil, !segmentRequest.isUnderWay { segmentRequest = Request(dueAt: now) }
        return (violations, nil)
    }

    /// The reason why hls.js would not take a version after another: the same number is another segment, or all numbers
    /// are past.
    private static func levelError(from old: MediaPlaylist, to new: MediaPlaylist) -> String? {
        if new.end <= old.mediaSequence, !new.segments.isEmpty {
            return "media sequence went back from \(old.mediaSequence) to \(new.mediaSequence)"
        }
        let common = max(old.mediaSequence, new.mediaSequence)
        if let before = old.discontinuitySequence(of: common), let now = new.discontinuitySequence(of: common),
            before != now
        {
            return "discontinuity sequence mismatch at \(common)"
        }
        for (number, segment) in new.numbered {
            guard let before = old[number] else { continue }
            if before.uri != segment.uri { return "media sequence mismatch at \(number)" }
            if number > common, before.startsDiscontinuity != segment.startsDiscontinuity {
                return "discontinuity sequence mismatch at \(number)"
            }
        }
        return nil
    }

    /// Notes a text that is not a media playlist; the player soon repeats the request.
    mutating func playlistWasMalformed(at now: MediaTime) {
        playlistRequest = Request(startedAt: playlistRequest.startedAt, dueAt: now + targetDuration.half)
    }

    /// - Returns: True if the player gave up retrying.
    mutating func playlistFailed(_ error: FetchError, policy: RetryPolicy, at now: MediaTime) -> Bool {
        playlistRequest.isUnderWay = false
        if let wait = policy.wait(after: playlistRequest.attempts, error) {
            playlistRequest.attempts += 1
            playlistRequest.dueAt = now + wait
            return false
        }
        playlistRequest.attempts = 0
        playlistRequest.dueAt = now + targetDuration
        return true
    }

    private var targetDuration: MediaTime { MediaTime(seconds: Int64(playlist?.targetDuration ?? 6)) }

    // MARK: Segments

    /// - Returns: True if the buffer holds more than before.
    mutating func segmentLoaded(_ number: MediaSequenceNumber, _ segment: MediaPlaylist.Segment) -> Bool {
        segmentRequest = Request(dueAt: .zero)
        figures.segments += 1
        untried = alternatives
        guard let range = timeline.range(of: number) else { return false }
        buffer.insert(range)
        let discontinuities = playlist?.discontinuitySequence(of: number)
        if let lastLoaded {
            if let discontinuities, discontinuities > lastLoaded.discontinuities {
                marks.append(Mark(position: range.lowerBound, kind: .discontinuity))
            }
            if lastLoaded.segment.map != segment.map {
                marks.append(Mark(position: range.lowerBound, kind: .initialization))
            }
            if lastLoaded.segment.keys != segment.keys { marks.append(Mark(position: range.lowerBound, kind: .key)) }
        }
        lastLoaded = (number, segment, discontinuities ?? lastLoaded?.discontinuities ?? 0)
        if next == number { next = number.next }
        return true
    }

    /// - Returns: True if the player gave up retrying.
    mutating func segmentFailed(_ error: FetchError, policy: RetryPolicy, at now: MediaTime) -> Bool {
        segmentRequest.isUnderWay = false
        if let wait = policy.wait(after: segmentRequest.attempts, error) {
            segmentRequest.attempts += 1
            segmentRequest.dueAt = now + wait
            return false
        }
        // The page starts loading again; the next version of the playlist decides if that makes sense.
        segmentRequest = Request()
        return true
    }

    /// Downloads from a new position on.
    mutating func seeked() {
        next = nil
        resumption = nil
        lastLoaded = nil
        marks = []
    }

    /// Continues in another variant where the next segment of this one is a gap, which may have media there.
    ///
    /// - Returns: True if it does so.
    mutating func leaveGap(at now: MediaTime) -> Bool {
        guard untried > 0, !playlistRequest.isUnderWay, !segmentRequest.isUnderWay, let playlist, let next,
            playlist[next]?.isGap == true, let position = timeline.range(of: next)?.lowerBound
        else { return false }
        untried -= 1
        resumption = position
        self.next = nil
        self.playlist = nil
        timeline.removeAll()
        rules = PlaylistRules()
        age = PlaylistAge()
        lastLoaded = nil
        playlistRequest = Request(dueAt: now)
        segmentRequest = Request(dueAt: now)
        return true
    }

    // MARK: Requests

    /// Returns the requests that are due now; they count as under way from then on.
    ///
    /// - Parameters:
    ///   - now: UTC.
    ///   - playhead: Nil before the start position is known.
    ///   - maximumBuffer: The buffered media beyond which no segment is requested.
    /// - Returns: At most a playlist and a segment.
    mutating func requests(
        at now: MediaTime,
        playhead: MediaTime?,
        maximumBuffer: MediaTime
    ) -> [PlayerResource] {
        var due: [PlayerResource] = []
        if !playlistRequest.isUnderWay, let dueAt = playlistRequest.dueAt, dueAt <= now {
            playlistRequest.isUnderWay = true
            playlistRequest.startedAt = now
            due.append(.playlist(track))
        }
        if !segmentRequest.isUnderWay, let dueAt = segmentRequest.dueAt, dueAt <= now, let playhead,
            (buffer.end ?? playhead) - playhead < maximumBuffer, let (number, segment) = nextSegment(playhead: playhead)
        {
            segmentRequest.isUnderWay = true
            segmentRequest.startedAt = now
            due.append(.segment(track, number, segment))
        }
        return due
    }

    /// The next segment to download: gaps are passed over (RFC 8216bis § 6.3.3).
    private mutating func nextSegment(
        playhead: MediaTime
    ) -> (number: MediaSequenceNumber, segment: MediaPlaylist.Segment)? {
        guard let playlist else { return nil }
        let first = playlist.numbered.first { number, _ in
            if let next { return number >= next }
            let position = resumption.map { max($0 + BufferedRanges.tolerance, playhead) } ?? playhead
            return timeline.range(of: number).map { $0.upperBound > position } ?? false
        }
        guard var number = first?.0 else { return nil }
        if next != number { segmentRequest.attempts = 0 }
        while let segment = playlist[number] {
            next = number
            guard segment.isGap else { return (number, segment) }
            if untried > 0 { return nil }
            figures.gaps += 1
            number = number.next
            next = number
        }
        return nil
    }

    // MARK: Playback

    /// Takes the marks that the playhead passed.
    mutating func marksPassed(upTo playhead: MediaTime) -> [Mark] {
        let passed = marks.prefix { $0.position <= playhead }
        marks.removeFirst(passed.count)
        return Array(passed)
    }

    /// Forgets media behind the playhead.
    mutating func playheadMoved(to playhead: MediaTime) {
        buffer.removeAll(before: playhead)
        timeline.removeAll(before: playhead)
    }
}

extension MediaTime {
    var half: MediaTime { MediaTime(ticks: ticks / 2) }
}
