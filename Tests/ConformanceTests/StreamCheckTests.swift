import ContentProtection
import Fetching
import MediaCore
import NIOCore
import Playlists
import Testing

@testable import Conformance

@Suite struct StreamCheckTests {
    private typealias Fixture = SegmentFixture

    private static let master = "http://a/live/index.m3u8"
    private static let secret = Bytes16(high: 1, low: 2)
    private static let key = EncryptionKey(method: .aes128, uri: "keys/1")
    private static let mapKey = EncryptionKey(
        method: .aes128,
        uri: "keys/1",
        initializationVector: Bytes16(high: 0, low: 7)
    )

    private static func encrypted(_ bytes: ByteBuffer, _ iv: Bytes16, secret: Bytes16 = secret) throws -> ByteBuffer {
        var encryptor = try SegmentEncryptor(key: ContentKey(secret))
        var bytes = bytes
        try encryptor.encrypt(&bytes, iv: iv)
        return bytes
    }

    /// An origin with one rendition of good fragments.
    private static func origin(
        count: Int64 = 5,
        key: EncryptionKey? = nil,
        mapKey: EncryptionKey? = nil
    ) throws -> MemoryOrigin {
        let origin = MemoryOrigin()
        let variant = MultivariantPlaylist.Variant(uri: "video.m3u8", bandwidth: 1_000_000, codecs: ["avc1.64001e"])
        origin[master] = ByteBuffer(string: MultivariantPlaylist(variants: [variant]).render())
        let map = MediaInitialization(uri: "init.mp4", keys: mapKey.map { [$0] } ?? [])
        let listed = (0..<count).map { Fixture.listed($0, key: key, map: map) }
        let playlist = MediaPlaylist(targetDuration: 6, mediaSequence: Fixture.first, segments: listed.map(\.segment))
        origin["http://a/live/video.m3u8"] = ByteBuffer(string: playlist.render())
        origin["http://a/live/keys/1"] = ByteBuffer(bytes: secret.bytes)
        let section = Fixture.initialization()
        origin["http://a/live/init.mp4"] =
            try mapKey?.initializationVector.map { try encrypted(section, $0) } ?? section
        for (index, listed) in listed.enumerated() {
            let bytes = Fixture.fragments(Int64(index))
            origin["http://a/live/\(listed.segment.uri)"] =
                key == nil ? bytes : try encrypted(bytes, listed.number.initializationVector)
        }
        return origin
    }

    private static func check(_ origin: MemoryOrigin, url: String = master) async throws -> StreamCheckResult {
        try await StreamCheck(of: url, through: origin).run(for: .zero)
    }

