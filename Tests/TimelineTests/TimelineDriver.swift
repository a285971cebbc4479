import MediaCore
import TestSupport
import Timeline

/// Sends packets into a timeline; all times are milliseconds, arrivals from an edge of the grid on.
struct TimelineDriver {
    /// An edge of a grid of four seconds.
    static let edge = MediaTime(seconds: 1_795_000_000)
    static let modulus = Int64(1) << 33

    var timeline: InputTimeline
    var clocks = ArrivalClocks()
    /// Added to every timestamp, in ticks.
    var base: Int64
    var modulus: Int64?

    init(
        source: ClockSource = .arrival,
        pace: InputPace = .live,
        base: Int64 = 900_000,
        modulus: Int64? = TimelineDriver.modulus,
        opened: Int64 = 0,
        slotDuration: Int64 = 4,
        input: InputPosition = 0
    ) {
        timeline = InputTimeline(
            source: source,
            pace: pace,
            grid: SegmentGrid(slotDuration: MediaTime(seconds: slotDuration)),
            input: input
        )
        // Timestamps that are UTC are counted from the edge.
        self.base = source == .pts ? Self.edge.ticks : base
        self.modulus = modulus
        open(at: opened)
    }

    mutating func open(at now: Int64) {
        timeline.opened(timestampModulus: modulus, now: Self.edge + MediaTime(milliseconds: now))
    }

    /// - Returns: What became of a packet whose decode and presentation timestamp these are.
    mutating func send(
        _ decode: Int64,
        presentation: Int64? = nil,
        at arrival: Int64,
        track: Int = 0,
        canAnchor: Bool = true
    ) -> InputTimeline.Reception {
        return timeline.received(
            PacketInfo(
                trackIndex: InputTrackIndex(track),
                presentationTimestamp: raw(presentation ?? decode),
                decodeTimestamp: raw(decode)
            ),
            canAnchor: canAnchor,
            arrival: Self.edge + MediaTime(milliseconds: arrival),
            clocks: &clocks
        )
    }

    private func raw(_ time: Int64) -> Int64 {
        let ticks = time * 90 + base
        guard let modulus else { return ticks }
        return (ticks % modulus + modulus) % modulus
    }

    /// Sends a packet every 40 ms, each on time.
    mutating func run(
        _ media: Range<Int64>,
        at arrival: Int64,
        tracks: [Int] = [0],
        late: (Int64) -> Int64 = { _ in 0 }
    ) {
        for time in stride(from: media.lowerBound, to: media.upperBound, by: 40) {
            for track in tracks {
                _ = send(time, at: arrival + time - media.lowerBound + late(time), track: track)
            }
        }
    }

    /// UTC of a packet's presentation, in milliseconds from the edge on; nil if it was not placed.
    func utc(_ reception: InputTimeline.Reception) -> Int64? {
        switch reception {
        case .placed(let times): (times.presentation + timeline.utcOffset - Self.edge).milliseconds
        case .held, .dropped: nil
        }
    }

    mutating func takeRepairs() -> [TimelineRepair] { timeline.takeRepairs() }
}
