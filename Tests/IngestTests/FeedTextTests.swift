import Foundation
import MediaCore
import TestSupport
import Testing
import TimedText

@testable import Ingest

/// The words inside feeds, by formats that others wrote.
@Suite(.timeLimit(.minutes(5)))
struct FeedTextTests {
    private static let subRip = """
        1
        00:00:01,000 --> 00:00:02,500
        Hello <i>there</i>

        2
        00:00:03,000 --> 00:00:05,000
        <b>Second</b> line & more
        below

        """
    private static let webVTT = """
        WEBVTT

        00:01.000 --> 00:02.500 line:0
        Hello <i>there</i>

        00:03.000 --> 00:05.000
        Second line

        """

    /// Reads a file's text: by track, when each cue comes up and goes, in milliseconds, its settings and its text.
    private func cues(
        in file: String,
        _ subtitles: FeedSubtitles = .automatic
    ) async throws -> (tracks: [InputTrack], cues: [[String]]) {
        let record = await read(file, options: .init(subtitles: subtitles))
        let tracks = try #require(record.openings.last).filter { $0.kind == .text(.webVTT) }
        let cues = tracks.map { track in
            zip(record.packets, record.payloads).filter { $0.0.trackIndex == track.index }.compactMap { info, bytes in
                let content = CueContent(bytes: String(decoding: bytes, as: UTF8.self))
                let start = (info.presentationTimestamp ?? 0) / 90
                return content.map { content in
                    let end = info.duration > 0 ? "\(start + info.duration / 90)" : ""
                    let settings = content.settings.isEmpty ? "" : "[\(content.settings)] "
                    return "\(start)-\(end) \(settings)\(content.text.replacing("\n", with: "|"))"
                }
            }
        }
        return (tracks, cues)
    }

