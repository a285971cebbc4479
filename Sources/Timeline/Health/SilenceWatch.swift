package import MediaCore

/// Decides when an open input has fallen silent, and when it is back.
///
/// Only new media ends a silence: null packets bring none, and packets that repeat timestamps bring nothing new. An input
/// is back once it has brought a second of media without another silence, so that a packet now and then is one alarm.
package struct SilenceWatch: Sendable {
    package enum News: Hashable, Sendable {
        /// No new media has come since then.
        case silent(since: MediaTime)
        /// Media comes again since then.
        case back(since: MediaTime)
    }

    /// The longest silence that is no fault; nil if none is.
    private let timeout: MediaTime?
    /// The time when new media came last, or the input was opened; nil while it is not open.
    private var newest: MediaTime?
    /// The time since which it has been silent; nil while it is not.
    private(set) var silentSince: MediaTime?
    /// The first new media after a silence.
    private var resumedAt: MediaTime?
    private var isBack = false
    private var tracks: [InputTrackIndex: Track] = [:]
    private var latestLook: MediaTime?
    /// The longest silence that was usual when new media came last: repetitions make no silence usual.
    private var patience = (since: MediaTime.zero, length: MediaTime.zero)

    private struct Track {
        var reached: MediaTime
        /// Media that has come since the silence was interrupted.
        var resumed = MediaTime.zero
    }

    /// The most tracks that are watched, more than any feed for television has; packets of further tracks end no silence.
    private static let mostTracks = 64
    /// The largest step back of timestamps that repeats media; after a larger one, new media begins.
    private static let repetition = MediaTime(seconds: 1)
    /// Timestamps that are further ahead have jumped.
    private static let longestStep = MediaTime(seconds: 10)
    /// The media that an input has to bring to be back.
    private static let proof = MediaTime(seconds: 1)
    /// The time without a look from which on the input was not read either.
    private static let longestPause = MediaTime(seconds: 1)

    package init(timeout: MediaTime?) {
        self.timeout = timeout
    }

    /// The number of tracks that it knows.
    var trackCount: Int { tracks.count }

    /// The input is open, for the first time, again or with other tracks.
    mutating func opened(at now: MediaTime) {
        tracks.removeAll(keepingCapacity: true)
        if newest == nil || silentSince == nil { newest = now }
    }

    /// The input is not open any more, or brings nothing that could be missed.
    mutating func closed() { self = SilenceWatch(timeout: timeout) }

    /// A packet of media came.
    ///
    /// - Parameters:
    ///   - track: Its track.
    ///   - mediaTime: On the input's own timeline.
    ///   - arrival: UTC.
    mutating func received(track: InputTrackIndex, mediaTime: MediaTime, at arrival: MediaTime) {
        guard let timeout, let latest = newest, let step = step(of: track, to: mediaTime) else { return }
        newest = arrival
        guard silentSince != nil else { return }
        if resumedAt == nil || arrival - latest > timeout {
            resumedAt = arrival
            for index in tracks.keys { tracks[index]?.resumed = .zero }
            // Its timestamps may have continued meanwhile.
            return
        }
        guard let resumed = tracks[track]?.resumed else { return }
        tracks[track]?.resumed = resumed + step
        isBack = isBack || resumed + step >= Self.proof
    }

    /// Returns the step that a packet takes its track forward; nil if it brings nothing new.
    private mutating func step(of track: InputTrackIndex, to mediaTime: MediaTime) -> MediaTime? {
        guard var known = tracks[track] else {
            guard tracks.count < Self.mostTracks else { return nil }
            tracks[track] = Track(reached: mediaTime)
            return .zero
        }
        let step = MediaTime(ticks: mediaTime.ticks &- known.reached.ticks)
        if step <= .zero, step > .zero - Self.repetition { return nil }
        known.reached = mediaTime
        tracks[track] = known
        return step > .zero && step <= Self.longestStep ? step : .zero
    }

    /// Advances the time; to be called a few times a second, since silence causes no event.
    ///
    /// - Parameters:
    ///   - now: UTC.
    ///   - patience: The longest silence that is usual; more than the time between bursts.
    /// - Returns: The change, if there is any.
    mutating func timeAdvanced(to now: MediaTime, patience: MediaTime) -> News? {
        defer { latestLook = now }
        guard let timeout, let latest = newest else { return nil }
        if silentSince != nil {
            guard isBack, let resumedAt else { return nil }
            (silentSince, self.resumedAt, isBack) = (nil, nil, false)
            return .back(since: resumedAt)
        }
        if let latestLook, now - latestLook > Self.longestPause {
            newest = max(latest, now)
            return nil
        }
        if self.patience.since != latest { self.patience = (latest, patience) }
        guard now - latest >= max(timeout, self.patience.length) else { return nil }
        silentSince = latest
        resumedAt = nil
        isBack = false
        return .silent(since: latest)
    }
}
