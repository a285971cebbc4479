import Playlists
import Testing

@testable import Rekeying

/// The text of a copied playlist, beside the one that it is made of.
@Suite struct RekeyedPlaylistTests {
    /// Lines are there once, if a value holds them or only the text.
    @Test func eachLineIsThereOnce() throws {
        let lines = [
            #"#EXT-X-DEFINE:QUERYPARAM="token""#, #"#EXT-X-DATERANGE:ID="7",START-DATE="2026-01-01T00:00:02.000Z""#,
            "#EXT-OATCLS-SCTE35:/DA=", "#EXT-X-CUE-OUT:4.000", "#EXT-X-CUE-IN", "#EXT-X-COM-EXAMPLE:1",
            "#EXT-X-CUE-OUT-CONT:ElapsedTime=2.000,Duration=4.000,SCTE35=/DA=",
        ]
        let text = """
            #EXTM3U
            #EXT-X-VERSION:11
            \(lines[0])
            #EXT-X-TARGETDURATION:2
            #EXT-X-MEDIA-SEQUENCE:1
            #EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z
            #EXTINF:2.00000,
            video-1p/1.ts
            \(lines[1])
            \(lines[2])
            \(lines[3])
            #EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:02.000Z
            #EXTINF:2.00000,
            video-1p/2.ts
            \(lines[6])
            #EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:04.000Z
            #EXTINF:2.00000,
            video-1p/3.ts
            \(lines[4])
            \(lines[5])
            #EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:06.000Z
            #EXTINF:2.00000,
            video-1p/4.ts

            """
        let playlist = try MediaPlaylist(parsing: text)
        let copy = RekeyedPlaylist.text(playlist, keepingLinesOf: text).split(separator: "\n").map(String.init)
        for line in lines { #expect(copy.count { $0 == line } == 1, "\(line) in \(copy)") }
        #expect(try MediaPlaylist(parsing: copy.joined(separator: "\n") + "\n").segments == playlist.segments)
    }
}
