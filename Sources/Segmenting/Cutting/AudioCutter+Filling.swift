import Codecs
import ISOBMFF
import MediaCore

/// The segment that an audio cutter fills, frame by frame.
extension AudioCutter {
    /// A segment that has begun.
    struct Filling {
        var number: MediaSequenceNumber
        /// The start of its slot's video.
        var edge: MediaTime
        /// True if it continues where the segment before ended.
        var hasPredecessor: Bool
        var begin: Int64 = 0
        var cursor: Int64 = 0
        var samples: [FragmentSample] = []
        var configuration: CodecConfiguration?
        /// True if there are frames of silence in that configuration; nil before the first check.
        private var hasSilence: Bool?
        /// PCM samples of its frames that are the feed's own.
        var length: Int64 = 0
        /// PCM samples of the longest frame.
        var longest: Int64 = 0
        /// The start of its newest frame.
        var newest: MediaTime?
        var isRepaired = false
        /// The number of samples that were handed out as parts.
        var emitted = 0
        /// PCM samples of these parts.
        var partsLength: Int64 = 0
        /// The end of the newest part.
        var partEnd: Boundary?

        init(number: MediaSequenceNumber, edge: MediaTime, hasPredecessor: Bool) {
            (self.number, self.edge, self.hasPredecessor) = (number, edge, hasPredecessor)
        }

        /// Returns true if silence can take the place of a frame that does not come.
        mutating func mayHaveSilence() -> Bool {
            if let hasSilence { return hasSilence }
            let hasFrame = configuration.flatMap(AudioSilence.frame) != nil
            hasSilence = hasFrame
            return hasFrame
        }
    }

    /// Begins a slot's segment, unless it has begun.
    mutating func open(_ number: MediaSequenceNumber, from start: MediaTime) {
        if filling?.number == number { return }
        if let newestSlot, newestSlot.next != number {
            // Slots went by without this track: it begins anew.
            next = nil
            self.start = nil
        }
        newestSlot = number
        if next == nil { discard(before: start) }
        filling = Filling(number: number, edge: start, hasPredecessor: next != nil)
    }

    /// Moves frames to the segment that has begun: those before a point on the media timeline, or all.
    mutating func take(before end: MediaTime?) {
        guard var filling = self.filling.take() else { return }
        defer { self.filling = filling }
        let count = end.flatMap { end in frames.firstIndex { $0.time >= end } } ?? frames.endIndex
        for frame in frames[..<count] { take(frame, in: &filling) }
        frames.removeSubrange(..<count)
    }

    private mutating func take(_ frame: Frame, in filling: inout Filling) {
        if filling.configuration == nil, let audio = frame.configuration.audio {
            // The configuration of its first frame holds for a segment.
            filling.configuration = frame.configuration
            let rate = Int64(audio.sampleRate)
            if rate != timescale { next = next.map { MediaTime.rescale($0, from: timescale, to: rate) } }
            timescale = rate
            frameLength = Int64(audio.samplesPerFrame)
            filling.begin = next ?? units(frame.time)
            filling.cursor = filling.begin
        }
        filling.longest = max(filling.longest, frame.length)
        filling.newest = frame.time
        guard frame.configuration == filling.configuration else {
            repair(.configurationChange, &filling)
            return
        }
        let time = units(frame.time)
        guard time - filling.cursor > -frame.length / 2 else {
            // The segment lacks nothing: it has other media for that time.
            repairs.append(.overlappingAudio)
            return
        }
        // Before its first frame, the track was not received: that is no fault of the feed.
        fill(&filling, upTo: time, isFault: hasBegun)
        hasBegun = true
        // Without silence in its format, the first frame also lasts through the hole ahead of it: those after it are in time.
        let hole = filling.samples.isEmpty ? filling.cursor - filling.begin : 0
        filling.samples.append(Self.sample(frame.payload, length: hole + frame.length))
        filling.cursor += frame.length
        filling.length += frame.length
    }

    /// Inserts silence for every whole frame that is missing before `time`, to the nearest.
    mutating func fill(_ filling: inout Filling, upTo time: Int64, isFault: Bool = true) {
        let missing = (time - filling.cursor + frameLength / 2) / frameLength
        guard missing > 0 else { return }
        if isFault { repair(.silenceInserted, &filling) }
        filling.isRepaired = true
        filling.cursor += missing * frameLength
        if let silence = filling.configuration.flatMap(AudioSilence.frame) {
            for _ in 0..<missing { filling.samples.append(Self.sample(silence, length: frameLength)) }
        } else if let last = filling.samples.indices.last {
            // There is no silence in this format: the frame before the hole lasts through it.
            filling.samples[last].duration += UInt32(clamping: missing * frameLength)
        }
    }

    private mutating func repair(_ repair: CutRepair, _ filling: inout Filling) {
        repairs.append(repair)
        filling.isRepaired = true
    }
}
