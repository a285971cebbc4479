import Codecs
import ISOBMFF
import MediaCore

extension AudioCutter {
    /// The duration of the usual frame.
    var frameDuration: MediaTime { MediaTime(frameLength, timescale: timescale) }

    /// Returns true if frames have come from the start of a slot on, on this track's media timeline.
    func isSound(from start: MediaTime) -> Bool {
        guard let oldest else { return false }
        return next != nil || oldest - start < frameDuration * 2
    }

    /// Hands out the frames of a slot that are known; from then on they are final.
    ///
    /// The last frame of a segment absorbs the remainder of rounding. The newest frame is therefore held back unless
    /// the slot has room for another one, or for silence.
    ///
    /// - Parameters:
    ///   - number: The slot.
    ///   - start: The start of its video, on this track's media timeline.
    ///   - reached: The point up to which frames are handed out, on the same timeline.
    ///   - utcOffset: UTC minus media time.
    ///   - isRest: True if no more is waited for.
    /// - Returns: The frames that follow those handed out before; nil if there are none.
    mutating func emit(
        _ number: MediaSequenceNumber,
        from start: MediaTime,
        reached: MediaTime,
        utcOffset: MediaTime,
        isRest: Bool
    ) -> CutSegment? {
        open(number, from: start)
        take(before: reached)
        guard var filling = filling.take() else { return nil }
        defer { self.filling = filling }
        let count = filling.samples.count - (isRest || continues(&filling, until: units(reached)) ? 0 : 1)
        guard count > filling.emitted else { return nil }
        let samples = Array(filling.samples[filling.emitted..<count])
        let length = samples.reduce(0) { $0 + Int64($1.duration) }
        let begin = filling.begin + filling.partsLength
        let first =
            filling.partEnd ?? self.start
            ?? Boundary(media: MediaTime(begin, timescale: timescale), utcOffset: utcOffset)
        let media = MediaTime(begin + length, timescale: timescale)
        let last = Boundary(media: media, utcOffset: utcOffset, after: first)
        (filling.emitted, filling.partsLength, filling.partEnd) = (count, filling.partsLength + length, last)
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

    /// Returns true if a segment that lasts at least to a point certainly has a frame after its newest one.
    private func continues(_ filling: inout Filling, until reached: Int64) -> Bool {
        guard reached >= filling.cursor + frameLength, filling.samples.count > filling.emitted else { return false }
        return filling.mayHaveSilence()
    }
}
