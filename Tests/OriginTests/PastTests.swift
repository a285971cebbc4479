import Glibc
import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
import Playlists
import Presentation
import Recording
import Synchronization
import TestSupport
import Testing

@testable import Origin

/// Playlists and media of a channel's past.
@Suite struct PastTests {
    @Test func aRangeThatIsOverIsOnDemand() throws {
        let past = try PastFixture(slots: 40)
        let answer = past.fetch("\(PastFixture.range(1..<3))/video-1080p.m3u8")
        #expect(answer.status == .ok)
        #expect(
            String(buffer: answer.body) == """
                #EXTM3U
                #EXT-X-VERSION:6
                #EXT-X-TARGETDURATION:6
                #EXT-X-MEDIA-SEQUENCE:450000001
                #EXT-X-DISCONTINUITY-SEQUENCE:0
                #EXT-X-PLAYLIST-TYPE:VOD
                #EXT-X-MAP:URI="../../video-1080p/init.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2027-01-15T08:00:04.000Z
                #EXTINF:4.000000,
                ../../video-1080p/450000001.m4s
                #EXT-X-PROGRAM-DATE-TIME:2027-01-15T08:00:08.000Z
                #EXTINF:4.000000,
                ../../video-1080p/450000002.m4s
                #EXT-X-ENDLIST

                """
        )
        #expect(answer.fields.first(name: "Content-Type") == "application/vnd.apple.mpegurl")
        #expect(answer.fields.first(name: "Cache-Control") == "public, max-age=3600")
        let tag = try #require(answer.fields.first(name: "ETag"))
        let again = past.fetch("\(PastFixture.range(1..<3))/video-1080p.m3u8", .GET, ["If-None-Match": tag])
        #expect(again.status == .notModified)
    }

    @Test func aRangeGrowsAndThenEnds() throws {
        let past = try PastFixture(slots: 10)
        let path = "\(PastFixture.range(5..<14))/audio-en.m3u8"
        let first = past.fetch(path)
        #expect(first.fields.first(name: "Cache-Control") == "public, max-age=3")
        #expect(
            String(buffer: first.body) == """
                #EXTM3U
                #EXT-X-VERSION:6
                #EXT-X-TARGETDURATION:6
                #EXT-X-SERVER-CONTROL:CAN-SKIP-UNTIL=36.000000,CAN-SKIP-DATERANGES=YES
                #EXT-X-MEDIA-SEQUENCE:450000005
                #EXT-X-DISCONTINUITY-SEQUENCE:0
                #EXT-X-PLAYLIST-TYPE:EVENT
                #EXT-X-MAP:URI="../../audio-en/init.mp4"
                #EXT-X-PROGRAM-DATE-TIME:2027-01-15T08:00:20.000Z
                #EXTINF:4.000000,
                ../../audio-en/450000005.m4s
                #EXT-X-PROGRAM-DATE-TIME:2027-01-15T08:00:24.000Z
                #EXTINF:4.000000,
                ../../audio-en/450000006.m4s
                #EXT-X-PROGRAM-DATE-TIME:2027-01-15T08:00:28.000Z
                #EXTINF:4.000000,
                ../../audio-en/450000007.m4s
                #EXT-X-PROGRAM-DATE-TIME:2027-01-15T08:00:32.000Z
                #EXT-X-GAP
                #EXTINF:4.000000,
                ../../audio-en/450000008.m4s
                #EXT-X-PROGRAM-DATE-TIME:2027-01-15T08:00:36.000Z
                #EXTINF:4.000000,
                ../../audio-en/450000009.m4s

                """
        )
        let head = String(buffer: first.body).split(separator: "#EXT-X-MEDIA-SEQUENCE").last ?? ""
        try past.publish(10..<20)
        let whole = past.text(path)
        #expect(whole.contains(head))
        #expect(whole.contains("#EXT-X-PLAYLIST-TYPE:EVENT\n"))
        #expect(whole.hasSuffix("../../audio-en/450000013.m4s\n#EXT-X-ENDLIST\n"))
        past.setTime(toEndOf: 13, plus: 60)
        #expect(past.text(path).contains("#EXT-X-PLAYLIST-TYPE:VOD\n"))
    }

    @Test func aDeltaUpdateLeavesOutWhatIsOld() throws {
        let past = try PastFixture(slots: 30)
        let path = "/live/past/\(PastFixture.start)-/video-1080p.m3u8"
        let whole = try MediaPlaylist(parsing: past.text(path))
        #expect(whole.segments.count == 30)
        for (query, removed) in [("_HLS_skip=v2", [String]?.some([])), ("_HLS_skip=YES", nil)] {
            let delta = try MediaPlaylist(parsing: past.text("\(path)?\(query)"))
            #expect(delta.skip == MediaPlaylist.Skip(segmentCount: 20, removedDateRanges: removed))
            #expect(delta.mediaSequence == whole.mediaSequence)
            #expect(delta.segments.map(\.uri) == whole.segments.dropFirst(20).map(\.uri))
        }
        // One that is over is sent as it is.
        let over = "\(PastFixture.range(0..<25))/video-1080p.m3u8"
        #expect(past.text(over) == past.text("\(over)?_HLS_skip=YES"))
        #expect(past.fetch("\(path)?_HLS_skip=maybe").status == .badRequest)
    }

    @Test func aMultivariantPlaylistIsThatOfItsTime() throws {
        let past = try PastFixture(slots: 40)
        let live = past.text("/live/index.m3u8")
        let range = PastFixture.range(2..<9)
        #expect(past.text("\(range)/index.m3u8") == live)
        let name = try #require(range.split(separator: "/").last)
        let beside = ["video-1080p.m3u8", "audio-en.m3u8"].reduce(live) { $0.replacing($1, with: "past/\(name)/\($1)") }
        let query = "start=\(PastFixture.start + 8)&end=2027-01-15T08:00:36Z"
        #expect(past.text("/live/index.m3u8?\(query)") == beside)
        #expect(past.text("/live/index.m3u8?\(query)&codec=h264&audio-language=und") == beside)
        #expect(past.fetch("/live/index.m3u8?\(query)&codec=av1").status == .notFound)
        #expect(past.fetch("/live/index.m3u8?\(query)&video-size=1").status == .badRequest)
        #expect(past.fetch("/live/index.m3u8?\(query)").fields.first(name: "Cache-Control") == "public, max-age=6")
        // Players begin what grows at its start.
        let growing = past.text("/live/past/\(PastFixture.start)-/index.m3u8")
        #expect(growing == live.replacing("SEGMENTS\n", with: "SEGMENTS\n#EXT-X-START:TIME-OFFSET=0.000\n"))
    }

    @Test func thePastHasNoPathways() throws {
        let past = try PastFixture(slots: 40, steering: ChannelSteering.tag)
        let live = past.text("/live/index.m3u8")
        #expect(live.contains("#EXT-X-CONTENT-STEERING:SERVER-URI=\"steering.json\"") && live.contains(",PATHWAY-ID="))
        for path in ["\(PastFixture.range(2..<9))/index.m3u8", "/live/index.m3u8?start=\(PastFixture.start + 8)"] {
            let text = past.text(path)
            #expect(text.contains("#EXT-X-STREAM-INF:"), "\(text)")
            #expect(!text.contains("STEERING") && !text.contains("PATHWAY"), "\(text)")
        }
    }

    @Test(arguments: [
        ("past/x/index.m3u8", 400, "malformed range"), ("past/5-4/index.m3u8", 400, "does not end after it starts"),
        ("past/1800000000-1800000000/index.m3u8", 400, "does not end after it starts"),
        ("past/1484640000-1800000000/video-1080p.m3u8", 400, "longer than 24 hours"),
        ("past/1799999999-1800000004/index.m3u8", 404, "begins at 2027-01-15T08:00:00.000Z (1800000000)"),
        ("past/1484640000-/index.m3u8", 404, "begins at 2027-01-15T08:00:00.000Z"),
        ("past/1800000160-1800000164/index.m3u8", 404, "in the future"),
        ("past/1800000000-/text-en.m3u8", 404, "no such rendition"), ("past/1800000000-/video-1080p", 404, "not found"),
        ("past/1800000032-1800000036/audio-en.m3u8", 404, "nothing of the range is recorded"),
        ("past/1800000000-/video-1080p-iframes.m3u8", 404, "nothing of the range is recorded"),
        ("past/1800000000-/video-1080p/450000000.m4s", 404, "not found"), ("past//index.m3u8", 400, "malformed range"),
        ("index.m3u8?end=5", 400, "no start"), ("index.m3u8?start=5&time-delay=3", 400, "not both"),
        ("index.m3u8?start=soon", 400, "malformed range"), ("past/-9999999/index.m3u8", 400, "longer than 14 days"),
    ])
    func otherRangesAreRefusedInWords(path: String, status: UInt, words: String) throws {
        let answer = try PastFixture(slots: 40).fetch("/live/\(path)")
        #expect(answer.status.code == status)
        #expect(String(buffer: answer.body).contains(words), "\(String(buffer: answer.body))")
    }

    @Test func aChannelWithoutARecordingHasNoPast() throws {
        let past = try PastFixture()
        #expect(past.fetch("/other/past/1800000000-/index.m3u8").status == .notFound)
        #expect(past.text("/other/index.m3u8?start=1800000000") == past.text("/other/index.m3u8"))
        #expect(past.fetch("/other/video-1080p/450000009.m4s?x").status == .ok)
    }

    @Test func mediaThatHasLeftTheWindowComesFromTheRecording() throws {
        let past = try PastFixture(slots: 200, keeps: MediaTime(seconds: 7200))
        #expect(past.presentation.resource("video-1080p/450000001.m4s", now: Fixture.now) == .notFound(.expired))
        let answer = past.fetch("/live/video-1080p/450000001.m4s")
        #expect(answer.status == .ok)
        #expect(String(buffer: answer.body) == "0123456789")
        #expect(answer.fields.first(name: "Content-Type") == "video/mp4")
        // The end of slot 1 is 792 s ago.
        #expect(answer.fields.first(name: "Cache-Control") == "public, max-age=6408, immutable")
        let live = past.fetch("/live/video-1080p/450000199.m4s")
        #expect(answer.fields.first(name: "ETag") == live.fields.first(name: "ETag"))
        let part = past.fetch("/live/audio-en/450000001.m4s", .GET, ["Range": "bytes=2-4"])
        #expect(part.status == .partialContent)
        #expect(String(buffer: part.body) == "234")
        #expect(part.fields.first(name: "Content-Range") == "bytes 2-4/10")
        let head = past.fetch("/live/audio-en/450000001.m4s", .HEAD)
        #expect(head.body.readableBytes == 0)
        #expect(head.fields.first(name: "Content-Length") == "10")
        for path in [
            "video-1080p/450000008.m4s", "video-1080p/449999999.m4s", "video-1080p/1.m4s", "x/450000001.m4s",
            "video-1080p/init-0.mp4", "video-1080p/450000001.ts", "video-1080p/x.m4s",
            "video-1080p/99999999999999999999.m4s",
        ] {
            #expect(past.fetch("/live/\(path)").status == .notFound, "\(path)")
        }
    }

    @Test func mediaThatCannotBeReadIsAProblemOfTheRecording() throws {
        let disk = MemoryFileSystem()
        let past = try PastFixture(slots: 200, fileSystem: disk)
        let path = "/live/video-1080p/450000150.m4s"
        #expect(past.fetch(path).status == .ok && past.recording.health.isHealthy)
        disk.state.withLock { $0.readFailure = EIO }
        #expect(past.fetch(path).status == .serviceUnavailable)
        #expect(past.recording.health.problem?.contains("video-1080p.media") == true)
    }

    @Test func aDelayedChannelShowsNothingBeforeItsTime() throws {
        let past = try PastFixture(slots: 20, delay: MediaTime(seconds: 30))
        let index = past.text("/live/index.m3u8")
        #expect(index.contains("\npast/-30/video-1080p.m3u8\n"))
        #expect(index.contains("URI=\"past/-30/audio-en.m3u8\""))
        #expect(past.fetch("/live/past/-30/index.m3u8").status == .ok)
        let moved = past.fetch("/live/video-1080p.m3u8")
        #expect(moved.status == .temporaryRedirect)
        #expect(moved.fields.first(name: "Location") == "past/-30/video-1080p.m3u8")
        let playlist = try MediaPlaylist(parsing: past.text("/live/past/-30/video-1080p.m3u8"))
        #expect(playlist.mediaSequence == MediaSequenceNumber(Fixture.first + 5))
        #expect(playlist.segments.count == 7)
        #expect(!playlist.isEnded && !playlist.isEvent && !playlist.isOnDemand)
        // Nothing shortens the delay.
        #expect(past.text("/live/past/-1/video-1080p.m3u8") == past.text("/live/past/-30/video-1080p.m3u8"))
        #expect(try MediaPlaylist(parsing: past.text("\(PastFixture.range(9..<30))/audio-en.m3u8")).segments.count == 3)
        #expect(past.fetch("/live/video-1080p/450000011.m4s").status == .ok)
        #expect(past.fetch("/live/video-1080p/450000012.m4s").status == .notFound)
        let get = ByteBuffer(string: "GET /live/video-1080p/450000012.m4s HTTP/1.1\r\nHost: localhost\r\n\r\n")
        #expect(past.responder.prepared(for: try #require(PlainGet(get))) == nil)
    }

    /// All inputs are lost, or the packager is off, for longer than a playlist lasts: delayed viewers wait as live ones do.
    @Test func aDelayedPlaylistStaysWhileThereAreOnlyGaps() throws {
        let past = try PastFixture(slots: 20, delay: MediaTime(seconds: 30))
        let multivariant = past.text("/live/index.m3u8")
        try past.skip(to: 1_200)
        try past.publish(1_200..<1_220)
        // In the block of the last media, in one of which nothing is recorded, and in that of the next media.
        for slot in [60, 600, 1_190] as [Int64] {
            past.setTime(toEndOf: slot, plus: 32)
            for rendition in ["video-1080p", "audio-en"] {
                let answer = past.fetch("/live/past/-30/\(rendition).m3u8")
                #expect(answer.status == .ok, "slot \(slot): \(String(buffer: answer.body))")
                let playlist = try MediaPlaylist(parsing: String(buffer: answer.body))
                #expect(!playlist.segments.isEmpty && playlist.segments.allSatisfy(\.isGap) && !playlist.isEnded)
            }
            #expect(past.text("/live/index.m3u8") == multivariant)
        }
        past.setTime(toEndOf: 1_205, plus: 32)
        let playlist = try MediaPlaylist(parsing: past.text("/live/past/-30/video-1080p.m3u8"))
        #expect(playlist.segments.last?.isGap == false)
    }

    /// Clients name any number; those that no slot has are not found, with a delay and without.
    @Test(arguments: [0, 30])
    func anyNumberMayBeAskedFor(delay: Int64) throws {
        let past = try PastFixture(slots: 20, delay: MediaTime(seconds: delay))
        let numbers: [Int64] = [
            .min, .min + 1, .min / 360_000, .min / 360_000 - 1, -1, .max / 360_000 - 1, .max / 360_000, .max - 1, .max,
        ]
        for number in numbers {
            for path in ["video-1080p/\(number).m4s", "v/\(number).m4s", "\(number)/\(number)"] {
                #expect(past.fetch("/live/\(path)").status == .notFound, "\(path)")
                #expect(past.fetch("/live/\(path)", .HEAD).status == .notFound, "\(path)")
            }
        }
    }

    @Test func aDelayedPlaylistMovesAndEnds() throws {
        let past = try PastFixture(slots: 20)
        #expect(past.text("/live/index.m3u8?time-delay=30").contains("past/-30/video-1080p.m3u8"))
        let first = try MediaPlaylist(parsing: past.text("/live/past/-30/video-1080p.m3u8"))
        try past.publish(20..<24)
        let next = try MediaPlaylist(parsing: past.text("/live/past/-30/video-1080p.m3u8"))
        #expect(next.mediaSequence.value == first.mediaSequence.value + 4)
        #expect(next.segments.prefix(3).map(\.uri) == first.segments.suffix(3).map(\.uri))
        past.presentation.end(now: MediaTime(seconds: PastFixture.start + 96))
        past.setTime(toEndOf: 23, plus: 30)
        #expect(past.text("/live/past/-30/video-1080p.m3u8").hasSuffix("450000023.m4s\n#EXT-X-ENDLIST\n"))
        #expect(try PastFixture(slots: 3).fetch("/live/past/-30/index.m3u8").status == .serviceUnavailable)
    }
}