    private func withFiles(_ body: (String) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            try Self.subRip.write(toFile: "\(folder)/a.srt", atomically: true, encoding: .utf8)
            try Self.webVTT.write(toFile: "\(folder)/a.vtt", atomically: true, encoding: .utf8)
            try await body(folder)
        }
    }

    @Test func timedTextOf3GPP() async throws {
        try await withFiles { folder in
            try await ffmpeg(
                "-i",
                sample,
                "-i",
                "\(folder)/a.srt",
                "-t",
                "6",
                "-map",
                "0:v",
                "-map",
                "1",
                "-c:v",
                "copy",
                "-c:s",
                "mov_text",
                "-metadata:s:s:0",
                "language=eng",
                "\(folder)/a.mp4"
            )
            let (tracks, cues) = try await cues(in: "\(folder)/a.mp4")
            #expect(tracks.map(\.language) == ["en"] && tracks.map(\.service) == [.track])
            #expect(
                cues == [
                    ["1000-2500 Hello <i>there</i>", "3000-5000 <b>Second</b> line &amp; more|below"]
                ]
            )
        }
    }

    @Test func textOfMatroskaWithItsDispositions() async throws {
        try await withFiles { folder in
            try await ffmpeg(
                "-i",
                sample,
                "-i",
                "\(folder)/a.srt",
                "-i",
                "\(folder)/a.vtt",
                "-t",
                "6",
                "-map",
                "0:v",
                "-map",
                "1",
                "-map",
                "2",
                "-c:v",
                "copy",
                "-c:s:0",
                "srt",
                "-c:s:1",
                "copy",
                "-metadata:s:s:0",
                "language=eng",
                "-metadata:s:s:1",
                "language=ger",
                "-disposition:s:0",
                "hearing_impaired",
                "-disposition:s:1",
                "forced",
                "\(folder)/a.mkv"
            )
            let (tracks, cues) = try await cues(in: "\(folder)/a.mkv")
            #expect(tracks.map(\.language) == ["en", "de"])
            #expect(tracks.map(\.isForHearingImpaired) == [true, false] && tracks.map(\.isForced) == [false, true])
            #expect(cues.first?.first == "1000-2500 Hello <i>there</i>")
            #expect(cues.last == ["1000-2500 [line:0] Hello <i>there</i>", "3000-5000 Second line"])
            let none = try await self.cues(in: "\(folder)/a.mkv", .none)
            #expect(none.tracks.isEmpty)
        }
    }

    /// In the second round of a loop as well, where all is later than the container says.
    @Test(arguments: ["", ",format=ttml+mp4"], [0, 900_000] as [Int64])
    func textOfISO14496(format: String, shift: Int64) async throws {
        try await withFiles { folder in
            try await Program.run(
                StreamerBinaries.path("packager"),
                ["in=\(folder)/a.vtt,stream=text,language=en,output=\(folder)/a.mp4\(format)"]
            )
            // A file of nothing but text is no feed.
            var context = try FormatContext(opening: FeedAddress(FeedLocation("\(folder)/a.mp4")), signal: StopSignal())
            let described = context.describeText(at: 0, .automatic)
            let stream = try #require(described)
            #expect(stream.tracks.map(\.language) == ["en"])
            let reader = try TextTrackReader(stream.tracks[0], stream.format, header: [], modulus: nil)
            var packet = try Packet()
            var texts: [String] = []
            while case .packet = try context.read(into: &packet) {
                let info = PacketInfo(
                    trackIndex: 0,
                    presentationTimestamp: packet.presentationTimestamp.map { $0 * 90 + shift },
                    decodeTimestamp: nil,
                    duration: 0
                )
                packet.withPayload { payload in
                    for cue in reader.read(payload, info, shift: shift, settings: nil) {
                        guard let duration = cue.duration else { continue }
                        let start = cue.start - shift
                        texts.append("\(start / 90)-\((start + duration) / 90) \(cue.content.text)")
                    }
                }
            }
            try #require(texts.count == 2)
            #expect(texts[0].hasPrefix("1000-2500 ") && texts[0].contains("Hello ") && texts[0].contains("there"))
            #expect(texts[1].hasPrefix("3000-5000 ") && texts[1].hasSuffix("Second line"))
        }
    }

    /// Nothing says when it is: that is told, rather than that the encoder may not run.
    @Test(arguments: ["a.srt", "a.mp4"])
    func whatIsNothingButTextIsSaidToBe(file: String) async throws {
        try await withFiles { folder in
            try await ffmpeg("-i", "\(folder)/a.srt", "-c:s", "mov_text", "\(folder)/a.mp4")
            let record = await read("\(folder)/\(file)", options: .init(retries: false, subtitles: .automatic))
            #expect(!record.openings.contains { !$0.isEmpty })
            let obstacles = record.notices.compactMap {
                if case .textNotRead(.track, let obstacle) = $0 { obstacle } else { nil }
            }
            #expect(obstacles == [.noMedia])
        }
    }

    @Test func pagesOfTeletext() async throws {
        try await withTemporaryFolder { folder in
            try await ffmpeg(
                "-f",
                "lavfi",
                "-i",
                "testsrc2=size=320x180:rate=25",
                "-t",
                "6",
                "-c:v",
                "libx264",
                "-g",
                "25",
                "-preset",
                "ultrafast",
                "\(folder)/video.ts"
            )
            let script = Repository.script("TransportStreams/teletext.py")
            try await Program.run(
                "/bin/sh",
                [
                    "-c",
                    "python3 \(script) --page 150:ger --page '151:ger:5:[Musik]' --page 888:eng < \(folder)/video.ts > \(folder)/a.ts",
                ]
            )
            let (tracks, cues) = try await cues(in: "\(folder)/a.ts")
            #expect(tracks.map(\.service) == [150, 151, 888].map { .teletext(page: $0) })
            #expect(tracks.map(\.language) == ["de", "de", "en"])
            #expect(tracks.map(\.isForHearingImpaired) == [false, true, false])
            // The second that is shown is that of its timestamp; a page is there until the next one, or until it is cleared.
            let whole = try #require(cues.first)
            #expect(whole.contains("3000-4000 00:00:03") && whole.contains("5000-5800 00:00:05"))
            #expect(
                cues[1].contains {
                    $0.hasSuffix("<c.yellow>¼Musik¾</c>") || $0.hasSuffix("<c.yellow>ÄMusikÜ</c>")
                        || $0.hasSuffix("<c.yellow>←Musik→</c>")
                }
            )
            let one = try await self.cues(in: "\(folder)/a.ts", FeedSubtitles([.page(888), .page(300)]))
            #expect(one.tracks.map(\.service) == [.teletext(page: 888), .teletext(page: 300)])
            #expect(one.cues.last == [])
        }
    }

    @Test func teletextDescriptors() {
        // Initial page 100, subtitles 888, hearing impaired 150, and one of hexadecimal digits.
        let pages = TeletextPage.pages(in: [0x09, 0x00, 0x10, 0x88, 0x29, 0x50, 0x11, 0x5A, 0x00])
        #expect(pages.map { $0?.number } == [100, 888, 150, nil])
        #expect(pages.map { $0?.kind } == [.initialPage, .subtitles, .hearingImpairedSubtitles, nil])
    }
}
