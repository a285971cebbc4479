package import Fetching
package import MediaCore
import Playlists

/// A player of live HLS without decoder or network: it follows playlists and fills buffers like hls.js does, and enters
/// what a viewer would notice.
///
/// Each event returns the next requests. Downloads count whole: a segment adds its EXTINF to its track's buffer once it
/// is loaded. The playhead advances with time while all tracks have media, jumps holes when the media behind them is
/// there, and stalls otherwise. It starts three target durations from the edge, as hls.js does by default. Like hls.js
/// it continues in another variant if the next segment of its own is a gap.
package struct PlayerModel: Sendable {
    package struct Configuration: Hashable, Sendable {
        /// The number of target durations from the edge at which playback starts (RFC 8216bis § 6.3.3: no less than
        /// three).
        var startDistance: Int64
        /// The buffered media ahead of the playhead beyond which no segment is requested.
        var maximumBuffer: MediaTime
        var playlistRetries: RetryPolicy
        var segmentRetries: RetryPolicy
        /// The time between the points of ``ViewerReport/samples``.
        package var samplePeriod: MediaTime

        init(
            startDistance: Int64 = 3,
            maximumBuffer: MediaTime = MediaTime(seconds: 30),
            playlistRetries: RetryPolicy = .playlists,
            segmentRetries: RetryPolicy = .segments,
            samplePeriod: MediaTime = MediaTime(seconds: 1)
        ) {
            self.startDistance = startDistance
            self.maximumBuffer = maximumBuffer
            self.playlistRetries = playlistRetries
            self.segmentRetries = segmentRetries
            self.samplePeriod = samplePeriod
        }
    }

    enum State: Hashable, Sendable {
        case starting
        case playing
        case stalled(since: MediaTime)
        case ended
    }

    private let configuration: Configuration
    var tracks: [TrackLoader] = []
    var state = State.starting
    var now: MediaTime
    /// The media time that is played; nil until the first playlist shows where to start.
    var playhead: MediaTime?
    var record: ViewerReport
    private let startedAt: MediaTime
    var nextSampleAt: MediaTime
    /// The index of the variant that it plays.
    package private(set) var variant = 0
    private var variantCount = 1
    private var multivariantAttempts = 0
    private var multivariantDueAt: MediaTime?
    private var events: [ViewerEvent] = []

    /// - Parameters:
    ///   - configuration: The way in which it plays.
    ///   - now: UTC.
    package init(_ configuration: Configuration = Configuration(), at now: MediaTime) {
        self.configuration = configuration
        self.now = now
        startedAt = now
        nextSampleAt = now
        multivariantDueAt = now
        record = ViewerReport(startedAt: now, samplePeriod: configuration.samplePeriod)
    }

    /// The time at which ``timeAdvanced(to:)`` has a request, unless an answer arrives before.
    var deadline: MediaTime? {
        (tracks.map(\.deadline) + [multivariantDueAt]).compactMap(\.self).min()
    }

    // MARK: Events

    /// Time went by.
    package mutating func timeAdvanced(to now: MediaTime) -> [PlayerResource] {
        advance(to: now)
        return dueRequests()
    }

    /// Takes the multivariant playlist, with the tracks that are played together.
    ///
    /// - Parameters:
    ///   - tracks: Those of each variant.
    ///   - variants: The number of variants that differ in video.
    ///   - now: UTC.
    /// - Returns: The resources to load.
    mutating func multivariantLoaded(
        tracks: [PlayerTrack],
        variants: Int = 1,
        at now: MediaTime
    ) -> [PlayerResource] {
        advance(to: now)
        variantCount = max(variants, 1)
        self.tracks = tracks.map { TrackLoader($0, alternatives: $0 == .video ? variantCount - 1 : 0, at: now) }
        return dueRequests()
    }

    /// The multivariant playlist cannot be read.
    mutating func multivariantMalformed(_ error: PlaylistParsingError, at now: MediaTime) -> [PlayerResource] {
        advance(to: now)
        multivariantDueAt = now + configuration.playlistRetries.maximumDelay
        enter(.ruleBroken(playlist: "\(PlayerResource.multivariantPlaylist)", RuleViolation(error)))
        return dueRequests()
    }

    /// Takes a version of a media playlist.
    mutating func playlistLoaded(
        _ track: PlayerTrack,
        _ playlist: MediaPlaylist,
        at now: MediaTime
    ) -> [PlayerResource] {
        advance(to: now)
        guard let index = tracks.firstIndex(where: { $0.track == track }) else { return dueRequests() }
        let outcome = tracks[index].playlistLoaded(playlist, at: now)
        for violation in outcome.violations { enter(.ruleBroken(playlist: track.rawValue, violation)) }
        if let error = outcome.levelError { enter(.levelError(track, error)) }
        if index == 0 { windowMoved() }
        return dueRequests()
    }

    /// A media playlist cannot be read.
    mutating func playlistMalformed(
        _ track: PlayerTrack,
        _ error: PlaylistParsingError,
        at now: MediaTime
    ) -> [PlayerResource] {
        advance(to: now)
        guard let index = tracks.firstIndex(where: { $0.track == track }) else { return dueRequests() }
        tracks[index].playlistWasMalformed(at: now)
        enter(.ruleBroken(playlist: track.rawValue, RuleViolation(error)))
        enter(.levelError(track, "\(error)"))
        return dueRequests()
    }

    /// Takes a whole segment.
    mutating func segmentLoaded(
        _ track: PlayerTrack,
        _ number: MediaSequenceNumber,
        _ segment: MediaPlaylist.Segment,
        at now: MediaTime
    ) -> [PlayerResource] {
        advance(to: now)
        guard let index = tracks.firstIndex(where: { $0.track == track }) else { return dueRequests() }
        if tracks[index].segmentLoaded(number, segment) { bufferGrew() }
        return dueRequests()
    }

    /// A request failed.
    package mutating func failed(
        _ resource: PlayerResource,
        _ error: FetchError,
        at now: MediaTime
    ) -> [PlayerResource] {
        advance(to: now)
        var isFatal = false
        switch resource {
        case .multivariantPlaylist:
            let wait = configuration.playlistRetries.wait(after: multivariantAttempts, error)
            isFatal = wait == nil
            multivariantAttempts = isFatal ? 0 : multivariantAttempts + 1
            multivariantDueAt = now + (wait ?? configuration.playlistRetries.maximumDelay)
        case .playlist(let track):
            guard let index = tracks.firstIndex(where: { $0.track == track }) else { break }
            isFatal = tracks[index].playlistFailed(error, policy: configuration.playlistRetries, at: now)
        case .segment(let track, _, _):
            guard let index = tracks.firstIndex(where: { $0.track == track }) else { break }
            isFatal = tracks[index].segmentFailed(error, policy: configuration.segmentRetries, at: now)
        }
        enter(.requestFailed("\(resource)", error, isFatal: isFatal))
        return dueRequests()
    }

    private mutating func dueRequests() -> [PlayerResource] {
        var due: [PlayerResource] = []
        if let dueAt = multivariantDueAt, dueAt <= now {
            multivariantDueAt = nil
            due.append(.multivariantPlaylist)
        }
        for index in tracks.indices {
            func requests() -> [PlayerResource] {
                tracks[index].requests(at: now, playhead: playhead, maximumBuffer: configuration.maximumBuffer)
            }
            due += requests()
            guard tracks[index].leaveGap(at: now) else { continue }
            variant = (variant + 1) % variantCount
            enter(.changedVariant(to: variant))
            due += requests()
        }
        return due
    }

    // MARK: Findings

    /// Records an event of the player, or a finding about the stream.
    package mutating func enter(_ kind: ViewerEvent.Kind) {
        let event = ViewerEvent(at: now, kind)
        record.enter(event)
        events.append(event)
    }

    /// Returns the events since the last call.
    mutating func takeEvents() -> [ViewerEvent] {
        defer { events = [] }
        return events
    }

    /// Everything up to now; a stall under way counts up to now.
    var report: ViewerReport {
        var report = record
        report.endedAt = now.milliseconds
        for track in tracks { report.tracks[track.track] = track.figures }
        if case .stalled(let since) = state, now > since {
            report.enter(ViewerEvent(at: now, .resumed(after: now - since)))
        }
        return report
    }

    /// The position where live playback starts, or starts again: so far from the edge, but in the window.
    var livePosition: MediaTime? {
        guard let main = tracks.first, let playlist = main.playlist, !playlist.segments.isEmpty,
            let first = main.timeline.range(of: playlist.mediaSequence),
            let last = main.timeline.range(of: playlist.end.previous)
        else { return nil }
        let distance = MediaTime(seconds: Int64(playlist.targetDuration)) * configuration.startDistance
        return max(first.lowerBound, last.upperBound - distance)
    }

    var windowStart: MediaTime? {
        tracks.first.flatMap { main in main.playlist.flatMap { main.timeline.range(of: $0.mediaSequence) } }?.lowerBound
    }

    var elapsed: MediaTime { now - startedAt }
    var samplePeriod: MediaTime { MediaTime(milliseconds: record.samples.period) }
}
