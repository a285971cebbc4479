import ContentProtection
import MediaCore
import NIOCore
import Segmenting
import TimedText

/// Writes WebVTT: each segment with all cues that are shown in it, which may be none.
struct WebVTTMuxer: SegmentMuxer {
    /// The container of the renditions that play along.
    let container: StreamFormat

    mutating func mux(
        _ contents: SegmentContents,
        key _: PeriodKey?,
        into _: consuming ByteBuffer = ByteBuffer()
    ) throws -> MuxedSegment {
        let cues = try contents.timedCues
        // Players that count on 32 bits of milliseconds, or convert to 90 kHz, fail at hours that count from 1970.
        let origin = contents.cut.start.media.hourBefore
        let segment = WebVTTSegment(
            mediaOrigin: origin - contents.mediaOffset,
            container: container,
            cues: cues.map { $0.counted(from: origin) }
        )
        return MuxedSegment(bytes: ByteBuffer(string: segment.render()))
    }
}

extension SegmentContents {
    /// The cues that are shown in it, in an order that does not depend on when they came.
    ///
    /// - Throws: ``SegmentMuxerError/notCarried`` if it is no text, or was not made by the packager's readers.
    var timedCues: [TimedCue] {
        get throws(SegmentMuxerError) {
            guard let cues = cut.cues else { throw .notCarried }
            var timed: [TimedCue] = []
            for cue in cues {
                guard let content = CueContent(bytes: String(buffer: cue.payload)) else { throw .notCarried }
                // While its end is unknown, a cue may be limited to its segment (RFC 8216bis § 3.1.4). A very short cue
                // must also end after its start in milliseconds, the unit in which times are written.
                let end = max(cue.end ?? cut.end.media, cue.start + MediaTime(milliseconds: 1))
                timed.append(TimedCue(start: cue.start, end: end, content: content))
            }
            return timed.sorted()
        }
    }
}

extension TimedCue {
    /// The cue on a timeline whose zero is `origin`; one that began before that begins with it.
    func counted(from origin: MediaTime) -> TimedCue {
        TimedCue(start: max(start - origin, .zero), end: max(end - origin, .zero), content: content)
    }
}

extension MediaTime {
    /// The start of the hour before its own, so that a cue of up to an hour keeps its start.
    fileprivate var hourBefore: MediaTime {
        let hour = MediaTime(seconds: 3600)
        return MediaTime(ticks: ticks.flooredQuotientAndRemainder(dividingBy: hour.ticks).quotient * hour.ticks) - hour
    }
}
