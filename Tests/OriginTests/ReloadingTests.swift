import HTTPServing
import Logging
import MediaCore
import NIOCore
import NIOEmbedded
import NIOHTTP1
import Playlists
import Presentation
import Synchronization
import Testing

@testable import Origin

/// Requests for what is published next (RFC 8216bis § 6.2.5), in a channel whose newest segment is the tenth.
@Suite struct ReloadingTests {
    /// A request that waits on an event loop.
    private final class Parked {
        private final class End: Sendable {
            let count = Mutex(0)
        }

        private let eventLoop: EmbeddedEventLoop
        private let end: End
        private let waiting: Waiting
        let stop: @Sendable () -> Void

        init(_ reply: Reply) throws {
            let (eventLoop, end) = (EmbeddedEventLoop(), End())
            guard case .waiting(let waiting) = reply,
                let stop = waiting.begin(eventLoop, { end.count.withLock { $0 += 1 } })
            else { throw NotWaiting() }
            (self.eventLoop, self.end, self.waiting, self.stop) = (eventLoop, end, waiting, stop)
        }

        /// The reply, if the wait is over.
        var reply: Reply? {
            eventLoop.run()
            return end.count.withLock { $0 } == 1 ? waiting.reply() : nil
        }

        /// The answer, if the wait is over.
        var answer: Answer? {
            guard case .answer(let answer)? = reply else { return nil }
            return answer
        }

        func pass(_ time: TimeAmount) { eventLoop.advanceTime(by: time) }
    }

    private struct NotWaiting: Error {}

    /// One channel, and others that take its place.
    private final class Place: OriginChannels {
        private let channel: Mutex<OriginChannel>

        init(_ presentation: Presentation) {
            channel = Mutex(OriginChannel(name: "live", presentation: presentation))
        }

        let names = ["live"]

        subscript(name: Substring) -> OriginChannel? { channel.withLock { $0 } }

        func replace(with presentation: Presentation) {
            channel.withLock { $0 = OriginChannel(name: "live", presentation: presentation) }
        }
    }

    private struct Stage {
        let presentation: Presentation
        let responder: OriginResponder

        init(
            partTarget: MediaTime? = MediaTime(seconds: 1),
            holdsNext: Bool = false,
            isPaired: Bool = false,
            endpoint: EndpointHealth = EndpointHealth(),
            counters: OriginCounters = OriginCounters(now: { 0 })
        ) throws {
            presentation = try Fixture.presentation(partTarget: partTarget)
            var channel = OriginChannel(name: "live", presentation: presentation, endpoint: endpoint)
            (channel.holdsNext, channel.isPaired) = (holdsNext, isPaired)
            let server = OriginServer(
                configuration: OriginConfiguration(port: 0),
                channels: [channel],
                counters: counters,
                now: { Fixture.now },
                logger: Logger(label: "origin") { _ in LogLines(level: .info) }
            )
            responder = server.responder
        }

        func reply(_ path: String, _ method: HTTPMethod = .GET) -> Reply {
            responder.reply(to: Request(method, "/live/\(path)"))
        }

        /// The reply in words: its status and how long caches may keep it.
        func words(_ path: String, _ method: HTTPMethod = .GET) -> String {
            switch reply(path, method) {
            case .answer(let answer): ReloadingTests.words(answer)
            case .waiting: "waits"
            default: "else"
            }
        }

        func prepared(_ path: String) throws -> PreparedAnswer? {
            let bytes = ByteBuffer(string: "GET /live/\(path) HTTP/1.1\r\nHost: a\r\n\r\n")
            return responder.prepared(for: try #require(PlainGet(bytes)))
        }

        func publishPart(_ index: Int, of id: RenditionID = "video-1080p") throws {
            let part = PublishedPart(
                number: MediaSequenceNumber(Fixture.first + 10),
                index: index,
                duration: SegmentDuration(value: 1, timescale: 1),
                isIndependent: index == 0,
                content: .media(ByteBuffer(string: "part \(index)"))
            )
            try presentation.publish(part, of: id)
        }
    }

    private static func words(_ answer: Answer) -> String {
        let kept = answer.fields.first(name: "Cache-Control") ?? ""
        return "\(answer.status.code) \(kept.replacing("public, max-age=", with: ""))"
    }

    private static let playlist = "video-1080p.m3u8"
    private static let next = Fixture.first + 10

