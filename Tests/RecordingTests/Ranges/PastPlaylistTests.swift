import Foundation
import MediaCore
import NIOCore
import Playlists
import Presentation
import TestSupport
import Testing

@testable import Recording

@Suite struct PastPlaylistTests {
    private static let first = """
        #EXT-X-KEY:METHOD=AES-128,URI="../../keys/1"
        #EXT-X-MAP:URI="../../video/init-1.mp4"
        #EXT-X-PROGRAM-DATE-TIME:2025-11-27T12:00:00.000Z
        #EXTINF:4.000000,
        ../../video/1000.m4s

        """
    private static let second = """
        #EXT-X-DATERANGE:ID="ad",START-DATE="2025-11-27T12:00:04.000Z"
        #EXT-X-PROGRAM-DATE-TIME:2025-11-27T12:00:04.000Z
        #EXT-X-GAP
        #EXTINF:4.000000,
        ../../video/1001.m4s

        """

    private static func lines(
        _ text: String,
        _ numbers: Range<Int64>,
        scope: String = "",
        isWhole: Bool = false,
        discontinuitiesBefore: Int = 7,
        isGap: Bool = false,
        longest: MediaTime = MediaTime(seconds: 4)
    ) -> RecordedLines {
        let text = ByteBuffer(string: text)
        return RecordedLines(
            numbers: MediaSequenceNumber(numbers.lowerBound)..<MediaSequenceNumber(numbers.upperBound),
            scope: scope,
            text: text,
            gzip: isWhole ? GzipPart(text) : nil,
            discontinuitiesBefore: discontinuitiesBefore,
            discontinuities: 0,
            duration: MediaTime(seconds: 4 * Int64(numbers.count)),
            longest: longest,
            version: 6,
            isGap: isGap,
            programDateTime: .zero
        )
    }

    private static func frame() -> MediaPlaylist {
        var frame = MediaPlaylist(
            targetDuration: 6,
            mediaSequence: MediaSequenceNumber(1000),
            discontinuitySequence: 7,
            isEnded: true
        )
        frame.isOnDemand = true
        return frame
    }

    private static func text(_ playlist: PastPlaylist) -> String { String(buffer: playlist.body) }

    @Test func linesAreListedAsTheyAreBelowAHead() {
        let range = "#EXT-X-DATERANGE:ID=\"show\",START-DATE=\"2025-11-27T11:00:00.000Z\"\n"
        let playlist = PastPlaylist(
            Self.frame(),
            ranges: range,
            lines: [
                Self.lines(Self.first, 1000..<1001),
                Self.lines(Self.second, 1001..<1002, scope: "#EXT-X-KEY:METHOD=NONE\n"),
            ]
        )
        #expect(
            Self.text(playlist) == """
                #EXTM3U
                #EXT-X-VERSION:6
                #EXT-X-TARGETDURATION:6
                #EXT-X-MEDIA-SEQUENCE:1000
                #EXT-X-DISCONTINUITY-SEQUENCE:7
                #EXT-X-PLAYLIST-TYPE:VOD
                #EXT-X-DATERANGE:ID="show",START-DATE="2025-11-27T11:00:00.000Z"
                #EXT-X-KEY:METHOD=AES-128,URI="../../keys/1"
                #EXT-X-MAP:URI="../../video/init-1.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2025-11-27T12:00:00.000Z
                #EXTINF:4.000000,
                ../../video/1000.m4s
                #EXT-X-KEY:METHOD=NONE
                #EXT-X-DATERANGE:ID="ad",START-DATE="2025-11-27T12:00:04.000Z"
                #EXT-X-PROGRAM-DATE-TIME:2025-11-27T12:00:04.000Z
                #EXT-X-GAP
                #EXTINF:4.000000,
                ../../video/1001.m4s
                #EXT-X-ENDLIST

                """
        )
        #expect(playlist.byteCount == Self.text(playlist).utf8.count)
        #expect(!playlist.isGap)
    }

    @Test func aSegmentThatIsLongerRaisesTheTarget() {
        let longest = MediaTime(ticks: 6 * 90_000 + 45_000)
        let playlist = PastPlaylist(Self.frame(), lines: [Self.lines(Self.first, 1000..<1001, longest: longest)])
        #expect(Self.text(playlist).contains("#EXT-X-TARGETDURATION:7\n"))
    }

    @Test func nothingButGapsIsSaidToBe() {
        let gaps = [
            Self.lines(Self.second, 1000..<1001, isGap: true), Self.lines(Self.second, 1001..<1002, isGap: true),
        ]
        #expect(PastPlaylist(Self.frame(), lines: gaps).isGap)
        #expect(PastPlaylist(Self.frame(), lines: []).isGap)
    }

    /// Property: however blocks are compressed, the compressed text is the plain one.
    @Test func theCompressedTextIsThePlainOne() throws {
        var (plain, compressed) = ([ByteBuffer](), ByteBuffer())
        for seed in UInt64(0)..<40 {
            var random = SeededGenerator(seed: seed)
            let parts = (0..<Int.random(in: 1...12, using: &random)).map { index in
                let text = String(repeating: Self.first + Self.second, count: .random(in: 1...30, using: &random))
                let scope = Bool.random(using: &random) ? "#EXT-X-KEY:METHOD=NONE\n" : ""
                let number = 1000 + Int64(index)
                return Self.lines(text, number..<number + 1, scope: scope, isWhole: .random(using: &random))
            }
            let playlist = PastPlaylist(Self.frame(), lines: parts)
            let gzip = try #require(playlist.gzip)
            #expect(gzip.readableBytes < playlist.byteCount)
            plain.append(playlist.body)
            compressed.writeImmutableBuffer(gzip)
        }
        // Files that follow each other are one to gzip, which is started once.
        var unzipped = try Self.unzipped(compressed)
        for (seed, text) in plain.enumerated() {
            let piece = unzipped.readSlice(length: text.readableBytes)
            #expect(piece == text, "seed \(seed)")
        }
        #expect(unzipped.readableBytes == 0)
    }

    @Test func keysAreFoundAmongLines() {
        #expect(PastPlaylist(Self.frame(), lines: [Self.lines(Self.first, 1000..<1001)]).namesKeys)
        let clear = Self.lines(Self.second, 1000..<1001, scope: "#EXT-X-KEY:METHOD=NONE\n")
        #expect(!PastPlaylist(Self.frame(), lines: [clear]).namesKeys)
        let below = Self.lines(Self.second, 1000..<1001, scope: "#EXT-X-KEY:METHOD=AES-128,URI=\"../../keys/1\"\n")
        #expect(PastPlaylist(Self.frame(), lines: [below]).namesKeys)
    }

    @Test func dateRangesAreFoundAmongLines() {
        let lines = Self.lines(Self.first + Self.second + Self.first, 1000..<1003)
        #expect(lines.dateRangeLines == "#EXT-X-DATERANGE:ID=\"ad\",START-DATE=\"2025-11-27T12:00:04.000Z\"\n")
        #expect(Self.lines(Self.first, 1000..<1001).dateRangeLines.isEmpty)
    }

    private static func unzipped(_ bytes: ByteBuffer) throws -> ByteBuffer {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["gzip", "-dc", try directory.write(Data(bytes.readableBytesView), to: "playlists.gz")]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return ByteBuffer(bytes: text)
    }
}
