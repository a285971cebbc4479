package import MediaCore

/// The properties of a channel on which its past depends.
package struct PastTerms: Hashable, Sendable {
    /// The length of a slot.
    package var segmentDuration: MediaTime
    /// EXT-X-TARGETDURATION, in seconds.
    package var targetDuration: Int
    /// The length of a delayed playlist.
    package var windowDuration: MediaTime
    /// The least age of the media that viewers see.
    package var delay: MediaTime
    /// True if no slot will follow.
    package var isEnded: Bool

    package init(
        segmentDuration: MediaTime,
        targetDuration: Int,
        windowDuration: MediaTime,
        delay: MediaTime = .zero,
        isEnded: Bool = false
    ) {
        precondition(segmentDuration > .zero, "a slot has a length")
        self.segmentDuration = segmentDuration
        self.targetDuration = targetDuration
        self.windowDuration = windowDuration
        self.delay = delay
        self.isEnded = isEnded
    }

    /// The start of a slot, in UTC.
    func start(of number: MediaSequenceNumber) -> MediaTime { segmentDuration * number.value }
}

/// The slots that playlists of a range list now, and the way in which the playlists will change.
///
/// It is arithmetic: the number of a slot is its time.
package struct PastSection: Hashable, Sendable {
    /// The slots; at least one.
    package var numbers: Range<MediaSequenceNumber>
    package var phase: Phase

    package enum Phase: Hashable, Sendable {
        /// The range ended so long ago that no player has seen it grow: EXT-X-PLAYLIST-TYPE:VOD.
        case onDemand
        /// Slots are appended until the range ends: EXT-X-PLAYLIST-TYPE:EVENT.
        case growing
        /// The range has ended just now. A playlist that players follow keeps its type (RFC 8216bis § 6.2.1).
        case grown
        /// A window that moves.
        case sliding
        /// A window, after the end of the channel.
        case slid
    }

    /// The target durations after the end of a range for which players may still have the growing playlist: they reload
    /// at least every one and a half (RFC 8216bis § 6.3.4).
    private static let patience: Int64 = 10
    /// The target durations that a slot may be late.
    private static let lateness: Int64 = 3

    /// Finds the slots of a range.
    ///
    /// - Parameters:
    ///   - range: The requested range.
    ///   - extent: The slots that are recorded; nil if there are none.
    ///   - terms: The channel's terms.
    ///   - now: The time now, in UTC.
    /// - Throws: ``PastRefusal`` if the range is not allowed, or none of it is recorded.
    package init(
        _ range: PastRange,
        in extent: Range<MediaSequenceNumber>?,
        _ terms: PastTerms,
        now: MediaTime
    ) throws(PastRefusal) {
        switch range {
        case .span(let start, let end): try self.init(from: start, to: end, in: extent, terms, now: now)
        case .delayed(let seconds):
            let delay = max(terms.delay, MediaTime(seconds: seconds))
            try self.init(delayedBy: delay, in: extent, terms, now: now)
        }
    }

    private init(
        from start: Int64,
        to end: Int64?,
        in extent: Range<MediaSequenceNumber>?,
        _ terms: PastTerms,
        now: MediaTime
    ) throws(PastRefusal) {
        let end = end ?? start + PastRange.longest
        guard start < end else { throw .backwards }
        guard end - start <= PastRange.longest else { throw .tooLong }
        let present = now - terms.delay
        guard MediaTime(seconds: start) < present else { throw .early }
        guard let extent, !extent.isEmpty else { throw .nothingRecorded }
        let wanted = terms.slots(from: MediaTime(seconds: start), to: MediaTime(seconds: end))
        guard wanted.lowerBound >= extent.lowerBound else {
            throw .beforeRecording(oldest: terms.start(of: extent.lowerBound))
        }
        let last = min(wanted.upperBound, terms.seen(of: extent, at: now))
        guard wanted.lowerBound < last else { throw .nothingRecorded }
        numbers = wanted.lowerBound..<last
        let age = present - MediaTime(seconds: end)
        let unit = MediaTime(seconds: Int64(terms.targetDuration))
        let isWhole =
            last == wanted.upperBound || age >= unit * Self.lateness
            || terms.isEnded && last == extent.upperBound
        phase = !isWhole ? .growing : age >= unit * Self.patience ? .onDemand : .grown
    }

    private init(
        delayedBy delay: MediaTime,
        in extent: Range<MediaSequenceNumber>?,
        _ terms: PastTerms,
        now: MediaTime
    ) throws(PastRefusal) {
        guard delay <= MediaTime(seconds: PastRange.longestDelay) else { throw .tooLate }
        guard let extent, !extent.isEmpty else { throw .starting }
        var terms = terms
        terms.delay = delay
        let last = terms.seen(of: extent, at: now)
        let count = (terms.windowDuration.ticks + terms.segmentDuration.ticks - 1) / terms.segmentDuration.ticks
        let first = max(extent.lowerBound, last.advanced(by: -max(1, count)))
        guard first < last else { throw .starting }
        numbers = first..<last
        phase = terms.isEnded && last == extent.upperBound ? .slid : .sliding
    }
}

extension PastTerms {
    /// The slots that overlap a span of time, or begin in it.
    fileprivate func slots(from start: MediaTime, to end: MediaTime) -> Range<MediaSequenceNumber> {
        let first = start.ticks / segmentDuration.ticks
        let last = (end.ticks + segmentDuration.ticks - 1) / segmentDuration.ticks
        return MediaSequenceNumber(first)..<MediaSequenceNumber(max(first, last))
    }

    /// The end of the slots that viewers may see.
    fileprivate func seen(of extent: Range<MediaSequenceNumber>, at now: MediaTime) -> MediaSequenceNumber {
        ViewerDelay(delay, segmentDuration: segmentDuration).seen(of: extent, at: now).upperBound
    }
}
