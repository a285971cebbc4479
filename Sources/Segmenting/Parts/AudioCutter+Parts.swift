import ISOBMFF
import MediaCore

extension AudioCutter {
    /// How long the usual frame lasts.
    var frameDuration: MediaTime { MediaTime(frameLength, timescale: timescale) }

    /// Whether frames have come from where a slot begins on this track's media timeline.
    func isSound(from start: MediaTime) -> Bool {
        guard let oldest else { return false }
        return next != nil || oldest - start < frameDuration * 2
    }

    /// Tells what is known of a slot; from then on it is final.
    ///
    /// The newest frame stays back, for the last one of a segment takes up what rounding has left over.
    ///
    /// - Parameters:
    ///   - number: The slot.
    ///   - start: Where its video starts, on this track's media timeline.
    ///   - reached: Where it goes on at least.
    ///   - utcOffset: UTC minus media time.
    ///   - isRest: Whether no more is waited for.
    /// - Returns: Frames that follow those told before; nil where there are none.
    mutating func tell(
        _ number: MediaSequenceNumber,
        from start: MediaTime,
        reached: MediaTime,
        utcOffset: MediaTime,
        isRest: Bool
    ) -> CutSegment? {
        open(number, from: start)
        take(before: reached)
        guard var filling else { return nil }
        let count = filling.samples.count - (isRest ? 0 : 1)
        guard count > filling.told else { return nil }
        self.filling = nil
        defer { self.filling = filling }
        let samples = Array(filling.samples[filling.told..<count])
        let length = samples.reduce(0) { $0 + Int64($1.duration) }
        let begin = filling.begin + filling.toldLength
        let first =
            filling.partEnd ?? self.start
            ?? Boundary(media: MediaTime(begin, timescale: timescale), utcOffset: utcOffset)
        let media = MediaTime(begin + length, timescale: timescale)
        let last = Boundary(media: media, utcOffset: utcOffset, after: first)
        (filling.told, filling.toldLength, filling.partEnd) = (count, filling.toldLength + length, last)
        return CutSegment(
            number: number,
            start: first,
            end: last,
            timescale: timescale,
            decodeTime: begin,
            duration: length,
            samples: samples,
            configuration: filling.configuration,
            coverage: MediaTime(length, timescale: timescale)
        )
    }
}
