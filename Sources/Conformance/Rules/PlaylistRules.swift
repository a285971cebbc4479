import MediaCore
import Playlists

/// Checks every version of one media playlist by itself and against the versions before it.
///
/// It has no clock: ``PlaylistAge`` measures the age of a playlist. Faults of a segment are reported for the first
/// version that lists it.
struct PlaylistRules: Sendable {
    private var previous: MediaPlaylist?
    /// The hash of each removed segment, by its number.
    private var departed: [MediaSequenceNumber: Int] = [:]

    init() {}

    /// Takes the next version that one client got.
    ///
    /// - Returns: The rules that it breaks.
    mutating func violations(of playlist: MediaPlaylist) -> [RuleViolation] {
        var found = Self.violations(in: playlist)
        if let previous {
            let known = Set(Self.violations(in: previous))
            found.removeAll { violation in
                known.contains(violation) || violation.number.map { previous[MediaSequenceNumber($0)] != nil } ?? false
            }
            found += Self.violations(from: previous, to: playlist)
            for (number, segment) in previous.numbered where playlist[number] == nil {
                departed[number] = segment.identity
            }
        }
        for (number, segment) in playlist.numbered {
            guard let identity = departed.removeValue(forKey: number), identity != segment.identity else { continue }
            found.append(RuleViolation(.numberReused, number: number, "it left, and came back as \(segment.uri)"))
        }
        previous = playlist
        return found
    }

    /// Returns the violations in one version by itself.
    static func violations(in playlist: MediaPlaylist) -> [RuleViolation] {
        longDurations(in: playlist) + contradictoryDates(in: playlist)
            + playlist.allDateRanges.problems.map { RuleViolation(.dateRangeInvalid, "\($0)") }
            + contradictoryCues(in: playlist) + lowLatencyViolations(in: playlist)
    }

    /// A playlist may begin inside a break, and need not tag each segment of it.
    private static func contradictoryCues(in playlist: MediaPlaylist) -> [RuleViolation] {
        var found: [RuleViolation] = []
        // Nil before the first tag.
        var isOut: Bool?
        var elapsed: MediaTime?
        for (number, segment) in playlist.numbered {
            guard let cue = segment.cue else { continue }
            func report(_ what: String) {
                found.append(RuleViolation(.breakCueContradicted, number: number, what))
            }
            if cue.endsBreak {
                if isOut == false { report("EXT-X-CUE-IN ends a break that nothing has begun") }
                (isOut, elapsed) = (false, nil)
            }
            guard let out = cue.out else { continue }
            if let now = out.elapsed {
                if isOut == false { report("EXT-X-CUE-OUT-CONT continues a break that nothing has begun") }
                if let elapsed, now <= elapsed { report("ElapsedTime does not grow") }
                elapsed = now
            } else {
                if isOut == true { report("EXT-X-CUE-OUT begins a break inside another") }
                elapsed = .zero
            }
            isOut = true
        }
        return found
    }

    private static func longDurations(in playlist: MediaPlaylist) -> [RuleViolation] {
        playlist.numbered.compactMap { number, segment in
            let seconds = (segment.duration.microseconds + 500_000) / 1_000_000
            guard seconds > playlist.targetDuration else { return nil }
            return RuleViolation(
                .durationAboveTarget,
                number: number,
                "EXTINF \(segment.duration) rounds to more than \(playlist.targetDuration)"
            )
        }
    }

    /// A frame of ALAC or FLAC at 48 kHz has 4,096 samples.
    private static let longestFrame = MediaTime(milliseconds: 86)

    /// Finds dates that contradict the duration before them.
    ///
    /// They are rounded to milliseconds, and may be slewed against the media where clocks drift: by no more than a
    /// five-hundredth, which is less than a frame in a segment. Behind a gap, media begins with its first frame.
    private static func contradictoryDates(in playlist: MediaPlaylist) -> [RuleViolation] {
        var found: [RuleViolation] = []
        var before: MediaPlaylist.Segment?
        for (number, segment) in playlist.begun {
            defer { before = segment }
            guard let before, !segment.startsDiscontinuity else { continue }
            let (date, duration) = (segment.programDateTime, before.duration.time)
            let expected = before.programDateTime + duration
            let drift = MediaTime(ticks: duration.ticks / 500) + (before.isGap ? longestFrame : .zero)
            guard (date - expected).magnitude > MediaTime(milliseconds: 1) + drift else { continue }
            found.append(
                RuleViolation(
                    .dateContradictsDuration,
                    number: number,
                    "it is dated \(date.iso8601), and EXTINF before it leads to \(expected.iso8601)"
                )
            )
        }
        return found
    }
}

extension MediaPlaylist.Segment {
    /// A hash of the properties that must not change, valid in this process only.
    fileprivate var identity: Int {
        var hasher = Hasher()
        hasher.combine(uri)
        hasher.combine(duration.microseconds)
        hasher.combine(isGap)
        return hasher.finalize()
    }
}
