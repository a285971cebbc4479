import MediaCore

/// An encoder's own time against real time: at the same speed but for drift.
struct EncoderClock: Hashable, Sendable {
    /// A stretch of time: from `wall` on the source timeline advances by `million + drift` parts for a million.
    private struct Piece: Hashable {
        var wall: MediaTime
        var source: MediaTime
        var speed: Int64
    }

    private static let million: Int64 = 1_000_000
    private var pieces: [Piece]

    /// - Parameters:
    ///   - wall: The time when the encoder starts, and knows its time.
    ///   - source: The source timeline's time then.
    ///   - schedule: Has the drifts.
    init(wall: MediaTime, source: MediaTime, schedule: FeedSchedule) {
        pieces = []
        let drifts = schedule.faults.filter { if case .clockDrift = $0.fault { true } else { false } }
        let changes = drifts.flatMap { [$0.start, $0.end ?? $0.start] }.filter { $0 > wall }
        var start = (wall: wall, source: source)
        for change in [wall] + Set(changes).sorted() {
            if let last = pieces.last { start = (change, Self.source(at: change, on: last)) }
            let drift = schedule.active(at: change) { if case .clockDrift(let drift) = $0 { drift } else { nil } }
            pieces.append(Piece(wall: start.wall, source: start.source, speed: Self.million + drift.reduce(0, +)))
        }
    }

    /// The time that the encoder's clock shows.
    func source(at wall: MediaTime) -> MediaTime {
        Self.source(at: wall, on: pieces.last { $0.wall <= wall } ?? pieces[0])
    }

    /// The real time at which the encoder's clock shows `source`.
    func wall(at source: MediaTime) -> MediaTime {
        let piece = pieces.last { $0.source <= source } ?? pieces[0]
        let elapsed = (source - piece.source).ticks
        return piece.wall + MediaTime(ticks: MediaTime.rescale(elapsed, from: piece.speed, to: Self.million))
    }

    private static func source(at wall: MediaTime, on piece: Piece) -> MediaTime {
        let elapsed = (wall - piece.wall).ticks
        return piece.source + MediaTime(ticks: MediaTime.rescale(elapsed, from: million, to: piece.speed))
    }
}