    @Test(arguments: [nil, key])
    func aGoodStreamIsClean(key: EncryptionKey?) async throws {
        let result = try await Self.check(try Self.origin(key: key, mapKey: key.map { _ in Self.mapKey }))
        #expect(result.isClean)
        #expect(result.segments == 5)
        #expect(result.playlists == 1)
        #expect(
            result.description
                == """
                no rule is broken
                looked into: 1 media playlists in 1 versions, 5 segments of \(result.bytes) bytes; 0 gaps
                """
        )
    }

    /// Dates are optional, and FFmpeg writes none: segments are looked into, and versions follow each other, all the same.
    @Test func aStreamWithoutDatesIsRead() async throws {
        let origin = try Self.origin(count: 7)
        func version(_ numbers: Range<Int64>) -> ByteBuffer {
            let map = MediaInitialization(uri: "init.mp4")
            let listed = numbers.map { Fixture.listed($0, map: map).segment }
            let number = MediaSequenceNumber(Fixture.first.value + numbers.lowerBound)
            let text = MediaPlaylist(targetDuration: 6, mediaSequence: number, segments: listed).render()
            let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#EXT-X-PROGRAM-DATE-TIME") }
            return ByteBuffer(string: lines.joined(separator: "\n") + "\n")
        }
        let url = "http://a/live/video.m3u8"
        var check = MediaPlaylistCheck(name: "video.m3u8", url: url, fetcher: origin)
        for numbers in [0..<5, 0..<6, 1..<7] as [Range<Int64>] {
            origin[url] = version(numbers)
            await check.pass(until: .now + .seconds(60))
        }
        #expect(check.result.findings.first.isEmpty, "\(check.result.findings.first)")
        #expect(check.result.versions == 3 && check.result.segments == 7)
    }

    /// RFC 8216bis § 6.2.4: if one playlist has dates, all have them.
    @Test func aPlaylistWithoutDatesBesideAnotherIsReported() {
        func version(_ name: String, isDated: Bool) -> PresentationRules.Version {
            var playlist = RollingPlaylist().playlist(end: 100)
            playlist.isDated = isDated
            return .init(name: name, urls: [], base: "", playlist: playlist)
        }
        let versions = [version("a.m3u8", isDated: false), version("b.m3u8", isDated: true)]
        let findings = PresentationRules.findings(in: versions)
        #expect(findings.map(\.playlist) == ["a.m3u8"] && findings.map(\.violation.rule) == [.dateMissing])
        #expect(PresentationRules.findings(in: [versions[0]]).isEmpty)
    }

    /// A pass that takes longer than the window lasts misses segments: nothing says when those after them are.
    @Test func segmentsThatWereMissedAreNoContradiction() {
        func playlist(_ first: Int64) -> MediaPlaylist {
            var playlist = RollingPlaylist().playlist(end: first + 15)
            for index in playlist.segments.indices {
                playlist.segments[index].programDateTime = MediaTime(seconds: Int64(index) * 4)
            }
            playlist.isDated = false
            return playlist
        }
        for (first, start) in [(100, 0), (103, 12), (115, 60)] as [(Int64, Int64)] {
            var next = playlist(first)
            let isContinuous = next.continueDates(of: playlist(100))
            #expect(isContinuous)
            #expect(next.segments.first?.programDateTime == MediaTime(seconds: start))
        }
        var next = playlist(116)
        let isContinuous = next.continueDates(of: playlist(100))
        #expect(!isContinuous)
    }

    @Test func sealedSegmentsAreOpenedAndWhatWasChangedIsMalformed() async throws {
        let origin = try Self.origin()
        let clear = try #require(origin["http://a/live/video.m3u8"])
        let text = String(buffer: clear).replacing(
            "#EXT-X-MAP",
            with: "#EXT-X-KEY:METHOD=AES-256-GCM,URI=\"keys/1\"\n#EXT-X-MAP"
        )
        origin["http://a/live/video.m3u8"] = ByteBuffer(string: text)
        origin["http://a/live/keys/1"] = ByteBuffer(bytes: 0..<32)
        var encryptor = try SegmentEncryptor(key: #require(ContentKey(bytes: Array(0..<32))), cipher: .aes256GCM)
        for (index, name) in (["init.mp4"] + (0..<5).map { Fixture.listed($0).segment.uri }).enumerated() {
            var bytes = try #require(origin["http://a/live/\(name)"])
            try encryptor.encrypt(&bytes, iv: Bytes16(high: 0, low: UInt64(index)))
            origin["http://a/live/\(name)"] = bytes
        }
        let result = try await Self.check(origin)
        #expect(result.isClean && result.segments == 5, "\(result)")
        let path = "http://a/live/\(Fixture.listed(3).segment.uri)"
        var changed = try #require(origin[path])
        changed.setInteger(changed.readableBytesView[40] ^ 1, at: 40)
        origin[path] = changed
        let damaged = try await Self.check(origin)
        #expect(damaged.findings.first.map(\.violation.rule) == [.segmentMalformed])
        origin["http://a/live/keys/1"] = ByteBuffer(bytes: 0..<16)
        #expect(try await Self.check(origin).segments == 0)
    }

    /// Viewers see nothing of such a stream, whatever its playlists look like.
    @Test(arguments: [(Int64(5), "no media: all 5 segments are gaps"), (0, "no media: no segment is listed")])
    func withoutMediaNothingIsClean(count: Int64, verdict: String) async throws {
        let origin = try Self.origin()
        let segments = (0..<count).map { number in
            var segment = Fixture.listed(number).segment
            segment.isGap = true
            return segment
        }
        let playlist = MediaPlaylist(targetDuration: 6, mediaSequence: Fixture.first, segments: segments)
        origin["http://a/live/video.m3u8"] = ByteBuffer(string: playlist.render())
        let result = try await Self.check(origin)
        #expect(!result.isClean && result.findings.count == 0 && result.gaps == Int(count))
        #expect(result.description.hasPrefix(verdict + "\n"), "\(result)")
    }

    @Test func aMediaPlaylistWillDo() async throws {
        let result = try await Self.check(try Self.origin(), url: "http://a/live/video.m3u8")
        #expect(result.isClean)
        #expect(result.segments == 5)
    }

    @Test(arguments: ["init.mp4", "keys/1", "448815602.m4s"])
    func whatIsListedIsThere(path: String) async throws {
        let origin = try Self.origin(key: Self.key, mapKey: Self.mapKey)
        origin["http://a/live/\(path)"] = nil
        let result = try await Self.check(origin)
        #expect(!result.isClean)
        #expect(result.findings.first.allSatisfy { $0.violation.rule == .unavailable && $0.playlist == "video.m3u8" })
        #expect(result.findings.first.first?.violation.detail == "http://a/live/\(path): status 404")
    }

    @Test func aPlaylistThatIsGoneIsSaid() async throws {
        let origin = try Self.origin()
        origin["http://a/live/video.m3u8"] = nil
        let result = try await Self.check(origin)
        #expect(
            result.findings.first.map(\.description) == ["video.m3u8: unavailable: status 404 (RFC 8216bis § 6.2.2)"]
        )
        origin[Self.master] = nil
        await #expect(throws: FetchError.status(404)) { try await Self.check(origin) }
    }

    @Test func whatItsKeyDoesNotDecryptIsMalformed() async throws {
        let origin = try Self.origin(key: Self.key)
        origin["http://a/live/448815603.m4s"] = try Self.encrypted(
            Fixture.fragments(3),
            Fixture.listed(3).number.initializationVector,
            secret: Bytes16(high: 0, low: 0)
        )
        origin["http://a/live/448815604.m4s"] = ByteBuffer(string: "no whole block")
        let result = try await Self.check(origin)
        #expect(result.findings.first.map(\.violation.number) == [448_815_603, 448_815_604])
        #expect(result.findings.first.allSatisfy { $0.violation.rule == .segmentMalformed })
    }

    @Test func keysOfOtherSystemsAreNotAskedFor() async throws {
        let key = EncryptionKey(method: .aes128, uri: "skd://x", keyFormat: "com.apple.streamingkeydelivery")
        let result = try await Self.check(try Self.origin(key: key))
        #expect(result.omitted == [.encrypted: 5])
        #expect(result.segments == 0)
        #expect(result.description.hasSuffix("not looked into: 5 segments (encrypted)"))
    }

    @Test func anInitializationSectionThatCannotBeReadIsSaidOnce() async throws {
        let origin = try Self.origin()
        origin["http://a/live/init.mp4"] = ByteBuffer(string: "<html>")
        let result = try await Self.check(origin)
        #expect(result.findings.count == 1)
        #expect(result.omitted == [.initialization: 5])
    }

    /// A low-latency stream of one rendition, with a delta update in which nothing is skipped.
    private static func lowLatencyOrigin(_ change: (inout MediaPlaylist) -> Void = { _ in }) throws -> MemoryOrigin {
        let origin = try Self.origin()
        let clear = try #require(origin["http://a/live/video.m3u8"])
        var playlist = try MediaPlaylist(parsing: String(buffer: clear))
        let next = Fixture.listed(5, map: playlist.segments[0].map).segment
        playlist.partTarget = MediaTime(seconds: 1)
        playlist.serverControl = MediaPlaylist.ServerControl(
            canSkipUntil: MediaTime(seconds: 36),
            partHoldBack: MediaTime(seconds: 3),
            canBlockReload: true
        )
        playlist.openSegments = [
            MediaPlaylist.OpenSegment(
                programDateTime: next.programDateTime,
                map: next.map,
                parts: [MediaPlaylist.Part(uri: "5.0.m4s", duration: SegmentDuration(MediaTime(seconds: 1)))]
            )
        ]
        playlist.hints = [MediaPlaylist.PreloadHint(kind: .part, uri: "5.1.m4s")]
        change(&playlist)
        origin["http://a/live/video.m3u8"] = ByteBuffer(string: playlist.render())
        origin["http://a/live/video.m3u8?_HLS_skip=YES"] = ByteBuffer(string: playlist.render())
        return origin
    }

    @Test func aLowLatencyStreamIsCleanAndWhatKeepsPlayersFromItIsTold() async throws {
        let result = try await Self.check(try Self.lowLatencyOrigin())
        #expect(result.isClean, "\(result)")
        #expect(result.description.hasSuffix("\nlow latency: players can use it"))
        let other = try await Self.check(try Self.lowLatencyOrigin { $0.serverControl?.canBlockReload = false })
        #expect(other.isClean, "\(other)")
        #expect(other.description.hasSuffix("\nlow latency: not in Safari: video.m3u8 without CAN-BLOCK-RELOAD=YES"))
    }

    @Test(arguments: [nil, "#EXTM3U\n#EXT-X-TARGETDURATION:0\n"])
    func aDeltaUpdateThatIsAnnouncedCanBeHad(answer: String?) async throws {
        let origin = try Self.lowLatencyOrigin()
        origin["http://a/live/video.m3u8?_HLS_skip=YES"] = answer.map { ByteBuffer(string: $0) }
        var check = MediaPlaylistCheck(name: "video.m3u8", url: "http://a/live/video.m3u8", fetcher: origin)
        for _ in 0..<3 { await check.pass(until: .now + .seconds(600)) }
        #expect(check.result.findings.first.map(\.violation.rule) == [.deltaContradicted])
    }

    @Test func eachPassLooksAtWhatIsNewAndNoMoreThanCanBeHad() async throws {
        let origin = try Self.origin(count: 100)
        var check = MediaPlaylistCheck(name: "video.m3u8", url: "http://a/live/video.m3u8", fetcher: origin)
        for (versions, segments) in [(1, 64), (2, 100), (3, 100)] {
            await check.pass(until: .now + .seconds(600))
            #expect(check.result.versions == versions)
            #expect(check.result.segments == segments)
        }
        #expect(check.result.findings.count == 0)
        await check.pass(until: .now)
        #expect(check.result.segments == 100)
    }
}
