import ContentProtection
import ISOBMFF
import MediaCore
import NIOCore
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

    mutating func mux(_ contents: SegmentContents, key _: PeriodKey?) throws -> MuxedSegment {
        let cues = try contents.timedCues.map { $0.counted(from: contents.mediaOffset) }
        let document = IMSC1Document(language: language, cues: cues)
        var contents = contents
        // Players look for timed metadata in what leads.
        (contents.tags, contents.sections) = (nil, [])
        contents.cut.cues = nil
        contents.cut.decodeTime -= contents.mediaOffset.value(timescale: contents.cut.timescale)
        contents.cut.samples = [
            FragmentSample(
                duration: UInt32(clamping: contents.cut.duration),
                isSync: true,
                payload: ByteBuffer(string: document.render())
            )
        ]
        return try fragments.mux(contents, key: nil)
    }
}
