import MediaCore

/// The clock of an encoder's timestamps, placed in UTC by the arrival of packets.
struct ArrivalClock: Sendable {
    /// Media time minus timestamp.
    var anchor: MediaTime
    /// UTC minus media time.
    var utcOffset: MediaTime
    /// The number of ticks after which its timestamps wrap.
    let modulus: Int64?
    /// The inputs whose tracks it times.
    var inputs: Set<InputPosition>
    var judge = LagJudge()

    /// The distance of a reading of the same or another clock: UTC minus timestamp there, less the same here.
    ///
    /// - Returns: The least distance, with any wraps; nil if timestamps wrap differently.
    func distance(to offset: MediaTime, modulus: Int64?) -> MediaTime? {
        guard modulus == self.modulus else { return nil }
        let distance = offset - anchor - utcOffset
        guard let modulus else { return distance }
        return MediaTime(ticks: Self.nearest(distance.ticks, to: 0, modulus: modulus))
    }

    /// Returns the anchor for timestamps that were unwrapped elsewhere.
    ///
    /// - Parameter anchor: The approximate anchor.
    /// - Returns: Media time minus timestamp.
    func anchor(near anchor: MediaTime) -> MediaTime {
        guard let modulus else { return self.anchor }
        return MediaTime(ticks: Self.nearest(self.anchor.ticks, to: anchor.ticks, modulus: modulus))
    }

    /// The value congruent to `value` that is nearest to another.
    private static func nearest(_ value: Int64, to other: Int64, modulus: Int64) -> Int64 {
        var unwrapper = TimestampUnwrapper(modulus: modulus, reference: other)
        return unwrapper.unwrap(value)
    }
}
