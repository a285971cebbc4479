import MediaCore
import NIOCore
import Playlists
import SegmentingSupport
import TestSupport
import Testing
import TimedText

@testable import Packaging
@testable import Segmenting

/// Segments of WebVTT as a player reads them.
@Suite struct WebVTTMuxerTests {
    /// The place on the media timeline at which a player shows a time of a segment that begins at `start` (RFC 8216bis
    /// § 3.1.4): beside a transport stream the nearest of the times that 33 bits leave open, beside fragmented MP4 the very
    /// time, as Shaka Player takes it.
    private static func mediaTime(
        _ time: MediaTime,
        _ timestamp: Int64,
        near start: MediaTime,
        _ container: StreamFormat
    ) -> MediaTime {
        if container == .fmp4 { return MediaTime(ticks: time.ticks + timestamp) }
        let modulus = Timestamps.transportStreamModulus
        let shown = Timestamps.reduce(time.ticks + timestamp, modulus: modulus)
        let here = Timestamps.reduce(start.ticks, modulus: modulus)
        return start + MediaTime(ticks: Timestamps.distance(from: here, to: shown, modulus: modulus))
    }

    private static func write(
        _ contents: SegmentContents,
        _ container: StreamFormat = .fmp4
    ) throws -> (text: String, timestamp: Int64) {
        var muxer = WebVTTMuxer(container: container)
        let text = String(buffer: try muxer.mux(contents, key: nil).bytes)
        let map = try #require(text.firstMatch(of: /X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:(\d+)\n/))
        return (text, try #require(Int64(map.output.1)))
    }

    /// Times are written in milliseconds: a cue that ends at its start is invalid (WebVTT § 6.3).
    @Test func aCueOfAMomentEndsBehindItsStart() throws {
        let content = try #require(CueContent(text: "flash"))
        let start = Epoch.at(1_000)
        var cut = CutSegment(
            number: Epoch.slot,
            start: Boundary(media: Epoch.at(0), utcOffset: .zero),
            end: Boundary(media: Epoch.at(4_000), utcOffset: .zero),
            timescale: MediaTime.timescale,
            decodeTime: Epoch.at(0).ticks,
            duration: 360_000,
            samples: [],
            configuration: .text(.webVTT)
        )
        cut.cues = [
            Cue(start: start, end: start + MediaTime(ticks: 1), payload: ByteBuffer(string: content.bytes))
        ]
        let document = try TimedTextDocument(parsing: Array(try Self.write(SegmentContents(cut)).text.utf8))
        #expect(document.problems.isEmpty && document.cues.count == 1)
    }

    /// Slots of four seconds over 54 hours, in which 33 bits of 90 kHz wrap twice: every cue is where it was said, with the
    /// same text and times in both of the segments that it spans, and no time counts from 1970.
    @Test(arguments: 0..<4 as Range<UInt64>, StreamFormat.allCases)
    func cuesAreWhereTheyWereSaidOverTwoWraps(seed: UInt64, container: StreamFormat) throws {
        var generator = SeededGenerator(seed: seed)
        let offset = MediaTime(ticks: Int64.random(in: 0..<1 << 34, using: &generator))
        let slotCount: Int64 = 54 * 900
        var wraps = 0
        var before: Int64?
        var spanning: (cue: Cue, shown: (start: MediaTime, end: MediaTime))?
        for number in stride(from: 0, to: slotCount, by: 47) {
            for slot in number..<number + 2 {
                let (start, end) = (Epoch.at(slot * 4_000), Epoch.at(slot * 4_000 + 4_000))
                var cues: [Cue] = []
                if slot == number {
                    let content = try #require(CueContent(text: "said \(slot)"))
                    let length = Int64.random(in: 2_000...4_000, using: &generator)
                    cues = [
                        Cue(
                            start: end - MediaTime(milliseconds: 1_000),
                            end: end - MediaTime(milliseconds: 1_000 - length),
                            payload: ByteBuffer(string: content.bytes)
                        )
                    ]
                    spanning = nil
                } else if let cue = spanning?.cue {
                    cues = [cue]
                }
                var cut = CutSegment(
                    number: Epoch.slot.advanced(by: slot),
                    start: Boundary(media: start, utcOffset: .zero),
                    end: Boundary(media: end, utcOffset: .zero),
                    timescale: MediaTime.timescale,
                    decodeTime: start.ticks,
                    duration: (end - start).ticks,
                    samples: [],
                    configuration: .text(.webVTT)
                )
                cut.cues = cues
                var contents = SegmentContents(cut)
                contents.mediaOffset = offset
                let (text, timestamp) = try Self.write(contents, container)
                if let before, timestamp < before { wraps += 1 }
                before = timestamp
                #expect((timestamp < Timestamps.transportStreamModulus) == (container == .ts))
                let read = try TimedTextDocument(parsing: Array(text.utf8)).cues
                let cue = try #require(read.first)
                #expect(read.count == 1 && cue.end < MediaTime(seconds: 3 * 3600))
                let shown = (
                    start: Self.mediaTime(cue.start, timestamp, near: start - offset, container),
                    end: Self.mediaTime(cue.end, timestamp, near: start - offset, container)
                )
                #expect(shown.start == cues[0].start - offset && cues[0].end.map { $0 - offset == shown.end } == true)
                if let spanning { #expect(spanning.shown == shown) }
                spanning = (cues[0], shown)
            }
        }
        #expect(container == .fmp4 ? wraps == 0 : wraps == 2 || wraps == 3)
    }

    @Test func aCueThatNobodyHasEndedIsLimitedToItsSegment() throws {
        let content = try #require(CueContent(text: "so far"))
        var cut = CutSegment(
            number: Epoch.slot,
            start: Boundary(media: Epoch.time, utcOffset: .zero),
            end: Boundary(media: Epoch.at(4_000), utcOffset: .zero),
            timescale: MediaTime.timescale,
            decodeTime: Epoch.time.ticks,
            duration: 360_000,
            samples: [],
            configuration: .text(.webVTT)
        )
        cut.cues = [Cue(start: Epoch.at(-9_000_000), end: nil, payload: ByteBuffer(string: content.bytes))]
        let (text, _) = try Self.write(SegmentContents(cut))
        // What began more than an hour before the hour of its segment begins with that.
        #expect(text.hasSuffix("00:00:00.000 --> 01:06:44.000\nso far\n"))
        cut.cues = [Cue(start: Epoch.time, end: nil, payload: ByteBuffer(string: "of another program"))]
        #expect(throws: SegmentMuxerError.self) { try Self.write(SegmentContents(cut)) }
    }
}
