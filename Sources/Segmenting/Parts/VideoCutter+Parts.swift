import MediaCore

extension VideoCutter {
    /// How far the slot being filled has come on the media timeline, for certain.
    var reached: MediaTime? { samples.last?.decodeTime }

    /// Whether decoding can start with the slot being filled, and nothing of it was lost.
    var isSound: Bool { !isHurt && samples.first?.isSync == true }

    /// How much of the slot being filled could be told.
    var tellable: MediaTime { samples.last.map { $0.decodeTime - start.media } ?? .zero }

    /// Tells what is known of the slot being filled; from then on it is final.
    ///
    /// The newest sample stays back, for the one after it says how long it lasts; so does one that may be dropped with the
    /// leading pictures after it, whose time it would take over.
    ///
    /// - Parameters:
    ///   - number: The slot.
    ///   - utcOffset: UTC minus media time.
    ///   - isRest: Whether no more is waited for.
    /// - Returns: Samples that follow those told before; nil where there are none.
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
