import Codecs
import ISOBMFF
package import MediaCore
import NIOCore

/// Cuts one audio track at the channel's boundaries: at the first frame at or after each.
///
/// Within a segment the times of frames follow from the timestamp of the first one, and the last frame absorbs the
/// rounding. A segment's decode time therefore depends only on the feed, not on when the packager started. A hole
/// inside a slot is filled with silence; a slot without a frame is a gap.
package struct AudioCutter: Sendable {
    /// Repairs since ``takeRepairs()`` was last called.
    package internal(set) var repairs: [CutRepair] = []

    var frames: [Frame] = []
    /// The start of the next segment on the media timeline, in PCM samples; nil before the first.
    var next: Int64?
    /// True once a frame has come.
    var hasBegun = false
    var timescale: Int64 = 48_000
    /// The end of the segment before; nil before the first.
    var start: Boundary?
    /// The slot that was cut last.
    var newestSlot: MediaSequenceNumber?

    /// The segment that has begun, if its parts are handed out one by one.
    var filling: Filling?

    struct Frame {
        var time: MediaTime
        /// The length in PCM samples.
        var length: Int64
        var payload: ByteBuffer
        var configuration: CodecConfiguration
    }

    /// The length of the usual frame, in PCM samples.
    var frameLength: Int64 = 1024

    package init() {}

    /// Takes the list of repairs and empties it.
    package mutating func takeRepairs() -> [CutRepair] {
        defer { repairs.removeAll(keepingCapacity: true) }
        return repairs
    }

    /// Begins anew if UTC moved against media time, by more than slewing does, while nothing came.
    ///
    /// - Parameter utcOffset: UTC minus media time.
    mutating func resume(at utcOffset: MediaTime) {
        guard frames.isEmpty, filling == nil, let start, start.isAstray(from: utcOffset) else { return }
        next = nil
        self.start = nil
    }

    /// Takes a frame that has arrived.
    ///
    /// - Parameters:
    ///   - sample: The frame, on the track's media timeline.
    ///   - configuration: The decoder configuration of the frame.
    package mutating func received(_ sample: Sample, configuration: CodecConfiguration) {
        let frame = Frame(
            time: sample.presentationTime,
            length: Int64(sample.audioLength > 0 ? sample.audioLength : configuration.audio?.samplesPerFrame ?? 0),
            payload: sample.payload,
            configuration: configuration
        )
        // A feed that jumps can send an earlier time; frames are kept in order, so that the newest is the last.
        var index = frames.endIndex
        while index > 0, frames[index - 1].time > frame.time { index -= 1 }
        frames.insert(frame, at: index)
    }

    /// Forgets frames before a time on the media timeline, which are not published.
    package mutating func discard(before time: MediaTime) {
        frames.removeSubrange(..<(frames.firstIndex { $0.time >= time } ?? frames.endIndex))
    }

    /// Returns true if every frame before a time on the media timeline has arrived.
    package func isComplete(until end: MediaTime) -> Bool {
        frames.last.map { $0.time >= end } ?? false
    }

    /// The start of the oldest frame that has not been cut, on the media timeline.
    var oldest: MediaTime? { filling.map { MediaTime($0.begin, timescale: timescale) } ?? frames.first?.time }

    /// Returns the start of the oldest frame that is no older than a point on the media timeline.
    func oldestFrame(from start: MediaTime) -> MediaTime? {
        if let begin = oldest, begin >= start { return begin }
        return frames.first { $0.time >= start }?.time
    }

    /// The start of the newest frame, on the media timeline.
    package var newest: MediaTime? { frames.last?.time ?? filling?.newest }

    /// Cuts a slot's segment.
    ///
    /// - Parameters:
    ///   - number: The slot.
    ///   - start: The start of the slot's video, on this track's media timeline.
    ///   - end: The start of the next slot's video; nil at the feed's end, which then ends the segment.
    ///   - utcOffset: UTC minus media time.
    /// - Returns: The segment, or a gap.
    package mutating func cut(
        _ number: MediaSequenceNumber,
        from start: MediaTime,
        to end: MediaTime?,
        utcOffset: MediaTime
    ) -> CutSegment {
        open(number, from: start)
        take(before: end)
        return close(at: end, utcOffset: utcOffset)
    }

    /// Ends the segment that has begun.
    mutating func close(at end: MediaTime?, utcOffset: MediaTime) -> CutSegment {
        var filling = self.filling ?? Filling(number: MediaSequenceNumber(0), edge: .zero, hasPredecessor: false)
        self.filling = nil
        if filling.configuration == nil {
            filling.begin = next ?? units(filling.edge)
            filling.cursor = filling.begin
        }
        let following = frames.first?.time
        // A frame that the boundary cuts through belongs to the slot before: the first one may be a frame late.
        let longest = max(frameLength, filling.longest)
        let hasHead = filling.hasPredecessor || filling.begin - units(filling.edge) < longest + longest / 2
        var finish = filling.cursor
        if let end {
            // The next segment starts with the first frame at or after the boundary; if that frame is lost, on the
            // frame grid of this one.
            let limit = units(end)
            if let following, units(following) - limit < 2 * longest {
                finish = units(following)
            } else {
                finish = Self.frameEdge(limit, from: filling.cursor, frameLength)
            }
            if !filling.samples.isEmpty { fill(&filling, upTo: finish) }
        }
        // The last frame may overlap the one after the boundary, which is then dropped; every frame has a length.
        let lastLength = filling.samples.last.map { Int64($0.duration) } ?? 0
        finish = max(finish, filling.samples.isEmpty ? filling.begin + 1 : filling.cursor - lastLength / 2)
        if let last = filling.samples.indices.last {
            filling.samples[last].duration = UInt32(clamping: lastLength + finish - filling.cursor)
        }
        next = finish
        let first = start ?? Boundary(media: MediaTime(filling.begin, timescale: timescale), utcOffset: utcOffset)
        let last = Boundary(media: MediaTime(finish, timescale: timescale), utcOffset: utcOffset, after: first)
        start = last
        return CutSegment(
            number: filling.number,
            start: first,
            end: last,
            timescale: timescale,
            decodeTime: filling.begin,
            duration: finish - filling.begin,
            samples: filling.samples,
            emitted: filling.emitted,
            configuration: filling.samples.isEmpty ? nil : filling.configuration,
            coverage: MediaTime(min(filling.length, finish - filling.begin), timescale: timescale),
            isWhole: hasHead && !filling.isRepaired && following != nil
        )
    }
}

