import ISOBMFF
import MediaCore

/// Checks that parts with a key frame begin with it, and finds a part duration for which this holds.
///
/// Players begin with a part that has a key frame, and cannot use the samples before that frame. A key frame ends a
/// part only after 85 % of the part target (RFC 8216bis § 4.4.4.9). The check is pure: parts go in, findings come out.
struct KeyFrameFit: Sendable {
    /// Key frames at a regular distance, some of which lie well within the part that they come in.
    struct Mismatch: Hashable, Sendable {
        var distance: MediaTime
        /// The part duration that avoids these; nil if none does.
        var partDuration: MediaTime?
    }

    private var tracks: [TrackIndex: Rhythm] = [:]
    /// The newest finding, which holds for all rungs of a ladder.
    private var reported: Mismatch?

    /// A part may have pictures for one in so many of the part target before its first key frame.
    private static let tolerance: Int64 = 4
    /// The shortest part duration that can be set.
    private static let shortest = MediaTime(milliseconds: 200)
    /// The most groups of pictures of a part that are considered.
    private static let mostGroups: Int64 = 100

    /// Takes a part that was published.
    ///
    /// - Parameters:
    ///   - part: The part; those of each track in order.
    ///   - target: The part target.
    ///   - slotDuration: The duration of a slot; a part has half of it at most.
    /// - Returns: A finding that is new; nil if there is none.
    mutating func observe(_ part: SlotPart, target: MediaTime, slotDuration: MediaTime) -> Mismatch? {
        let cut = part.cut
        guard !cut.isGap, cut.filler == nil else {
            tracks[part.track]?.interrupted()
            return nil
        }
        guard cut.configuration?.kind == .video else { return nil }
        var rhythm = tracks[part.track] ?? Rhythm()
        let most = target.value(timescale: cut.timescale)
        var (before, hasEntry) = (Int64(0), false)
        for sample in cut.samples {
            if sample.isSync {
                rhythm.keyFrameCame(isMisplaced: !hasEntry && before * Self.tolerance > most)
                hasEntry = true
            }
            before += Int64(sample.duration)
            rhythm.pictureCame(duration: Int64(sample.duration))
        }
        let group = rhythm.takeMisfit()
        tracks[part.track] = rhythm
        guard let group else { return nil }
        let distance = MediaTime(group.duration, timescale: cut.timescale)
        let longest = MediaTime(ticks: slotDuration.ticks / 2)
        let fitting = Self.partDurations(distance, pictures: group.pictures, longest).min {
            abs(($0 - target).ticks) < abs(($1 - target).ticks)
        }
        let misfit = Mismatch(distance: distance, partDuration: fitting)
        // Those that are misplaced may be from before a change of inputs.
        guard misfit != reported, fitting != target else { return nil }
        reported = misfit
        return misfit
    }

    /// Returns the part durations that go into a distance of key frames in whole pictures, or are some of them.
    private static func partDurations(_ distance: MediaTime, pictures: Int, _ longest: MediaTime) -> [MediaTime] {
        let pieces = (1...pictures).filter { pictures.isMultiple(of: $0) }
            .map { MediaTime(ticks: distance.ticks * Int64($0) / Int64(pictures)) }
        let most = min(longest.ticks / max(distance.ticks, 1), mostGroups)
        let whole = most > 0 ? (1...most).map { distance * $0 } : []
        // Rounded up to a millisecond, so that the pictures fit in.
        return (pieces + whole)
            .map { time in
                let ticks = time.ticks * 1_000 + MediaTime.timescale - 1
                return MediaTime(milliseconds: ticks / MediaTime.timescale)
            }
            .filter { shortest <= $0 && $0 <= longest }
    }

    /// The pictures from a key frame to the next one.
    private struct Group: Hashable {
        var pictures = 0
        /// The duration, in ticks of the track's timescale.
        var duration: Int64 = 0

        /// True if it is as long as another, but for the rounding of timestamps.
        func resembles(_ other: Group) -> Bool {
            pictures == other.pictures && abs(duration - other.duration) * 100 <= duration
        }
    }

    /// The groups of pictures of a track.
    private struct Rhythm {
        private var open: Group?
        private var last: Group?
        /// The number of groups in a row that are like the last one.
        private var count = 0
        /// True if one of their key frames lay well within its part.
        private var hasMisfit = false
        private var judged: Group?

        /// The number of groups that make a rhythm.
        private static let enough = 6
        /// The most pictures of a group: a feed may have no more than one key frame.
        private static let mostPictures = 10_000

        mutating func keyFrameCame(isMisplaced: Bool) {
            if let open {
                if last?.resembles(open) == true {
                    count += 1
                } else {
                    (last, count, hasMisfit) = (open, 1, false)
                }
            }
            hasMisfit = hasMisfit || isMisplaced
            open = Group()
        }

        mutating func pictureCame(duration: Int64) {
            open?.pictures += 1
            open?.duration += duration
            if let open, open.pictures > Self.mostPictures { interrupted() }
        }

        /// Forgets the group that has begun.
        mutating func interrupted() { (open, last, count, hasMisfit) = (nil, nil, 0, false) }

        /// Takes the group whose key frames do not fit the parts, once for each rhythm.
        mutating func takeMisfit() -> Group? {
            guard count >= Self.enough, hasMisfit, let last, judged?.resembles(last) != true else { return nil }
            judged = last
            return last
        }
    }
}
