import ContentProtection
import ISOBMFF
import MediaCore
import NIOCore
import Playlists
import Segmenting
import TimedText

/// Writes IMSC 1 in fragmented MP4: one document for each segment, which needs no other.
struct IMSC1Muxer: SegmentMuxer {
    private let language: String?
    private var fragments: FragmentMuxer

    init(language: String?, name: String) {
        self.language = language
        fragments = FragmentMuxer(kind: .text(.imsc1), language: language, isCounterMode: false, name: name)
    }

    mutating func mux(
        _ contents: SegmentContents,
        key _: PeriodKey?,
        into room: consuming ByteBuffer = ByteBuffer()
    ) throws -> MuxedSegment {
        let cues = try contents.timedCues.map { $0.counted(from: contents.mediaOffset) }
        let document = IMSC1Document(language: language, cues: cues)
        var contents = contents
        // Players look for timed metadata in video or audio.
        (contents.tags, contents.sections) = (nil, [])
        contents.cut.cues = nil
        // The segment reaches from one decode time to the next, even if UTC is slewed in between.
        let timescale = contents.cut.timescale
        let end = contents.cut.decodeTime + contents.cut.duration
        contents.cut.decodeTime -= contents.mediaOffset.value(timescale: timescale)
        let next = end - contents.mediaOffsetAtEnd.value(timescale: timescale)
        contents.cut.duration = max(next - contents.cut.decodeTime, 1)
        contents.cut.samples = [
            FragmentSample(
                duration: UInt32(clamping: contents.cut.duration),
                isSync: true,
                payload: ByteBuffer(string: document.render())
            )
        ]
        var segment = try fragments.mux(contents, key: nil, into: room)
        segment.duration = SegmentDuration(value: contents.cut.duration, timescale: timescale)
        return segment
    }
}
