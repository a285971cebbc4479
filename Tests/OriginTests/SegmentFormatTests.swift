import HTTPServing
import Logging
import MediaCore
import NIOCore
import NIOHTTP1
import Playlists
import Presentation
import Testing

@testable import Origin

/// Media types of segments of each format, and of I-frames.
@Suite struct SegmentFormatTests {
    /// A rendition in each format, whose second segment from the end is a gap.
    private static let renditions: [RenditionDescription] = [
        RenditionDescription(id: "video-m4s", kind: .video, codecs: ["avc1.640028"]),
        RenditionDescription(id: "audio-m4s", kind: .audio, codecs: ["mp4a.40.2"], audioGroup: "m4s"),
        RenditionDescription(id: "video-ts", kind: .video, format: .transportStream, codecs: ["avc1.640028"]),
        RenditionDescription(id: "audio-aac", kind: .audio, format: .aac, codecs: ["mp4a.40.2"], audioGroup: "aac"),
        RenditionDescription(id: "audio-ac3", kind: .audio, format: .ac3, codecs: ["ac-3"], audioGroup: "ac3"),
        RenditionDescription(id: "audio-ec3", kind: .audio, format: .ec3, codecs: ["ec-3"], audioGroup: "ec3"),
        RenditionDescription(id: "audio-mp3", kind: .audio, format: .mp3, codecs: ["mp4a.40.34"], audioGroup: "mp3"),
    ]

    private static let contentTypes = [
        "video-m4s": "video/mp4", "audio-m4s": "audio/mp4", "video-ts": "video/mp2t", "audio-aac": "audio/aac",
        "audio-ac3": "audio/ac3", "audio-ec3": "audio/eac3", "audio-mp3": "audio/mpeg",
    ]

    /// Path of a rendition's segment, counted from the first.
    private static func path(_ rendition: RenditionDescription, _ index: Int64) -> String {
        "/live/\(rendition.id)/\(Fixture.first + index).\(rendition.format.rawValue)"
    }

    private static func fetch(
        _ uri: String,
        _ headers: HTTPHeaders = [:],
        after: MediaTime = .zero,
        log: LogLines = LogLines(),
        counters: OriginCounters = OriginCounters()
    ) async throws -> Answer {
        let presentation = Presentation(configuration: Fixture.configuration(name: "live"), texts: .inline)
        presentation.declare(renditions: renditions)
        for number in Fixture.first..<Fixture.first + 10 {
            var segments: [RenditionID: PublishedSegment] = [:]
            for rendition in renditions {
                let isGap = number == Fixture.first + 8
                segments[rendition.id] = PublishedSegment(
                    programDateTime: MediaTime(seconds: number * 4),
                    duration: SegmentDuration(MediaTime(seconds: 4)),
                    content: isGap ? .gap : .media(Fixture.segment),
                    initialization: rendition.format == .fragmentedMP4
                        ? .init(name: "init.mp4", bytes: ByteBuffer(string: "init")) : nil,
                    iFrame: rendition.kind == .video && !isGap ? 2..<7 : nil
                )
            }
            try presentation.publish(
                PublishedSlot(number: MediaSequenceNumber(number), segments: segments),
                now: MediaTime(seconds: (number + 1) * 4)
            )
        }
        let now = Fixture.now + after
        presentation.tick(now: now)
        let server = OriginServer(
            configuration: OriginConfiguration(),
            channels: [OriginChannel(name: "live", presentation: presentation)],
            counters: counters,
            now: { now },
            logger: Logger(label: "origin") { _ in log }
        )
        return server.fetch(uri, .GET, headers)
    }

