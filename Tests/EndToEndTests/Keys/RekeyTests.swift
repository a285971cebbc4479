import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// `packager rekey`, as FFmpeg and Shaka Packager see what it makes.
@Suite struct RekeyTests {
    private static let keys = [
        "video": (id: "00112233445566778899aabbccddeeff", key: String(repeating: "1f", count: 16)),
        "audio": (id: "ffeeddccbbaa99887766554433221100", key: String(repeating: "2e", count: 16)),
    ]

    /// Makes the files of `--output` of the sample feed, with four keys, and a copy with two.
    private static func copy(
        _ options: [String],
        in directory: TemporaryDirectory,
        after spoil: (String) throws -> Void = { _ in }
    ) async throws -> (source: String, copy: String) {
        let secret = try directory.write(String(repeating: "5a", count: 32), to: "secret")
        let lines = keys.map { #"{"class": "\#($0)", "keyID": "\#($1.id)", "key": "\#($1.key)"}"# }
        let newKeys = try directory.write(lines.joined(separator: "\n"), to: "new-keys")
        for file in [secret, newKeys] {
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        }
        let (source, copy) = (directory.file("live"), directory.file("film"))
        let channel = ["--segment-duration", "2", "--key-rotation", "4", "--key-secret", secret] + options
        let input = ["--input", Repository.feed, "--no-realtime", "--window", "60", "--output", source]
        let nowhere = ["--listen", "127.0.0.1:0", "--control", "127.0.0.1:0"]
        try await Program.run(Repository.packager, channel + input + nowhere)
        try spoil(source)
        let text = try await Program.run(
            Repository.packager,
            ["rekey", source, copy, "--new-keys", newKeys] + channel
        )
        #expect(text.contains("keys: video 00112233445566778899aabbccddeeff, audio ffeeddccbbaa99887766554433221100"))
        try FileManager.default.createDirectory(atPath: "\(copy)/keys", withIntermediateDirectories: false)
        for key in keys.values {
            let bytes = stride(from: 0, to: 32, by: 2).compactMap { UInt8(key.key.dropFirst($0).prefix(2), radix: 16) }
            try Data(bytes).write(to: URL(filePath: "\(copy)/keys/\(key.id)"))
        }
        return (source, copy)
    }

    private static func playlist(_ directory: String, _ name: String) throws -> (text: String, value: MediaPlaylist) {
        let text = try String(contentsOfFile: "\(directory)/\(name).m3u8", encoding: .utf8)
        return (text, try MediaPlaylist(parsing: text))
    }

    @Test(
        arguments: [
            "--format fmp4 --encryption sample-aes",
            "--format fmp4 --encryption sample-aes --drm fairplay,widevine,playready,clearkey --identity-key",
            "--format fmp4 --encryption sample-aes-ctr",
            "--format fmp4 --encryption aes-128 --encrypt-init", "--format ts --encryption aes-128",
            "--format ts --encryption sample-aes",
        ].oneIn(2)
    )
    func framesAreThoseOfTheFeed(options: String) async throws {
        let directory = try TemporaryDirectory()
        let (source, copy) = try await Self.copy(options.split(separator: " ").map(String.init), in: directory)
        for (name, stream, keyClass) in [("video-360p", "v:0", "video"), ("audio-en", "a:0", "audio")] {
            let before = try Self.playlist(source, name).value
            let (text, after) = try Self.playlist(copy, name)
            #expect(Set(before.segments.map(\.keys)).count >= 2 && Set(after.segments.map(\.keys)).count == 1)
            #expect(Set(after.segments.map(\.map)).count == 1 && after.isEnded && text.contains("PLAYLIST-TYPE:VOD"))
            #expect(after.segments.map(\.uri) == before.segments.map(\.uri))
            #expect(after.segments.map(\.programDateTime) == before.segments.map(\.programDateTime))
            var input = playlistOptions + ["\(copy)/\(name).m3u8"]
            if options.contains("fmp4"), options.contains("sample-aes") {
                let files = after.segments.prefix(1).compactMap(\.map?.uri) + after.segments.map(\.uri)
                let file = try directory.write(
                    files.map { try Data(contentsOf: URL(filePath: "\(copy)/\($0)")) }.reduce(Data(), +),
                    to: "\(name).mp4"
                )
                let clear = directory.file("\(name)-clear.mp4")
                let key = try #require(Self.keys[keyClass])
                try await Program.run(
                    StreamerBinaries.path("packager"),
                    [
                        "in=\(file),stream=\(keyClass),output=\(clear)", "--enable_raw_key_decryption", "--keys",
                        "label=:key_id=\(key.id):key=\(key.key)",
                    ]
                )
                let shaka = try await Frames.decoded(["-i", clear], stream)
                let feed = try await Frames.decoded(["-i", Repository.feed], stream)
                #expect(shaka.map(\.checksum) == feed.map(\.checksum), "Shaka Packager, \(name)")
                if options.contains("ctr") { input = ["-seekable", "0", "-decryption_key", key.key, "-i", file] }
            }
            let isInTransportStreams = options == "--format ts --encryption sample-aes"
            if isInTransportStreams { try await Self.expectClearFrames(name, keyClass, of: after, copy, in: directory) }
            let feed = try await Frames.decoded(["-i", Repository.feed], stream)
            let frames = try await Frames.decoded(input, stream)
            // FFmpeg does not decrypt the last packets of a transport stream with SAMPLE-AES.
            let spoiled = isInTransportStreams ? 3 : 0
            #expect(frames.count == feed.count)
            #expect(
                frames.dropLast(spoiled).map(\.checksum) == feed.dropLast(spoiled).map(\.checksum),
                "FFmpeg, \(name)"
            )
        }
    }

