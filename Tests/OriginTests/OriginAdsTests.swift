import AdSources
import Foundation
import HTTPServing
import Logging
import MediaCore
import NIOCore
import NIOHTTP1
import Playlists
import Presentation
import TestSupport
import Testing

@testable import Origin

/// Asset lists and advertisements for breaks, as players ask the origin for them.
@Suite struct OriginAdsTests {
    private struct Source: AdSource {
        var uris: [String]?

        func assets(for adBreak: AdBreak) async throws -> AssetList {
            guard let uris else { throw AdSourceError("it is gone") }
            return AssetList(uris.map { .init(uri: $0, seconds: adBreak.duration?.seconds ?? 0) })
        }
    }

    private static func responder(
        _ uris: [String]?,
        files: AdFiles? = nil,
        at url: String? = nil
    ) throws -> OriginResponder {
        let presentation = Presentation(configuration: Fixture.configuration(name: "live"), texts: .inline)
        presentation.declare(renditions: [
            RenditionDescription(id: "video-1080p", kind: .video, codecs: ["avc1.640028"])
        ])
        var tag = DateRange(id: "7-20270115T080008Z-ad", start: Fixture.now)
        tag.className = DateRange.interstitialClass
        tag.plannedDuration = MediaTime(seconds: 30)
        tag.custom = [.init(name: "X-ASSET-LIST", value: .string("ads/7-20270115T080008Z-ad.json"))]
        for number in Fixture.first..<Fixture.first + 10 {
            let segment = PublishedSegment(
                programDateTime: MediaTime(seconds: number * 4),
                duration: SegmentDuration(MediaTime(seconds: 4)),
                content: .media(Fixture.segment),
                initialization: .init(name: "init.mp4", bytes: ByteBuffer(string: "init"))
            )
            var slot = PublishedSlot(number: MediaSequenceNumber(number), segments: ["video-1080p": segment])
            if number == Fixture.first + 9 { slot.dateRanges.below = [tag] }
            try presentation.publish(slot, now: MediaTime(seconds: (number + 1) * 4))
        }
        var channel = OriginChannel(name: "live", presentation: presentation)
        let decisions = AdDecisions(Source(uris: uris), timeout: .seconds(60))
        channel.ads = OriginAds(decisions: decisions, files: files, baseURL: url)
        let server = OriginServer(
            configuration: OriginConfiguration(port: 0),
            channels: [channel, OriginChannel(name: "bare", presentation: presentation)],
            now: { Fixture.now },
            logger: Logger(label: "origin") { _ in LogLines() }
        )
        return server.responder
    }

    private static func fetch(
        _ responder: OriginResponder,
        _ target: String,
        _ fields: HTTPHeaders = [:],
        isSecure: Bool = false
    ) async -> Answer {
        let request = Request(.GET, target, fields, isSecure: isSecure)
        guard case .pending(let work) = responder.reply(to: request) else { return responder.answer(to: request) }
        return responder.finish(await work(), request, duration: .zero)
    }

    private static let list = "/live/ads/7-20270115T080008Z-ad.json?_HLS_interstitial_id=x&_HLS_primary_id=y"

