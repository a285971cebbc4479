import MediaCore
import Testing

@testable import Playlists

/// Tags of the EXT-X-CUE-OUT family, which no standard has: in the forms that ad servers read.
@Suite struct BreakCueTests {
    private static let section: [UInt8] = [0xFC, 0x30, 0x11]

    private static let forms: [(BreakCue, String)] = [
        (BreakCue(out: .init(duration: MediaTime(seconds: 30))), "#EXT-X-CUE-OUT:DURATION=30.000\n"),
        (BreakCue(out: .init()), "#EXT-X-CUE-OUT\n"),
        (
            BreakCue(out: .init(elapsed: MediaTime(milliseconds: 8_308), duration: MediaTime(seconds: 30))),
            "#EXT-X-CUE-OUT-CONT:ElapsedTime=8.308,Duration=30.000\n"
        ),
        (BreakCue(endsBreak: true), "#EXT-X-CUE-IN\n"),
        (
            BreakCue(endsBreak: true, out: .init(duration: MediaTime(seconds: 4))),
            "#EXT-X-CUE-IN\n#EXT-X-CUE-OUT:DURATION=4.000\n"
        ),
        (
            BreakCue(out: .init(duration: MediaTime(seconds: 30), section: section)),
            "#EXT-OATCLS-SCTE35:/DAR\n#EXT-X-CUE-OUT:30.000\n"
        ),
        (
            BreakCue(out: .init(elapsed: .zero, duration: MediaTime(seconds: 30), section: section)),
            "#EXT-X-CUE-OUT-CONT:ElapsedTime=0.000,Duration=30.000,SCTE35=/DAR\n"
        ),
    ]

    @Test(arguments: forms) func cuesAreReadAsTheyWereWritten(cue: BreakCue, lines: String) {
        #expect(cue.lines == lines)
        #expect(BreakCue(lines: lines) == cue)
    }

    /// The tags are as other packagers write them.
    @Test(
        arguments: [
            ("#EXT-X-CUE-OUT:120", nil, 120_000), ("#EXT-X-CUE-OUT:Duration=\"30\",BREAKID=7", nil, 30_000),
            ("#EXT-X-CUE-OUT-CONT:8.5/30", 8_500, 30_000),
            ("#EXT-X-CUE-OUT-CONT:CAID=0x1A,ElapsedTime=2.200,Duration=120.000,SCTE35=/DAR", 2_200, 120_000),
            ("#EXT-X-CUE-OUT:soon", nil, nil), ("#EXT-X-CUE-OUT-CONT:", 0, nil),
        ] as [(String, Int64?, Int64?)]
    )
    func cuesOfOtherPackagersAreRead(line: String, elapsed: Int64?, duration: Int64?) throws {
        let out = try #require(BreakCue(lines: line)?.out)
        #expect(out.elapsed?.milliseconds == elapsed && out.duration?.milliseconds == duration)
    }

    @Test func cuesStandAboveTheirSegment() throws {
        var segment = MediaPlaylist.Segment(
            uri: "1.ts",
            duration: SegmentDuration(value: 4, timescale: 1),
            programDateTime: MediaTime(seconds: 4)
        )
        segment.cue = BreakCue(out: .init(duration: MediaTime(seconds: 8)))
        let playlist = MediaPlaylist(targetDuration: 4, mediaSequence: MediaSequenceNumber(1), segments: [segment])
        let text = playlist.render()
        #expect(text.contains("#EXT-X-CUE-OUT:DURATION=8.000\n#EXT-X-PROGRAM-DATE-TIME:"))
        #expect(try MediaPlaylist(parsing: text).segments.map(\.cue) == [segment.cue])
        #expect(BreakCue(lines: "#EXTINF:4,\n") == nil)
    }
}