extension AudioCutter {
    /// Returns the first time at or after `limit` at which a frame would begin, if frames continued from `cursor`.
    static func frameEdge(_ limit: Int64, from cursor: Int64, _ frameLength: Int64) -> Int64 {
        cursor + (max(limit - cursor, 0) + frameLength - 1) / frameLength * frameLength
    }

    /// Continues at a slot, on the same frames, with nothing for the slots before it.
    ///
    /// - Parameters:
    ///   - number: The slot.
    ///   - time: The start of the slot, on this track's media timeline.
    ///   - utcOffset: UTC minus media time.
    mutating func leap(to number: MediaSequenceNumber, at time: MediaTime, utcOffset: MediaTime) {
        guard let cursor = next, newestSlot.map({ $0 < number.previous }) ?? false else { return }
        filling = nil
        let begin = Self.frameEdge(units(time), from: cursor, frameLength)
        next = begin
        start = Boundary(media: MediaTime(begin, timescale: timescale), utcOffset: utcOffset)
        newestSlot = number.previous
    }

    static func sample(_ payload: ByteBuffer, length: Int64) -> FragmentSample {
        FragmentSample(
            duration: UInt32(clamping: length),
            compositionOffset: 0,
            isSync: true,
            payload: payload,
            subsamples: []
        )
    }

    func units(_ time: MediaTime) -> Int64 { time.value(timescale: timescale) }
}
