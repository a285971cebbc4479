import MediaCore

/// Times as reports have them: milliseconds since the drill's zero.
struct DrillClock: Hashable, Sendable {
    private let origin: FeedOrigin
    private let warmUp: MediaTime

    /// - Parameters:
    ///   - origin: The time when the encoders start.
    ///   - warmUp: From then to zero.
    init(origin: FeedOrigin, warmUp: MediaTime) {
        self.origin = origin
        self.warmUp = warmUp
    }

    /// UTC of zero.
    var zero: MediaTime { origin.utc + warmUp }

    var now: Int { Int((origin.elapsed - warmUp).milliseconds) }

    func time(ofUTC utc: MediaTime) -> Int { Int((utc - zero).milliseconds) }

    /// The same of milliseconds since 1970.
    func time(ofUTC utc: Int64) -> Int { Int(utc - zero.milliseconds) }

    /// Waits until a time since zero.
    ///
    /// - Throws: `CancellationError`.
    func sleep(until time: MediaTime) async throws {
        try await Task.sleep(until: origin.instant(at: warmUp + time), clock: .continuous)
    }
}
