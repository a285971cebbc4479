import MediaCore

extension VideoCutter {
    /// The progress of the slot being filled, for certain, on the media timeline.
    var reached: MediaTime? { samples.last?.decodeTime }

    /// True if decoding can start with the slot being filled, and nothing of it was lost.
    var isSound: Bool { !isHurt && samples.first?.isSync == true }

    /// The duration of the slot being filled that could be handed out.
    var availableDuration: MediaTime { (declaredEnd ?? reached).map { $0 - start.media } ?? .zero }

    /// The most ticks by which declared durations differ from measured ones: rounding, twice.
    private static let inaccuracy: Int64 = 2

    /// The end of the newest sample without a next one: the headers state the duration of each, and timestamps agree.
    ///
    /// Pictures that lead the first one may be dropped, and their time is then that of the picture before. At recovery
    /// points the decode clock is set anew. A picture after a loss is decoded where the one before it ends, and lasts
    /// until the next.
    private var declaredEnd: MediaTime? {
        guard let declaredDuration, let first = samples.first, let last = samples.last, last.field == nil,
            last.presentationTime > first.presentationTime,
            frames.last.map({ $0 - last.decodeTime < halfFrame }) ?? false,
            abs((declaredDuration - frameDuration).ticks) <= Self.inaccuracy,
            !samples.contains(where: \.isRecoveryPoint)
        else { return nil }
        return last.decodeTime + declaredDuration
    }

    /// Hands out the samples of the slot being filled that are known; from then on they are final.
    ///
    /// The newest sample is held back if its duration follows from the next one. A sample is also held back if leading
    /// pictures after it may be dropped, because it would take over their time.
    ///
    /// - Parameters:
    ///   - number: The slot.
    ///   - utcOffset: UTC minus media time.
    ///   - isRest: True if no more is waited for.
    /// - Returns: The samples that follow those handed out before; nil if there are none.
    mutating func emit(_ number: MediaSequenceNumber, utcOffset: MediaTime, isRest: Bool) -> CutSegment? {
        guard slot == number, isWhole(number), let last = samples.last else { return nil }
        let leading = skippedLeading
        let newestEnd = isRest ? last.decodeTime + frameDuration : declaredEnd
        let following = newestEnd == nil ? samples.indices.last { !leading.contains($0) } ?? 0 : samples.endIndex
        guard following > emitted else { return nil }
        let start = partEnd ?? start
        let finish = newestEnd ?? samples[following].decodeTime
        let end = Boundary(media: finish, utcOffset: utcOffset, after: start)
        let media = segment(of: number, emitted..<following, from: start, to: end)
        (emitted, partEnd) = (following, end)
        return media
    }
}