    @Test(arguments: renditions)
    func eachFormatHasItsMediaTypeAndRanges(rendition: RenditionDescription) async throws {
        let uri = Self.path(rendition, 9)
        let whole = try await Self.fetch(uri)
        #expect(whole.status == .ok)
        #expect(whole.fields.first(name: "Content-Type") == Self.contentTypes[rendition.id.name])
        #expect(whole.fields.first(name: "Cache-Control") == "public, max-age=28, immutable")
        #expect(whole.fields.first(name: "Accept-Ranges") == "bytes")
        let part = try await Self.fetch(uri, ["Range": "bytes=2-6"])
        #expect(part.status == .partialContent)
        #expect(part.fields.first(name: "Content-Type") == whole.fields.first(name: "Content-Type"))
        #expect(part.fields.first(name: "Content-Range") == "bytes 2-6/10")
        #expect(String(buffer: part.body) == "23456")
        // RFC 9110 § 14.2: several ranges may be answered with the whole.
        #expect(try await Self.fetch(uri, ["Range": "bytes=0-1,3-4"]).body == whole.body)
    }

    @Test(arguments: renditions)
    func eachFormatSaysWhyASegmentIsNotThere(rendition: RenditionDescription) async throws {
        let hour = MediaTime(seconds: 3600)
        for (index, after, reason) in [
            (8, .zero, "gap: there is no media for this segment\n"), (10, .zero, "not found\n"),
            (1, hour, "expired: the segment has left the window\n"),
        ] as [(Int64, MediaTime, String)] {
            let response = try await Self.fetch(Self.path(rendition, index), after: after)
            #expect(response.status == .notFound)
            let cacheControl = reason.hasPrefix("expired") ? "public, max-age=6" : "no-store"
            #expect(response.fields.first(name: "Cache-Control") == cacheControl)
            #expect(String(buffer: response.body) == reason)
        }
        // The number of a segment that was, with the ending of another format.
        let other = rendition.format == .aac ? "ts" : "aac"
        let response = try await Self.fetch("/live/\(rendition.id)/\(Fixture.first + 1).\(other)", after: hour)
        #expect(String(buffer: response.body) == "not found\n")
    }

    @Test(arguments: ["video-m4s", "video-ts"])
    func iFramePlaylistsAreCachedLikeMediaPlaylistsAndTheirRangesAreServed(video: String) async throws {
        let media = try await Self.fetch("/live/\(video).m3u8")
        let response = try await Self.fetch("/live/\(video)-iframes.m3u8")
        #expect(response.status == .ok)
        #expect(response.fields.first(name: "Cache-Control") == "public, max-age=3")
        for name in ["Cache-Control", "Content-Type", "Vary"] {
            #expect(response.fields.first(name: name) == media.fields.first(name: name))
        }
        let lines = String(buffer: response.body).split(separator: "\n")
        #expect(lines.contains("#EXT-X-I-FRAMES-ONLY"))
        let place = try #require(lines.lastIndex { $0.hasPrefix("#EXT-X-BYTERANGE:") })
        let numbers = lines[place].dropFirst("#EXT-X-BYTERANGE:".count).split(separator: "@").compactMap { Int($0) }
        try #require(numbers.count == 2)
        let uri = try #require(lines[place...].first { !$0.hasPrefix("#") })
        let picture = try await Self.fetch(
            "/live/\(uri)",
            ["Range": "bytes=\(numbers[1])-\(numbers[1] + numbers[0] - 1)"]
        )
        #expect(picture.status == .partialContent)
        #expect(String(buffer: picture.body) == "23456")
    }

    @Test(arguments: ["audio-ec3/450000009.ec3", "video-ts-iframes.m3u8"])
    func whoAsksIsCountedAndLogged(path: String) async throws {
        let log = LogLines()
        let counters = OriginCounters(now: { 0 })
        let response = try await Self.fetch("/live/\(path)", ["Range": "bytes=2-6"], log: log, counters: counters)
        #expect(counters.totals.viewers == 1)
        #expect(counters.totals.bytes == response.body.readableBytes)
        let line = try #require(log.all.first { $0.contains("path=/live/\(path) ") })
        #expect(line.contains("bytes=\(response.body.readableBytes) "))
        #expect(line.contains("status=\(response.status.code)"))
    }
}
