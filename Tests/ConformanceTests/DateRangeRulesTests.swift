import MediaCore
import Playlists
import Testing

@testable import Conformance

/// Faults of date ranges that a client can see from version to version.
@Suite struct DateRangeRulesTests {
    private static let out = #"ID="a",START-DATE="1970-01-01T00:00:12.000Z",PLANNED-DURATION=8.000,SCTE35-OUT=0xFC"#

    /// Four segments of four seconds, the first of which begins at that second.
    private static func playlist(from first: Int64, _ tags: String...) throws -> MediaPlaylist {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-MEDIA-SEQUENCE:\(first / 4)\n"
        for tag in tags { text += "#EXT-X-DATERANGE:\(tag)\n" }
        for start in stride(from: first, to: first + 16, by: 4) {
            text += "#EXT-X-PROGRAM-DATE-TIME:\(MediaTime(seconds: start).iso8601)\n#EXTINF:4,\n\(start).ts\n"
        }
        return try MediaPlaylist(parsing: text)
    }

    private static func violations(_ versions: MediaPlaylist...) -> [PlaylistRule] {
        var rules = PlaylistRules()
        return versions.flatMap { rules.violations(of: $0) }.map(\.rule)
    }

    @Test func aBreakThatIsToldAndEndedIsFine() throws {
        let end = #"ID="a",START-DATE="1970-01-01T00:00:12.000Z",DURATION=8.000,SCTE35-IN=0xFD"#
        let versions = Self.violations(
            try Self.playlist(from: 0),
            try Self.playlist(from: 4, Self.out),
            try Self.playlist(from: 12, Self.out, end),
            try Self.playlist(from: 24)
        )
        #expect(versions.isEmpty)
    }

    @Test func whatLastsIsNotRemoved() throws {
        let found = Self.violations(try Self.playlist(from: 4, Self.out), try Self.playlist(from: 8))
        #expect(found == [.dateRangeRemoved])
    }

    @Test func whatWasToldIsNotAltered() throws {
        let other = Self.out.replacing("8.000,", with: "9.000,")
        let found = Self.violations(try Self.playlist(from: 4, Self.out), try Self.playlist(from: 8, other))
        #expect(found == [.dateRangeAltered])
    }

    /// A violation is reported once, and not for every version that has it.
    @Test func whatIsInvalidIsToldOnce() throws {
        let tag = #"ID="a",DURATION=8.000"#
        let found = Self.violations(try Self.playlist(from: 4, tag), try Self.playlist(from: 8, tag))
        #expect(found == [.dateRangeInvalid])
    }

    /// EXT-X-CUE-OUT knows one break at a time; a playlist may begin inside one, and need not tag all of it.
    @Test(arguments: [
        ("OUT:DURATION=8|OUT-CONT:4/8|IN|", 0), ("OUT-CONT:4/8||IN|OUT:8", 0), ("|IN||", 0),
        ("OUT:8|OUT:8||IN", 1), ("OUT:8|IN|IN|", 1), ("IN|OUT-CONT:4/8||", 1),
        ("OUT:8|OUT-CONT:4/8|OUT-CONT:4/8|IN", 1),
    ])
    func breaksOfAdServersFollowEachOther(cues: String, count: Int) throws {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:00:00Z\n"
        for (index, cue) in cues.split(separator: "|", omittingEmptySubsequences: false).enumerated() {
            if !cue.isEmpty { text += "#EXT-X-CUE-\(cue)\n" }
            text += "#EXTINF:4,\n\(index).ts\n"
        }
        let found = Self.violations(try MediaPlaylist(parsing: text))
        #expect(found == [PlaylistRule](repeating: .breakCueContradicted, count: count))
    }
}