    /// Every frame, to the last, is what it is in transport streams that were never encrypted.
    private static func expectClearFrames(
        _ name: String,
        _ keyClass: String,
        of playlist: MediaPlaylist,
        _ copy: String,
        in directory: TemporaryDirectory
    ) async throws {
        let clear = directory.file("clear-\(name)")
        try await Program.run(
            Repository.packager,
            ["--input", Repository.feed, "--no-realtime", "--window", "60", "--output", clear, "--format", "ts"]
                + ["--segment-duration", "2", "--listen", "127.0.0.1:0", "--control", "127.0.0.1:0"]
        )
        let source = try Self.playlist(clear, name).value.segments.map { "\(clear)/\($0.uri)" }
        let vectors = Set(playlist.segments.compactMap { $0.keys.first?.initializationVector?.hex })
        let key = (try #require(keys[keyClass]).key, try #require(vectors.first))
        #expect(vectors.count == 1)
        let frames = try await DecryptedFrames(playlist.segments.map { "\(copy)/\($0.uri)" }, key: key)
        #expect(try await frames == DecryptedFrames(source), "\(name)")
    }

    @Test func whatIsNotRekeyedIsSaidAndLeavesNothing() async throws {
        let directory = try TemporaryDirectory()
        let failure = await #expect(throws: Program.Failure.self) {
            try await Self.copy(["--format", "ts", "--encryption", "sample-aes"], in: directory) { source in
                let segment = try #require(try Self.playlist(source, "video-360p").value.segments.last).uri
                let file = try FileHandle(forWritingTo: URL(filePath: "\(source)/\(segment)"))
                try file.truncate(atOffset: file.seekToEnd() - 100)
            }
        }
        #expect(failure?.description.contains("exit code 2") == true, "\(failure?.description ?? "")")
        #expect(failure?.description.contains("a PES packet is not as long as it says") == true)
        let left = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        #expect(left == ["live", "new-keys", "secret"])
    }

    /// Entries for trick play are whole pictures, which may have another length than before.
    @Test(arguments: ["ts", "fmp4"]) func picturesAreListedAsLongAsTheyAre(format: String) async throws {
        let directory = try TemporaryDirectory()
        let (source, copy) = try await Self.copy(["--format", format, "--encryption", "sample-aes"], in: directory)
        let name = "video-360p-iframes"
        let before = try Self.playlist(source, name).value.segments
        let (text, after) = try Self.playlist(copy, name)
        #expect(after.segments.map(\.uri) == before.map(\.uri) && !before.isEmpty)
        let files = Dictionary(grouping: after.segments, by: \.uri)
        for (uri, entries) in files {
            let size = try FileManager.default.attributesOfItem(atPath: "\(copy)/\(uri)")[.size] as? Int ?? 0
            for range in entries.map(\.byteRange) { #expect(range.map { $0.upperBound <= size } == true, "\(uri)") }
        }
        // Each range by itself is one key picture of the feed.
        let pictures = try await IFramePlaylist(text, base: copy + "/").pictures(in: directory)
        let keyPictures = Set(
            try await Frames.decoded(["-skip_frame", "nokey", "-i", Repository.feed]).map(\.checksum)
        )
        #expect(pictures.count == after.segments.count)
        #expect(pictures.allSatisfy { $0.count == 1 && keyPictures.contains($0[0]) }, "\(pictures.map(\.count))")
        #expect(Set(pictures.flatMap { $0 }).count == pictures.count)
    }
}
