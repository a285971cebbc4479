import MediaCore
import NIOCore
import Playlists
import SegmentingSupport
import TestSupport
import Testing
import Timeline

@testable import Channels
@testable import Inspection
@testable import Packaging
@testable import Segmenting

/// Dates, durations and decode times while the clock of a feed is slewed; slots take four seconds.
@Suite struct ChannelDateTests {
    private static let names = ["video-180p", "audio", "text-en", "text-en-2"]

    /// A feed whose clock is 1000 ppm fast, which is away now and then and comes back with another delay.
    private static func channel(seed: UInt64) -> ChannelFixture {
        var generator = SeededGenerator(seed: seed)
        let fixture = ChannelFixture(
            subtitles: [SubtitleAttributes(language: "en")],
            subtitleFormats: [.webVTT, .imsc1],
            window: 400
        )
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        var feed = ChannelFeed(base: 77_000_000)
        feed.open(input)
        var (media, now) = (Int64(0), Int64(0))
        for _ in 0..<5 {
            let length = Int64.random(in: 300...700, using: &generator) * 40
            let (from, start) = (media, now)
            var packets = 0
            feed.send(from..<from + length, to: input) { time in
                now = start + (time - from) * 999 / 1_000
                fixture.clock.set(Epoch.at(now))
                packets += 1
                if packets % 5 == 0 { fixture.channel.timeAdvanced() }
            }
            let away = Int64.random(in: 30...300, using: &generator) * 40
            now += away
            fixture.wait(until: now)
            media = from + length + away
            feed.base += Int64.random(in: -1_800...1_800, using: &generator)
        }
        return fixture
    }

    private static func playlist(_ name: String, of fixture: ChannelFixture) throws -> MediaPlaylist {
        try MediaPlaylist(parsing: try #require(fixture.text("\(name).m3u8")))
    }

    /// A gap ends where what follows it is dated: both are rounded to milliseconds.
    ///
    /// Audio keeps its frames where they are, so that it may begin up to a frame off.
    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func datesRunOnOverAGap(seed: UInt64) throws {
        let fixture = Self.channel(seed: seed)
        var gaps = 0
        for name in Self.names {
            let segments = try Self.playlist(name, of: fixture).segments
            for (before, segment) in zip(segments, segments.dropFirst()) where before.isGap {
                let jump = segment.programDateTime - before.programDateTime - before.duration.time
                let frame = name == "audio" ? MediaTime(1_024, timescale: 48_000).ticks : 0
                #expect(abs(jump.ticks) <= 91 + frame, "\(name) \(segment.uri): \(jump)")
                gaps += 1
            }
        }
        #expect(gaps > 2)
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func segmentsOfIMSC1Abut(seed: UInt64) throws {
        let fixture = Self.channel(seed: seed)
        let playlist = try Self.playlist("text-en-2", of: fixture)
        let map = try #require(playlist.segments.first?.map)
        let section = try ParsedInitialization(try #require(fixture.bytes(map.uri)))
        let fragments = try playlist.segments.map { segment in
            let bytes = try #require(fixture.bytes(segment.uri))
            return try #require(ParsedFragment.fragments(in: bytes, initialization: section).first)
        }
        let pictures = try Self.playlist("video-180p", of: fixture).segments
        for (index, (fragment, next)) in zip(fragments, fragments.dropFirst()).enumerated() {
            let duration = try #require(fragment.samples.first).duration
            #expect(playlist.segments[index].duration.time.ticks == Int64(duration))
            // In a loss the media timeline may be another one.
            if pictures[index].isGap { continue }
            #expect(fragment.baseMediaDecodeTime + UInt64(duration) == next.baseMediaDecodeTime, "\(index)")
        }
        let isSlewed = zip(pictures, pictures.dropFirst()).contains { before, picture in
            abs((picture.programDateTime - before.programDateTime - before.duration.time).ticks) > 180
        }
        #expect(isSlewed)
    }
}