    // MARK: Playlists

    @Test(arguments: [
        ("", "200 3"), ("?x=1", "200 3"), ("?_HLS_push=1", "200 3"),
        // There, or gone.
        ("?_HLS_msn=\(next - 1)", "200 36"), ("?_HLS_msn=\(next - 1)&_HLS_part=7", "200 36"),
        ("?_HLS_msn=0", "200 36"), ("?_HLS_msn=1&_HLS_part=1", "200 36"),
        // Still to come.
        ("?_HLS_msn=\(next)", "waits"), ("?_HLS_msn=\(next)&_HLS_part=0", "waits"),
        ("?_HLS_msn=\(next)&_HLS_part=2", "waits"), ("?_HLS_msn=\(next + 1)", "waits"),
        ("?_HLS_msn=\(next)&_HLS_part=0&_HLS_skip=v2", "waits"),
        // Too far ahead: that changes.
        ("?_HLS_msn=\(next + 2)", "400 no-store"), ("?_HLS_msn=\(next)&_HLS_part=3", "400 no-store"),
        ("?_HLS_msn=\(Int64.max)", "400 no-store"),
        // Nonsense.
        ("?_HLS_part=0", "400 24"), ("?_HLS_msn=x", "400 24"), ("?_HLS_msn=-1", "400 24"), ("?_HLS_skip=no", "400 6"),
        // Delta updates.
        ("?_HLS_skip=YES", "200 3"), ("?_HLS_skip=v2", "200 3"), ("?_HLS_msn=\(next - 1)&_HLS_skip=YES", "200 36"),
    ])
    func aPlaylistIsSentOrWaitedForOrRefused(query: String, reply: String) throws {
        let stage = try Stage()
        #expect(stage.words(Self.playlist + query) == reply)
        #expect(stage.words(Self.playlist + query, .HEAD) == reply)
    }

    @Test(arguments: ["?_HLS_msn=x", "?_HLS_part=0", "?_HLS_msn=\(next)", "?_HLS_msn=\(next + 9)&_HLS_skip=no"])
    func directivesAreIgnoredWhereTheyMeanNothing(query: String) throws {
        let stage = try Stage()
        #expect(stage.words("index.m3u8" + query) == "200 6")
        #expect(stage.words("video-1080p/\(Self.next - 1).m4s" + query) == "200 28, immutable")
        #expect(try Stage(partTarget: nil).words(Self.playlist + query) == "200 3")
        stage.presentation.end(now: Fixture.now)
        #expect(stage.words(Self.playlist + query) == "200 3")
    }

    @Test func aPlaylistThatIsNotThereIsNotWaitedFor() throws {
        #expect(try Stage().words("radio.m3u8?_HLS_msn=\(Self.next)") == "404 no-store")
    }

    @Test func aReloadIsAnsweredByWhatItAsksForAndNotBefore() throws {
        let stage = try Stage()
        let query = "?_HLS_msn=\(Self.next)"
        let segment = try Parked(stage.reply(Self.playlist + query))
        let first = try Parked(stage.reply(Self.playlist + query + "&_HLS_part=0"))
        let second = try Parked(stage.reply(Self.playlist + query + "&_HLS_part=1", .HEAD))
        try stage.publishPart(0, of: "audio-en")
        #expect(first.answer == nil)
        try stage.publishPart(0)
        #expect(Self.words(try #require(first.answer)) == "200 36")
        #expect(second.answer == nil)
        try stage.publishPart(1)
        #expect(Self.words(try #require(second.answer)) == "200 36")
        #expect(segment.answer == nil)
        try Fixture.publish(in: stage.presentation, 10..<11)
        let answer = try #require(segment.answer)
        #expect(String(buffer: answer.body).contains("/\(Self.next).m4s"))
        // At the end, nothing more will come.
        let last = try Parked(stage.reply(Self.playlist + "?_HLS_msn=\(Self.next + 2)"))
        stage.presentation.end(now: Fixture.now)
        #expect(Self.words(try #require(last.answer)) == "200 3")
    }

    @Test func aReloadThatTakesTooLongIsRefused() throws {
        let stage = try Stage()
        let parked = try Parked(stage.reply(Self.playlist + "?_HLS_msn=\(Self.next)"))
        parked.pass(.milliseconds(17_999))
        #expect(parked.answer == nil)
        parked.pass(.milliseconds(251))
        let answer = try #require(parked.answer)
        #expect(Self.words(answer) == "503 no-store")
        #expect(answer.fields.first(name: "Retry-After") == "4")
    }

