import Foundation
import TestSupport
import Testing

@testable import Playlists

/// A ladder of SD, HD and UHD whose classes have keys of their own.
@Suite(.serialized) struct KeyClassTests {
    private static let format = SegmentFormat(.fragmentedMP4, .sampleAES)
    private static let classes = ["--key-classes", "sd,hd,uhd"]

    private static func keyIDs(_ playlist: MediaPlaylist) -> [String] {
        playlist.segments.compactMap { $0.keys.identity?.uri.split(separator: "/").last.map(String.init) }
    }

    @Test func eachClassIsDecryptedWithItsOwnKeys() async throws {
        let options = Self.classes + ["--key-rotation", "4", "--drm", "clearkey", "--identity-key"]
        let feed = try await PackagedFeed(FeedRecipe.classes, as: Self.format, options: options)
        let directory = try TemporaryDirectory()
        var all: Set<String> = []
        for (recipe, height) in zip(FeedRecipe.classes, [180, 720, 1440]) {
            let video = try #require(feed.videos.first { $0.uri == "video-\(height)p.m3u8" })
            var decrypted: [String] = []
            for period in feed.periods(of: video) {
                let file = try await ShakaDecryptor.decrypt(period, "video", in: directory)
                decrypted += try await Frames.decoded(["-i", file], "v:0").map(\.checksum)
            }
            #expect(try await decrypted == FeedStore.shared.decoded(recipe, "v:0").map(\.checksum), "\(height)")
            let own = Set(Self.keyIDs(video.playlist))
            #expect(own.count >= 2 && all.isDisjoint(with: own), "\(height)")
            all.formUnion(own)
        }
        let audio = try #require(feed.audios.first)
        #expect(all.isDisjoint(with: Self.keyIDs(audio.playlist)))
        let levels = feed.multivariant.variants.sorted { $0.bandwidth < $1.bandwidth }.map(\.hdcpLevel)
        #expect(levels == [nil, .type0, .type1])
        let text = try await feed.packager.text("keys.json")
        for name in ["audio", "sd", "hd", "uhd"] { #expect(text.contains("\"\(name)\""), "\(text)") }
        #expect(!text.contains("\"video\""))
        let events = try await HTTP.get("\(feed.packager.control)/events").text
        #expect(events.contains("needs 8 keys at a time (audio, sd, hd, uhd;"), "\(events)")
        await feed.packager.end()
    }

    @Test func whatIsExportedByClassProtectsByClass() async throws {
        let directory = try TemporaryDirectory()
        // That of ``PackagedFeed``.
        let secret = try directory.write(String(repeating: "5", count: 64), to: "secret")
        let document = try directory.write("", to: "keys.xml")
        for file in [secret, document] {
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        }
        let arguments = ["keys", "export", "--encryption", "sample-aes", "--key-secret", secret] + Self.classes
        let text = try await Program.run(Repository.packager, arguments)
        try Data(text.utf8).write(to: URL(filePath: document))
        let derived = try await PackagedFeed(FeedRecipe.classes, as: Self.format, options: Self.classes)
        let source = ["--key-source", "cpix:\(document)"]
        let read = try await PackagedFeed(FeedRecipe.classes, as: Self.format, options: Self.classes + source)
        for (one, other) in zip(derived.videos + derived.audios, read.videos + read.audios) {
            #expect(one.uri == other.uri)
            #expect(Set(Self.keyIDs(one.playlist)) == Set(Self.keyIDs(other.playlist)))
        }
        #expect(Set(read.videos.flatMap { Self.keyIDs($0.playlist) }).count == 3)
        await derived.packager.end()
        await read.packager.end()
    }
}
