import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// The data that players of licence servers need, as the packager publishes it.
@Suite(.serialized) struct KeySystemTests {
    private static let format = SegmentFormat(.fragmentedMP4, .sampleAES)
    private static let all = ["--drm", "fairplay,widevine,playready,clearkey"]

    /// The `pssh` boxes of an initialization section.
    private static func headers(in section: Data) -> [Data] {
        var (boxes, rest) = ([Data](), section[...])
        while let type = rest.range(of: Data("pssh".utf8)) {
            let start = type.lowerBound - 4
            let count = section[start..<type.lowerBound].reduce(0) { $0 << 8 | Int($1) }
            boxes.append(section[start..<start + count])
            rest = section[(start + count)...]
        }
        return boxes
    }

    /// The data behind the comma of a `data:` URI.
    private static func data(_ key: EncryptionKey) throws -> Data {
        try #require(Data(base64Encoded: key.uri.split(separator: ",").last.map(String.init) ?? ""))
    }

    @Test func everyPeriodHasAllSystemsInPlaylistsAndInitializationSections() async throws {
        let feed = try await PackagedFeed(
            [.avc],
            as: Self.format,
            options: Self.all + ["--identity-key", "--key-rotation", "4"]
        )
        let directory = try TemporaryDirectory()
        let source = try await FeedStore.shared.decoded(.avc, "v:0")
        var (keyIDs, decrypted) = ([String](), [String]())
        for period in feed.periods(of: try #require(feed.videos.first)) {
            let segment = try #require(period.segments.first)
            let map = try #require(segment.map)
            #expect(map.keys == segment.keys)
            try #require(segment.keys.count == 5)
            let keyID = try #require(segment.keys.identity?.uri.split(separator: "/").last.map(String.init))
            let bytes = try #require(Bytes16(hex: keyID))
            #expect(segment.keys[0].uri == "skd://\(keyID)")
            #expect(try Self.data(segment.keys[3]) == Data(bytes.bytes))
            let headers = Self.headers(in: try await HTTP.body(map.uri))
            try #require(headers.count == 3)
            // The very box, the data of another, and the one that has the key ID for all to read.
            #expect(try Self.data(segment.keys[1]) == headers[0])
            #expect(try Self.data(segment.keys[2]) == headers[1].dropFirst(32))
            #expect(headers[2].suffix(20).prefix(16) == Data(bytes.bytes))
            keyIDs.append(keyID)
            let file = try await ShakaDecryptor.decrypt(period, "video", in: directory)
            decrypted += try await Frames.decoded(["-i", file], "v:0").map(\.checksum)
        }
        #expect(keyIDs.count >= 2 && Set(keyIDs).count == keyIDs.count)
        #expect(decrypted == source.map(\.checksum))
        #expect(Set(feed.multivariant.sessionKeys.map(\.effectiveKeyFormat)).count == 5)
        await feed.packager.end()
    }

    /// Shaka Packager names a key of two systems and of W3C's in the very same boxes.
    @Test func shakaPackagerWritesTheSameHeaders() async throws {
        let clear = try await PackagedFeed([.avc], as: SegmentFormat(.fragmentedMP4, .none))
        let feed = try await PackagedFeed([.avc], as: Self.format, options: Self.all)
        let directory = try TemporaryDirectory()
        let media = try #require(clear.videos.first?.playlist)
        var file = Data()
        for uri in media.segments.prefix(1).compactMap({ $0.map?.uri }) + media.segments.map(\.uri) {
            file += try await HTTP.body(clear.packager.url(uri))
        }
        let input = try directory.write(file, to: "clear.mp4")
        let segment = try #require(feed.videos.first?.playlist.segments.first)
        let keyID = try #require(segment.keys.first).uri.dropFirst("skd://".count)
        let output = "\(input)-encrypted.mp4"
        try await Program.run(
            StreamerBinaries.path("packager"),
            [
                "in=\(input),stream=video,output=\(output)", "--enable_raw_key_encryption", "--keys",
                "label=:key_id=\(keyID):key=\(String(repeating: "7", count: 32))", "--protection_scheme", "cbcs",
                "--protection_systems", "Widevine,PlayReady,CommonSystem",
            ]
        )
        let theirs = Self.headers(in: try Data(contentsOf: URL(filePath: output)))
        let map = try #require(segment.map)
        let ours = Self.headers(in: try await HTTP.body(feed.packager.url(map.uri)))
        #expect(Set(ours) == Set(theirs))
        #expect(ours.count == 3)
        await clear.packager.end()
        await feed.packager.end()
    }

    @Test func theOriginHasNoKeysForThoseOfALicenceServer() async throws {
        let feed = try await PackagedFeed([.avc], as: Self.format, options: ["--drm", "widevine,fairplay"])
        let keys = try #require(feed.videos.first?.playlist.segments.first).keys
        #expect(keys.map(\.effectiveKeyFormat).first == "com.apple.streamingkeydelivery")
        #expect(keys.count == 2)
        let keyID = keys[0].uri.dropFirst("skd://".count)
        #expect(try await HTTP.get(feed.packager.url("keys/\(keyID)")).status == 404)
        let text = try await feed.packager.text("index.m3u8")
        #expect(text.contains("#EXT-X-SESSION-KEY:METHOD=SAMPLE-AES,URI=\"skd://\(keyID)\","))
        #expect(!text.contains("HDCP-LEVEL"), "it has fewer than 720 lines")
        await feed.packager.end()
    }

    @Test func whatScreensNeedIsSaidWhereItIsWanted() async throws {
        let options = ["--hdcp-level", "type-1", "--allowed-cpc", "com.apple.streamingkeydelivery:Main"]
        let feed = try await PackagedFeed(
            [.avc],
            as: Self.format,
            options: ["--drm", "fairplay", "--no-session-keys"] + options
        )
        let text = try await feed.packager.text("index.m3u8")
        let attributes = "HDCP-LEVEL=TYPE-1,ALLOWED-CPC=\"com.apple.streamingkeydelivery:Main\","
        // The variant, and its pictures for trick play.
        #expect(text.split(separator: "\n").count { $0.contains(attributes) } == 2)
        #expect(!text.contains("EXT-X-SESSION-KEY"))
        await feed.packager.end()
    }
}
