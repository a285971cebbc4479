import MediaCore

/// The sample that one encoder encodes, its clock, and its faults.
struct FeedConfiguration: Sendable {
    let sample: TransportStreamFeed
    /// Other samples, by path.
    let alternates: [String: TransportStreamFeed]
    let clock: FeedClock
    let latency: MediaTime
    let breaks: [FeedBreak]
    let schedule: FeedSchedule
    let seed: UInt64

    /// Makes a feed of samples that have been read.
    ///
    /// - Parameters:
    ///   - sample: The sample that is repeated without end.
    ///   - alternates: Every sample that `schedule` changes to, by its path.
    ///   - clock: The source of timestamps.
    ///   - latency: The delay of units after their earliest time.
    ///   - breaks: The breaks that it signals by SCTE-35.
    ///   - schedule: Without ``FeedSchedule/problems``.
    ///   - seed: The seed of everything that is by chance.
    init(
        sample: TransportStreamFeed,
        alternates: [String: TransportStreamFeed] = [:],
        clock: FeedClock = .utc,
        latency: MediaTime = .zero,
        breaks: [FeedBreak] = [],
        schedule: FeedSchedule = FeedSchedule(),
        seed: UInt64 = 0
    ) {
        precondition(schedule.samplePaths.allSatisfy { alternates[$0] != nil }, "every sample has been read")
        precondition(schedule.problems.isEmpty, "only what is possible is scheduled")
        self.sample = sample
        self.alternates = alternates
        self.clock = clock
        self.latency = latency
        self.breaks = breaks
        self.schedule = schedule
        self.seed = seed
    }

    /// Reads the samples.
    ///
    /// - Throws: ``TransportStreamError``, or what Foundation finds wrong with a file.
    init(
        samplePath: String,
        clock: FeedClock = .utc,
        latency: MediaTime = .zero,
        breaks: [FeedBreak] = [],
        schedule: FeedSchedule = FeedSchedule(),
        seed: UInt64 = 0
    ) throws {
        let alternates = try schedule.samplePaths.map { ($0, try TransportStreamFeed(path: $0)) }
        self.init(
            sample: try TransportStreamFeed(path: samplePath),
            alternates: Dictionary(alternates) { first, _ in first },
            clock: clock,
            latency: latency,
            breaks: breaks,
            schedule: schedule,
            seed: seed
        )
    }

    /// The time from a unit's decode time to when it is sent: enough that no unit is sent before its picture was taken.
    var delay: MediaTime {
        latency + (alternates.values.map(\.reordering).max().map { max($0, sample.reordering) } ?? sample.reordering)
    }
}
