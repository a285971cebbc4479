package import MediaCore

/// Going on where another process, or another channel of this one, has left off with the same feed.
extension InputTimeline {
    /// The place of a feed that is placed by its arrival.
    package struct Placement: Hashable, Codable, Sendable {
        /// Media time minus timestamp, in 90 kHz ticks, with the shift.
        var anchor: Int64
        /// UTC minus media time, in 90 kHz ticks, with the correction.
        var utcOffset: Int64
        /// The shift of its pictures for alignment with the other input; nil from versions that do not say it.
        var shift: Int64?
        /// The shift of its UTC; nil as above.
        var correction: Int64?
        /// The number of ticks after which timestamps wrap; nil if never.
        var modulus: Int64?
        /// True if packets that the other has read come once more, and late.
        package var isRepeated = false
    }

    /// The greatest distance of readings from an inherited place.
    ///
    /// Beyond it they have another clock, such as one of an encoder that restarted with its connection.
    static let placeTolerance = MediaTime(seconds: 1)
    /// The greatest age of repeated packets.
    static let longestRepetition = MediaTime(seconds: 120)

    /// Returns its place, for another timeline to continue with.
    ///
    /// - Parameters:
    ///   - shift: The time that is added to all its times.
    ///   - correction: The time that is added to its UTC alone.
    /// - Returns: Nil if arrival does not say it, or has not yet.
    package func placement(shift: MediaTime, correction: MediaTime) -> Placement? {
        guard isPlacedByArrival, let anchor else { return nil }
        return Placement(
            anchor: (anchor + shift).ticks,
            utcOffset: (utcOffset + correction).ticks,
            shift: shift.ticks,
            correction: correction.ticks,
            modulus: unwrapper.modulus
        )
    }

    /// Takes the inherited place of the feed, so that no burst is waited for.
    ///
    /// - Parameter offset: Arrival minus timestamp of the first packet.
    /// - Returns: The offset of UTC to its timestamps; nil if nothing was inherited, or the feed is another one.
    mutating func takeInherited(near offset: MediaTime) -> MediaTime? {
        guard let inherited, inherited.modulus == unwrapper.modulus else { return nil }
        self.inherited = nil
        // Arrival does not show the shift.
        let shift = MediaTime(ticks: inherited.shift ?? 0)
        let correction = MediaTime(ticks: inherited.correction ?? 0)
        let place = MediaTime(ticks: inherited.utcOffset) - correction
        var ticks = inherited.anchor + place.ticks - shift.ticks
        if let modulus = inherited.modulus {
            var unwrapper = TimestampUnwrapper(modulus: modulus, reference: offset.ticks)
            ticks = unwrapper.unwrap(ticks)
        }
        let lag = offset - MediaTime(ticks: ticks)
        guard lag > -Self.placeTolerance, lag < (inherited.isRepeated ? Self.longestRepetition : Self.placeTolerance)
        else { return nil }
        utcOffset = place
        findings.append(.continued(shift: shift, correction: correction))
        isCatchingUp = inherited.isRepeated
        return MediaTime(ticks: ticks)
    }
}
