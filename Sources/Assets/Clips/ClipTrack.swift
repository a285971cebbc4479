import ISOBMFF
import Inspection
import MediaCore
import NIOCore

/// The samples of one rendition around a clip, in the order that they are decoded in, their times in UTC.
struct ClipTrack: Sendable {
    let kind: MediaKind
    /// Ticks per second of all times here.
    let timescale: Int64
    let language: String?
    let placement: PicturePlacement
    /// Sample entries in the clear, each once.
    private(set) var entries: [ByteBuffer] = []
    private(set) var samples: [Sample] = []
    /// The segments, in order; together they have all samples.
    private(set) var segments: [Segment] = []
    /// UTC less media time, in ticks.
    private var shift: Int64?

    /// A sample; a track may have a million.
    struct Sample: Hashable, Sendable {
        /// Ticks since 1970; no two have the same.
        var decodeTime: Int64
        /// Ticks since 1970.
        var presentationTime: Int64
        var duration: UInt32
        var size: UInt32
        /// The number of samples before it in its segment.
        var index: UInt32
        var isSync: Bool
    }

    /// A segment of the recording that samples are of.
    struct Segment: Hashable, Sendable {
        /// Indices into ``ClipTrack/samples``.
        var samples: Range<Int>
        /// An index into ``ClipTrack/entries``.
        var entry: Int
        /// An index into the caller's samples.
        var source: Int
    }

    /// The difference between the times of two segments that is rounding, and no leap.
    private static let rounding = MediaTime(milliseconds: 2)
    /// Far more than any segment has.
    private static let longestSegment = MediaTime(seconds: 3600)
    /// The bound of times that arithmetic here is safe with.
    private static let farthest: Int64 = 1 << 52
    /// Ticks per second at most: at this rate, the longest clip fits in 32 bits.
    private static let finest: Int64 = 192_000

    init(_ section: ClipSection) {
        kind = section.kind
        timescale = Int64(section.track.timescale) > Self.finest ? MediaTime.timescale : Int64(section.track.timescale)
        language = section.language
        placement = section.placement
    }

    /// The time behind the last sample; nil if there is none.
    var end: Int64? { samples.last.map { $0.decodeTime + Int64($0.duration) } }

    /// Adds the next segment.
    ///
    /// - Parameters:
    ///   - fragments: The segment's fragments of the track.
    ///   - section: Its initialization section.
    ///   - start: UTC of its first sample.
    ///   - source: The segment's index at the caller's.
    mutating func append(_ fragments: [ParsedFragment], _ section: ClipSection, start: MediaTime, source: Int) {
        guard let first = fragments.first, abs(start.ticks) < Self.farthest else { return }
        let scale = Int64(section.track.timescale)
        let mediaStart = MediaTime.rescale(Int64(clamping: first.baseMediaDecodeTime), from: scale, to: timescale)
        let measured = start.value(timescale: timescale) &- mediaStart
        if let shift, abs(measured &- shift) <= Self.rounding.value(timescale: timescale) {
            // The track continues at the end of the segment before.
        } else {
            shift = measured
        }
        let firstSample = samples.count
        for (index, sample) in fragments.lazy.flatMap(\.samples).enumerated() {
            let elapsed =
                MediaTime.rescale(Int64(clamping: sample.decodeTime), from: scale, to: timescale) &- mediaStart
            guard elapsed >= 0, elapsed <= Self.longestSegment.value(timescale: timescale) else { continue }
            let offset = MediaTime.rescale(sample.compositionOffset, from: scale, to: timescale)
            let duration = MediaTime.rescale(Int64(sample.duration), from: scale, to: timescale)
            append(
                Sample(
                    decodeTime: mediaStart &+ (shift ?? 0) &+ elapsed,
                    presentationTime: mediaStart &+ (shift ?? 0) &+ elapsed &+ (kind == .audio ? 0 : offset),
                    duration: UInt32(clamping: max(1, duration)),
                    size: UInt32(clamping: sample.size),
                    index: UInt32(clamping: index),
                    isSync: sample.isSync
                )
            )
        }
        guard samples.count > firstSample else { return }
        let entry = index(of: section.entry)
        segments.append(Segment(samples: firstSample..<samples.count, entry: entry, source: source))
    }

    private mutating func append(_ sample: Sample) {
        var sample = sample
        if let end, let last = samples.last {
            // The audio of an input that takes over may begin before the audio of the first has ended.
            if kind == .audio, sample.decodeTime < end - Int64(last.duration) / 2 { return }
            sample.decodeTime = max(sample.decodeTime, last.decodeTime + 1)
            if kind == .audio { sample.presentationTime = sample.decodeTime }
            samples[samples.count - 1].duration = UInt32(clamping: sample.decodeTime - last.decodeTime)
        }
        samples.append(sample)
    }

    private mutating func index(of entry: ByteBuffer) -> Int {
        if let index = entries.firstIndex(of: entry) { return index }
        entries.append(entry)
        return entries.count - 1
    }
}
