import AdSources
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
            if slot == 4 { published.dateRanges.below = [tag] }
            try past.presentation.publish(published, now: time + MediaTime(seconds: 4))
        }
        past.presentation.finish()
        past.setTime(toEndOf: slots.upperBound - 1)
        return past
    }

    private static func fetch(_ past: PastFixture) async -> Answer {
        var reply = past.responder.reply(to: Request(.GET, "/live/ads/\(id).json"))
        if case .asking(let ask) = reply { reply = await ask() }
        return switch reply {
        case .answer(let answer): answer
        case .pending(let work): await work()
        default: Rejection(.internalServerError).answer()
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

    @Test func whoeverFindsNoReaderComesAgain() async throws {
        var share = PastShare()
        share.readers = Readers(threads: 1, mostWaiting: 0)
        let answer = await Self.fetch(try Self.past(0..<10, delay: 8, share: share))
        #expect(answer.status == .serviceUnavailable && answer.fields["Retry-After"] == ["1"])
    }
}