    @Test func aReloadThatHasNoRoomIsRefused() throws {
        var configuration = Fixture.configuration(name: "live")
        configuration.partTarget = MediaTime(seconds: 1)
        configuration.maximumWaiting = 1
        let presentation = Presentation(configuration: configuration, texts: .inline)
        try Fixture.publish(in: presentation)
        let server = OriginServer(
            configuration: OriginConfiguration(port: 0),
            channels: [OriginChannel(name: "live", presentation: presentation)],
            now: { Fixture.now },
            logger: Logger(label: "origin") { _ in LogLines(level: .info) }
        )
        let request = Request(.GET, "/live/\(Self.playlist)?_HLS_msn=\(Self.next)")
        let first = try Parked(server.responder.reply(to: request))
        guard case .waiting(let waiting) = server.responder.reply(to: request) else { throw NotWaiting() }
        #expect(waiting.begin(EmbeddedEventLoop(), {}) == nil)
        guard case .answer(let answer) = waiting.reply() else { throw NotWaiting() }
        #expect(Self.words(answer) == "503 no-store")
        #expect(answer.fields.contains(name: "Retry-After"))
        first.stop()
        _ = try Parked(server.responder.reply(to: request))
    }

    /// A channel that is configured anew, or comes back from an upgrade that failed.
    @Test func aRequestThatWaitsGoesOnWithTheChannelInThePlaceOfItsOwn() throws {
        let (first, second) = try (
            Fixture.presentation(partTarget: MediaTime(seconds: 1)),
            Fixture.presentation(partTarget: MediaTime(seconds: 1))
        )
        let place = Place(first)
        let server = OriginServer(
            configuration: OriginConfiguration(port: 0),
            channels: place,
            now: { Fixture.now },
            logger: Logger(label: "origin") { _ in LogLines(level: .info) }
        )
        let request = Request(.GET, "/live/\(Self.playlist)?_HLS_msn=\(Self.next)")
        let early = try Parked(server.responder.reply(to: request))
        guard case .waiting(let late) = server.responder.reply(to: request) else { throw NotWaiting() }
        first.stop()
        let isOver = early.reply != nil
        #expect(!isOver)
        place.replace(with: second)
        first.endWaits()
        #expect(late.begin(EmbeddedEventLoop(), {}) == nil)
        let moved = try Parked(try #require(early.reply))
        let other = try Parked(late.reply())
        try Fixture.publish(in: second, 10..<11)
        for parked in [moved, other] { #expect(Self.words(try #require(parked.answer)) == "200 36") }
    }

    @Test func aChannelThatFailsHasNobodyWait() throws {
        let endpoint = EndpointHealth(policy: EndpointPolicy(failOn: [.noKey]))
        let stage = try Stage(endpoint: endpoint)
        let path = Self.playlist + "?_HLS_msn=\(Self.next)"
        let parked = try Parked(stage.reply(path))
        endpoint.setKeys(available: false)
        parked.pass(.milliseconds(250))
        let answer = try #require(parked.answer)
        #expect(Self.words(answer) == "503 no-store")
        #expect(String(buffer: answer.body) == "failing: no-key\n")
        #expect(stage.words(path) == "503 no-store")
    }

    /// A player that waits asks once.
    @Test func aRequestThatWaitsIsCountedOnce() throws {
        let counters = OriginCounters(now: { 0 })
        let stage = try Stage(counters: counters)
        let target = "/live/\(Self.playlist)?CMCD=bs&_HLS_msn=\(Self.next)"
        let parked = try Parked(stage.responder.reply(to: Request(.GET, target)))
        try Fixture.publish(in: stage.presentation, 10..<11)
        #expect(parked.answer != nil)
        #expect(counters.totals.audiences["live"]?.stalls == 1)
    }

    // MARK: Parts

    /// The other member of a pair may list what this one lacks: a cache may ask that one next.
    @Test func absenceAtAMemberOfAPairIsNotKept() throws {
        let stage = try Stage(isPaired: true)
        try stage.publishPart(0)
        let never = try Parked(stage.reply("video-1080p/\(Self.next).1.m4s"))
        try Fixture.publish(in: stage.presentation, 10..<11)
        #expect(Self.words(try #require(never.answer)) == "404 no-store")
        stage.presentation.tick(now: Fixture.now + MediaTime(seconds: 3600))
        for path in ["\(Fixture.first + 1).m4s", "\(Fixture.first + 1).0.m4s"] {
            #expect(stage.words("video-1080p/\(path)") == "404 no-store", "\(path)")
        }
    }

    @Test func thePartThatIsNextIsWaitedForAndSentWhole() throws {
        let stage = try Stage()
        func path(_ index: Int) -> String { "video-1080p/\(Self.next).\(index).m4s" }
        let parked = try Parked(stage.reply(path(0)))
        #expect(stage.words(path(1)) == "404 no-store", "only the next one is hinted at")
        #expect(stage.words("video-1080p/\(Self.next).00.m4s") == "404 no-store")
        #expect(stage.words("radio/\(Self.next).0.m4s") == "404 no-store")
        try stage.publishPart(0)
        let answer = try #require(parked.answer)
        #expect(Self.words(answer) == "200 36, immutable")
        #expect(String(buffer: answer.body) == "part 0")
        #expect(stage.words(path(0)) == "200 36, immutable")
        #expect(try #require(try stage.prepared(path(0))).body == ByteBuffer(string: "part 0"))
        let never = try Parked(stage.reply(path(1)))
        try Fixture.publish(in: stage.presentation, 10..<11)
        #expect(Self.words(try #require(never.answer)) == "404 6")
        #expect(stage.words("video-1080p/\(Self.next + 1).0.m4s") == "waits")
        #expect(stage.words("video-1080p/\(Fixture.first - 1).m4s") == "404 no-store")
        // Bytes of text are never told in parts, nor are those of a channel without low latency.
        #expect(try Stage(partTarget: nil).words(path(0)) == "404 no-store")
    }

    @Test func aPartThatTakesTooLongMayBeAskedForAgain() throws {
        let stage = try Stage()
        let parked = try Parked(stage.reply("video-1080p/\(Self.next).0.m4s"))
        parked.pass(.seconds(19))
        #expect(Self.words(try #require(parked.answer)) == "503 no-store")
    }

    // MARK: Answers that are prepared

    @Test func onlyThePlaylistAsItIsIsPrepared() throws {
        let stage = try Stage()
        for path in [Self.playlist, "index.m3u8"] { _ = stage.words(path) }
        for path in [Self.playlist, Self.playlist + "?x=1", "index.m3u8?_HLS_msn=1"] {
            #expect(try stage.prepared(path) != nil, "\(path)")
        }
        for query in ["_HLS_msn=\(Self.next)", "_HLS_msn=1", "_HLS_skip=YES", "_HLS_msn=x", "a&_HLS_part=1"] {
            #expect(try stage.prepared("\(Self.playlist)?\(query)") == nil, "\(query)")
        }
        let classic = try Stage(partTarget: nil)
        _ = classic.words(Self.playlist)
        #expect(try classic.prepared("\(Self.playlist)?_HLS_msn=\(Self.next)") != nil)
    }

    // MARK: Classic players

    @Test(arguments: [nil, MediaTime(seconds: 1)])
    func aPlaylistIsHeldForTheNextSegment(partTarget: MediaTime?) throws {
        let stage = try Stage(partTarget: partTarget, holdsNext: true)
        let parked = try Parked(stage.reply(Self.playlist))
        #expect(try stage.prepared(Self.playlist) == nil)
        #expect(stage.words(Self.playlist, .HEAD) == "200 3")
        #expect(stage.words("index.m3u8") == "200 6")
        if partTarget != nil { try stage.publishPart(0) }
        #expect(parked.answer == nil)
        try Fixture.publish(in: stage.presentation, 10..<11)
        let answer = try #require(parked.answer)
        #expect(Self.words(answer) == "200 3")
        #expect(String(buffer: answer.body).contains("/\(Self.next).m4s"))
        stage.presentation.end(now: Fixture.now)
        #expect(stage.words(Self.playlist) == "200 3")
    }

    @Test func aPlaylistWhoseNextSegmentIsLateIsNotRefused() throws {
        let stage = try Stage(partTarget: nil, holdsNext: true)
        let parked = try Parked(stage.reply(Self.playlist))
        parked.pass(.milliseconds(9_250))
        #expect(Self.words(try #require(parked.answer)) == "200 3")
    }
}
