import AdSources
import Foundation
import HTTPServing
import MediaCore
import NIOCore
import NIOHTTP1
import Playlists
import Presentation
import Testing

@testable import Origin

/// Asset lists of a channel whose viewers are kept behind; slots last four seconds, and the window has seven.
@Suite(.timeLimit(.minutes(5))) struct DelayedAdsTests {
    private static let id = "7-20270115T080008Z-ad"

    /// An advertisement for every break.
    private struct Source: AdSource {
        func assets(for adBreak: AdBreak) async throws -> AssetList {
            AssetList([.init(uri: "https://a/b.m3u8", seconds: 8)])
        }
    }

    /// A channel that has announced a break with its slot 4, for slot 5.
    private static func past(
        _ slots: Range<Int64>,
        delay: Int64,
        share: PastShare = PastShare()
    ) throws -> PastFixture {
        let past = try PastFixture(slots: 0, delay: MediaTime(seconds: delay), share: share) { channel, _ in
            channel.ads = OriginAds(decisions: AdDecisions(Source(), timeout: .seconds(60)))
        }
        var tag = DateRange(id: id, start: MediaTime(seconds: PastFixture.start + 20))
        tag.className = DateRange.interstitialClass
        tag.plannedDuration = MediaTime(seconds: 8)
        tag.custom = [.init(name: "X-ASSET-LIST", value: .string("ads/\(id).json"))]
        var preload = DateRange(id: "\(id)-preload", start: MediaTime(seconds: PastFixture.start + 18))
        preload.duration = MediaTime(seconds: 2)
        preload.className = DateRange.preloadClass
        preload.custom = [.init(name: "X-URI", value: .string("ads/\(id).json"))]
        past.presentation.declare(renditions: [
            RenditionDescription(id: "video-1080p", kind: .video, codecs: ["avc1.640028"])
        ])
        for slot in slots {
            let time = MediaTime(seconds: PastFixture.start + slot * 4)
            let segment = PublishedSegment(
                programDateTime: time,
                duration: SegmentDuration(MediaTime(seconds: 4)),
                content: .media(Fixture.segment),
                initialization: .init(name: "init.mp4", bytes: ByteBuffer(string: "init"))
            )
            let number = MediaSequenceNumber(Fixture.first + slot)
            var published = PublishedSlot(number: number, segments: ["video-1080p": segment])
            if slot == 4 { published.dateRanges.below = [preload, tag] }
            try past.presentation.publish(published, now: time + MediaTime(seconds: 4))
        }
        past.presentation.finish()
        past.setTime(toEndOf: slots.upperBound - 1)
        return past
    }

    private static func fetch(_ past: PastFixture, _ target: String = "/live/ads/\(id).json") async -> Answer {
        var reply = past.responder.reply(to: Request(.GET, target))
        if case .asking(let ask) = reply { reply = await ask() }
        return switch reply {
        case .answer(let answer): answer
        case .pending(let work): await work()
        default: past.fetch(target)
        }
    }

    /// The playlist of the delayed viewers has the tag when a list is given, also when the live one has it no more.
    @Test(
        arguments: [
            (0, 5, true), (8, 5, false), (8, 6, false), (8, 7, true), (40, 14, false), (40, 15, true),
            (40, 20, true),
        ] as [(Int64, Int64, Bool)]
    )
    func aListIsGivenOnceAPlaylistNamesIt(delay: Int64, slots: Int64, isGiven: Bool) async throws {
        let past = try Self.past(0..<slots, delay: delay)
        let answer = await Self.fetch(past)
        #expect(answer.status == (isGiven ? .ok : .notFound))
        #expect(String(buffer: answer.body).contains("https://a/b.m3u8") == isGiven)
        if !isGiven { #expect(answer.fields["Cache-Control"] == ["no-store"]) }
        let path = delay > 0 ? "past/-\(delay)/video-1080p.m3u8" : "video-1080p.m3u8"
        #expect(past.text("/live/\(path)").contains("#EXT-X-DATERANGE:ID=\"\(Self.id)\"") == isGiven)
    }

    /// The break is announced among the lines of a playlist, above them, or among those that an update skips.
    @Test(
        arguments: [
            (8, 10, "past/-8/video-1080p.m3u8"), (0, 10, "past/-20/video-1080p.m3u8"),
            (0, 10, "past/\(PastFixture.start)-/video-1080p.m3u8"),
            (0, 10, "past/\(PastFixture.start + 24)-/video-1080p.m3u8"),
            (0, 10, "past/\(PastFixture.start)-\(PastFixture.start + 24)/video-1080p.m3u8"),
            (0, 20, "past/\(PastFixture.start)-/video-1080p.m3u8?_HLS_skip=YES"),
        ] as [(Int64, Int64, String)]
    )
    func everyURIOfThePastLeadsSomewhere(delay: Int64, slots: Int64, path: String) async throws {
        let past = try Self.past(0..<slots, delay: delay)
        let playlist = past.text("/live/\(path)")
        let place = try #require(URL(string: "http://origin/live/\(path)"))
        let named = playlist.matches(of: /(?:URI|X-ASSET-LIST)="([^"]+)"/).map(\.output.1)
        let lines = playlist.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(named.contains { $0.contains("ads/") } && !lines.isEmpty, "\(playlist)")
        for uri in named + lines {
            let target = try #require(URL(string: String(uri), relativeTo: place)).absoluteURL.path
            #expect(await Self.fetch(past, target).status == .ok, "\(uri)")
        }
    }

    @Test func whoeverFindsNoReaderComesAgain() async throws {
        var share = PastShare()
        share.readers = Readers(threads: 1, mostWaiting: 0)
        let answer = await Self.fetch(try Self.past(0..<10, delay: 8, share: share))
        #expect(answer.status == .serviceUnavailable && answer.fields["Retry-After"] == ["1"])
    }
}
