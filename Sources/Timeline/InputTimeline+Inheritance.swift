package import MediaCore

/// Going on where another process, or another channel of this one, has left off with the same feed.
extension InputTimeline {
    /// Where a feed lies that is placed by its arrival.
    package struct Placement: Hashable, Codable, Sendable {
        /// Media time minus timestamp, in 90 kHz ticks.
        var anchor: Int64
        /// UTC minus media time, in 90 kHz ticks.
        var utcOffset: Int64
        /// Where timestamps wrap; nil if never.
        var modulus: Int64?
    }

    /// Readings that are further from an inherited place are of another clock: so much early, and so much late as what was
    /// kept of the feed is old.
    private static let mostEarly = MediaTime(seconds: 1)
    private static let mostLate = MediaTime(seconds: 120)

    /// Where it lies.
    ///
    /// - Parameters:
    ///   - shift: What is added to all its times.
    ///   - correction: What is added to its UTC alone.
    /// - Returns: Nil where arrival does not say it, or has not yet.
    package func placement(shift: MediaTime, correction: MediaTime) -> Placement? {
        guard isPlacedByArrival, let anchor else { return nil }
        return Placement(
            anchor: (anchor + shift).ticks,
            utcOffset: (utcOffset + correction).ticks,
            modulus: unwrapper.modulus
        )
    }

    /// What the feed lies by without a burst having been waited for.
    ///
    /// - Parameter offset: Arrival minus timestamp of the first packet.
    /// - Returns: The offset of UTC to its timestamps; nil where nothing was inherited, or the feed is another one.
    mutating func takeInherited(near offset: MediaTime) -> MediaTime? {
        guard let inherited, inherited.modulus == unwrapper.modulus else { return nil }
        self.inherited = nil
        var ticks = inherited.anchor + inherited.utcOffset
        if let modulus = inherited.modulus {
            var unwrapper = TimestampUnwrapper(modulus: modulus, reference: offset.ticks)
            ticks = unwrapper.unwrap(ticks)
        }
        let lag = offset - MediaTime(ticks: ticks)
        guard lag > -Self.mostEarly, lag < Self.mostLate else { return nil }
        utcOffset = MediaTime(ticks: inherited.utcOffset)
        return MediaTime(ticks: ticks)
    }
}
