import MediaCore

/// A report of the failures that a viewer noticed, and of the origin's faults behind them.
///
/// Times are UTC milliseconds since 1970, lengths are milliseconds.
package struct ViewerReport: Hashable, Sendable, Codable {
    package var startedAt: Int64
    var endedAt: Int64
    /// The time from the first request to the first picture; nil if there never was one.
    package var startup: Int64?
    package var stalls = CappedList<Stall>()
    /// The sum of all stalls.
    var stalled: Int64 = 0
    package var jumps = CappedList<Jump>()
    /// The sum of all jumps.
    var jumped: Int64 = 0
    var marks = CappedList<Mark>()
    package var variants = CappedList<VariantChange>()
    package var failures = CappedList<Failure>()
    package var levelErrors = CappedList<LevelError>()
    package var violations = CappedList<Violation>()
    package var changedSegments = CappedList<ChangedSegment>()
    package var tracks: [PlayerTrack: TrackFigures] = [:]
    /// The longest time that each media playlist, played or not, went without a new segment.
    var playlistAges: [String: TrackFigures] = [:]
    package var samples: SampleSeries

    /// The picture stood still for want of media.
    package struct Stall: Hashable, Sendable, Codable {
        package var at: Int64
        package var duration: Int64
    }

    /// The playhead passed over media that was not there.
    package struct Jump: Hashable, Sendable, Codable {
        package var at: Int64
        package var duration: Int64
        package var reason: JumpReason
    }

    package enum JumpReason: String, Hashable, Sendable, Codable {
        /// A hole in the buffer: a listed gap, or media that could not be loaded.
        case hole
        /// The playhead had fallen out of the window.
        case resynchronized
    }

    package enum MarkKind: String, Hashable, Sendable, Codable, CaseIterable {
        case discontinuity
        /// Another EXT-X-MAP: the decoder is set up anew.
        case initialization
        /// Another EXT-X-KEY.
        case key
    }

    /// The playhead passed a change.
    struct Mark: Hashable, Sendable, Codable {
        var at: Int64
        var kind: MarkKind
        var track: PlayerTrack
    }

    /// A change to another variant, because the one before had a gap.
    package struct VariantChange: Hashable, Sendable, Codable {
        package var at: Int64
        /// Counted from 0, in the order of the multivariant playlist.
        package var variant: Int
    }

    package struct Failure: Hashable, Sendable, Codable {
        package var at: Int64
        package var resource: String
        package var error: String
        /// True if the player gave up retrying: a page has to start it again.
        var isFatal: Bool
    }

    /// A version of a playlist that the player refused.
    package struct LevelError: Hashable, Sendable, Codable {
        package var at: Int64
        package var track: PlayerTrack
        package var detail: String
    }

    package struct Violation: Hashable, Sendable, Codable {
        package var at: Int64
        package var playlist: String
        package var violation: RuleViolation
    }

    /// A sequence number whose bytes were others before.
    package struct ChangedSegment: Hashable, Sendable, Codable {
        package var at: Int64
        package var playlist: String
        package var number: Int64
    }

    package struct TrackFigures: Hashable, Sendable, Codable {
        /// The target duration of the playlist.
        var targetDuration: Int64 = 0
        /// The longest that the playlist is proven to have gone without a new segment.
        var longestPlaylistAge: Int64 = 0
        /// Downloaded.
        package var segments = 0
        /// Passed over because they were listed as gaps.
        package var gaps = 0

        init() {}

        /// The longest age in target durations, for text and expectations only.
        var targetDurations: Double {
            targetDuration > 0 ? Double(longestPlaylistAge) / Double(targetDuration) : 0
        }
    }

    init(startedAt: MediaTime, samplePeriod: MediaTime) {
        self.startedAt = startedAt.milliseconds
        endedAt = startedAt.milliseconds
        samples = SampleSeries(period: samplePeriod)
    }
}

extension ViewerReport {
    /// The longest time that any playlist went without a new segment, in target durations of its own.
    var longestPlaylistAge: Double {
        let all = tracks.values.map(\.targetDurations) + playlistAges.values.map(\.targetDurations)
        return all.max() ?? 0
    }

    /// The number of changes of one kind that the playhead passed on one track.
    func marks(_ kind: MarkKind, on track: PlayerTrack = .video) -> Int {
        marks.first.count { $0.kind == kind && $0.track == track }
    }
}
