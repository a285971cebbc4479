import MediaCore

extension VideoCutter {
    /// The progress of the slot being filled, for certain, on the media timeline.
    var reached: MediaTime? { samples.last?.decodeTime }

    /// True if decoding can start with the slot being filled, and nothing of it was lost.
    var isSound: Bool { !isHurt && samples.first?.isSync == true }

    /// The duration of the slot being filled that could be handed out.
    var tellable: MediaTime { samples.last.map { $0.decodeTime - start.media } ?? .zero }

    /// Hands out the samples of the slot being filled that are known; from then on they are final.
    ///
    /// The newest sample stays back, since its duration follows from the next one; so does one that may be dropped with
    /// the leading pictures after it, whose time it would take over.
    ///
    /// - Parameters:
    ///   - number: The slot.
    ///   - utcOffset: UTC minus media time.
    ///   - isRest: True if no more is waited for.
    /// - Returns: The samples that follow those handed out before; nil if there are none.
    mutating func tell(_ number: MediaSequenceNumber, utcOffset: MediaTime, isRest: Bool) -> CutSegment? {
        guard slot == number, isWhole(number), let last = samples.last else { return nil }
        let leading = skippedLeading
        let following = isRest ? samples.endIndex : samples.indices.last { !leading.contains($0) } ?? 0
        guard following > told else { return nil }
        let start = partEnd ?? start
        let finish = isRest ? last.decodeTime + frameDuration : samples[following].decodeTime
        let end = Boundary(media: finish, utcOffset: utcOffset, after: start)
        let media = segment(of: number, told..<following, from: start, to: end)
        (told, partEnd) = (following, end)
        return media
    }
}