    @Test(arguments: [
        (HTTPHeaders([("Host", "tv.example.com:8080")]), nil, "http://tv.example.com:8080/live/ads/spot/index.m3u8"),
        (
            HTTPHeaders([("Host", "tv.example.com"), ("X-Forwarded-Proto", "https")]), nil,
            "https://tv.example.com/live/ads/spot/index.m3u8"
        ),
        (HTTPHeaders([("Host", "[::1]:80")]), nil, "http://[::1]:80/live/ads/spot/index.m3u8"),
        (HTTPHeaders([("Host", "\"><")]), nil, "spot/index.m3u8"), (HTTPHeaders(), nil, "spot/index.m3u8"),
        (HTTPHeaders([("Host", "tv")]), "https://cdn.example.com/ads/", "https://cdn.example.com/ads/spot/index.m3u8"),
    ])
    func aListHasAbsoluteAddresses(fields: HTTPHeaders, url: String?, expected: String) async throws {
        let responder = try Self.responder(["spot/index.m3u8", "https://a/b.m3u8"], at: url)
        let answer = await Self.fetch(responder, Self.list, fields)
        #expect(answer.status == .ok)
        #expect(
            String(buffer: answer.body)
                == #"{"ASSETS":[{"DURATION":30,"URI":"\#(expected)"},{"DURATION":30,"URI":"https://a/b.m3u8"}]}"#
        )
        #expect(answer.fields["Content-Type"] == ["application/json"])
        #expect(answer.fields["Cache-Control"] == ["public, max-age=6"])
        #expect(answer.fields["Access-Control-Allow-Origin"] == ["*"])
        #expect(answer.fields["Vary"] == (url == nil ? ["Host, X-Forwarded-Proto"] : []))
    }

    /// A page that came over HTTPS is not shown what does not.
    @Test func aListHasTheSchemeThatItWasAskedForBy() async throws {
        let responder = try Self.responder(["spot/index.m3u8"], at: nil)
        let cases: [(isSecure: Bool, proxy: String?, scheme: String)] = [
            (true, nil, "https"), (true, "http", "http"), (false, "https", "https"), (false, nil, "http"),
        ]
        for (isSecure, proxy, scheme) in cases {
            var fields: HTTPHeaders = ["Host": "tv"]
            if let proxy { fields.add(name: "X-Forwarded-Proto", value: proxy) }
            let answer = await Self.fetch(responder, Self.list, fields, isSecure: isSecure)
            #expect(String(buffer: answer.body).contains("\"\(scheme)://tv/live/ads/spot/index.m3u8\""))
        }
    }

    /// Players continue with the programme, and nobody remembers it.
    @Test(arguments: [nil, []] as [[String]?])
    func whoHasNothingToPlaySaysSo(uris: [String]?) async throws {
        let answer = await Self.fetch(try Self.responder(uris), Self.list)
        #expect(answer.status == .notFound)
        #expect(String(buffer: answer.body) == #"{"ASSETS":[]}"#)
        #expect(answer.fields["Cache-Control"] == ["no-store"])
    }

    @Test(arguments: [
        "/live/ads/8-20270115T080008Z-ad.json", "/bare/ads/7-20270115T080008Z-ad.json", "/none/ads/7-ad.json",
        "/live/ads/.json", "/live/ads/spot/index.m3u8", "/bare/ads/spot/index.m3u8",
    ])
    func nothingElseIsAnswered(target: String) async throws {
        #expect(await Self.fetch(try Self.responder([]), target).status == .notFound)
    }

    @Test func filesOfAdvertisementsAreServed() async throws {
        let directory = try TemporaryDirectory()
        try FileManager.default.createDirectory(atPath: directory.file("spot/video"), withIntermediateDirectories: true)
        _ = try directory.write("#EXTM3U\n", to: "spot/index.m3u8")
        _ = try directory.write("0123456789", to: "spot/video/0.m4s")
        let responder = try Self.responder([], files: AdFiles(directory.path))
        let playlist = await Self.fetch(responder, "/live/ads/spot/index.m3u8?_HLS_primary_id=y")
        #expect(playlist.status == .ok && String(buffer: playlist.body) == "#EXTM3U\n")
        #expect(playlist.fields["Content-Type"] == ["application/vnd.apple.mpegurl"])
        #expect(playlist.fields["Cache-Control"] == ["public, max-age=60"])
        // Another one that is as long is another one.
        let tag = try #require(playlist.fields["ETag"].first)
        let same = await Self.fetch(responder, "/live/ads/spot/index.m3u8", ["If-None-Match": tag])
        _ = try directory.write("#EXTM3V\n", to: "spot/index.m3u8")
        let other = await Self.fetch(responder, "/live/ads/spot/index.m3u8", ["If-None-Match": tag])
        #expect(same.status == .notModified && other.status == .ok && String(buffer: other.body) == "#EXTM3V\n")
        let part = await Self.fetch(responder, "/live/ads/spot/video/0.m4s", ["Range": "bytes=2-4"])
        #expect(part.status == .partialContent && String(buffer: part.body) == "234")
        #expect(part.fields["Content-Type"] == ["video/mp4"])
        for target in ["/live/ads/spot/none.ts", "/live/ads/spot/video", "/live/ads/spot"] {
            #expect(await Self.fetch(responder, target).status == .notFound, "\(target)")
        }
        #expect(await Self.fetch(responder, "/live/ads/spot/../../etc/passwd").status == .badRequest)
    }
}
