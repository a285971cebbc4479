import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// METHOD=AES-128 as OpenSSL and FFmpeg read it: a segment's initialization vector is its media sequence number.
@Suite struct SealedSegmentTests {
    /// Fragmented MP4 with a clear and with an encrypted initialization section, and transport streams with packed audio.
    static let formats = [["--format", "fmp4"], ["--format", "fmp4", "--encrypt-init"], ["--format", "ts"]]

    /// All slots of the sample feed, which has one video and two audio tracks.
    private static func playlists(_ packager: PackagerProcess) async throws -> [String: MediaPlaylist] {
        try await eventually(within: 20, "all playlists end") {
            let multivariant = try MultivariantPlaylist(parsing: try await packager.text("index.m3u8"))
            let variants = multivariant.variants + multivariant.iFrameVariants
            var found: [String: MediaPlaylist] = [:]
            for uri in variants.map(\.uri) + multivariant.renditions.compactMap(\.uri) {
                found[uri] = try MediaPlaylist(parsing: try await packager.text(uri))
            }
            return found.values.allSatisfy(\.isEnded) ? found : nil
        }
    }

    @Test(arguments: formats)
    func everySegmentIsDecryptedByItsNumber(options: [String]) async throws {
        let arguments = ["--input", Repository.feed, "--no-realtime", "--segment-duration", "2", "--clock", "pts"]
        let clear = try await PackagerProcess(arguments + options.prefix(2))
        let encryption = ["--encryption", "aes-128", "--key-rotation", "4"]
        let sealed = try await PackagerProcess(arguments + options + encryption)
        let directory = try TemporaryDirectory()
        let clearPlaylists = try await Self.playlists(clear)
        var maps = 0
        for (uri, playlist) in try await Self.playlists(sealed) {
            for (index, segment) in playlist.segments.enumerated() where !segment.isGap {
                let number = playlist.mediaSequence.value + Int64(index)
                let key = try #require(segment.keys.first)
                #expect(key.initializationVector == nil, "\(uri) \(number)")
                let vector = String(format: "%032llx", number)
                let body = try await Self.decrypted(segment.uri, key, vector, sealed, directory)
                #expect(try await body == HTTP.body(clear.url(segment.uri)), "\(uri) \(number)")
                guard let map = segment.map, let other = clearPlaylists[uri]?.segments[index].map else { continue }
                maps += 1
                var section = try await HTTP.body(sealed.url(map.uri))
                if let key = map.keys.first {
                    // RFC 8216bis § 4.4.4.5: where a key covers a map, it names the vector.
                    let vector = try #require(key.initializationVector).hex
                    section = try await Self.decrypted(map.uri, key, vector, sealed, directory)
                }
                #expect(map.keys.isEmpty == !options.contains("--encrypt-init"))
                #expect(try await section == HTTP.body(clear.url(other.uri)))
            }
        }
        #expect(clearPlaylists.count >= 3)
        #expect((maps > 0) == options.contains("fmp4"))
        await clear.end()
        await sealed.end()
    }

    /// A program that opens resources with Python's `cryptography`: a key file, and files that become what they were in
    /// the clear.
    private static let opener = """
        import sys
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        cipher = AESGCM(open(sys.argv[1], "rb").read())
        for path in sys.argv[2:]:
            sealed = open(path, "rb").read()
            open(path, "wb").write(cipher.decrypt(sealed[:16], sealed[16:], None))
        """

    @Test(arguments: formats)
    func everySegmentIsOpenedByItsOwnVector(options: [String]) async throws {
        let arguments = ["--input", Repository.feed, "--no-realtime", "--segment-duration", "2", "--clock", "pts"]
        let clear = try await PackagerProcess(arguments + options.prefix(2))
        let encryption = ["--encryption", "aes-256-gcm", "--key-rotation", "4"]
        let sealed = try await PackagerProcess(arguments + options + encryption)
        let directory = try TemporaryDirectory()
        let script = try directory.write(Self.opener, to: "open.py")
        let clearPlaylists = try await Self.playlists(clear)
        var (vectors, keys, count): (Set<Data>, Set<String>, Int) = ([], [], 0)
        for (uri, playlist) in try await Self.playlists(sealed) {
            #expect(!playlist.isIFramesOnly)
            for (index, segment) in playlist.segments.enumerated() where !segment.isGap {
                let key = try #require(segment.keys.first)
                #expect(key == EncryptionKey(method: .aes256GCM, uri: key.uri))
                let map = segment.map.map { [($0.uri, $0.keys)] } ?? []
                for (name, keysOfName) in [(segment.uri, segment.keys)] + map {
                    let bytes = try await HTTP.body(sealed.url(name))
                    let file = try directory.write(bytes, to: UUID().uuidString)
                    if keysOfName.isEmpty {
                        #expect(name == segment.map?.uri && !options.contains("--encrypt-init"))
                    } else {
                        let secret = try directory.write(try await HTTP.body(sealed.url(key.uri)), to: "key")
                        try await Program.run(Repository.python, [script, secret, file])
                        keys.insert(key.uri)
                        if name == segment.uri { vectors.insert(bytes.prefix(16)); count += 1 }
                    }
                    let other = try #require(clearPlaylists[uri]?.segments[index])
                    let source = name == segment.uri ? other.uri : try #require(other.map?.uri)
                    #expect(try await Data(contentsOf: URL(filePath: file)) == HTTP.body(clear.url(source)), "\(name)")
                }
            }
        }
        #expect(vectors.count == count && count > 6 && keys.count >= 4)
        await clear.end()
        await sealed.end()
    }

    @Test(arguments: formats)
    func ffmpegPlaysAcrossKeyPeriods(options: [String]) async throws {
        let arguments = ["--input", Repository.feed, "--no-realtime", "--segment-duration", "2"] + options
        let packager = try await PackagerProcess(arguments + ["--encryption", "aes-128", "--key-rotation", "4"])
        let playlists = try await Self.playlists(packager)
        let video = try #require(playlists.first { $0.key.hasPrefix("video") && !$0.value.isIFramesOnly })
        #expect(Set(video.value.segments.map(\.keys)).count >= 2)
        let source = try await Frames.decoded(["-i", Repository.feed], "v:0")
        let frames = try await Frames.decoded(playlistOptions + [packager.url(video.key)], "v:0")
        #expect(frames.map(\.checksum) == source.map(\.checksum))
        await packager.end()
    }

    /// Decrypts a resource with OpenSSL.
    private static func decrypted(
        _ uri: String,
        _ key: EncryptionKey,
        _ vector: String,
        _ packager: PackagerProcess,
        _ directory: TemporaryDirectory
    ) async throws -> Data {
        let file = try directory.write(try await HTTP.body(packager.url(uri)), to: UUID().uuidString)
        let digits = try await HTTP.body(packager.url(key.uri)).hexadecimal
        let cipher = ["enc", "-d", "-aes-128-cbc", "-K", digits, "-iv", vector]
        try await Program.run("openssl", cipher + ["-in", file, "-out", "\(file).clear"])
        return try Data(contentsOf: URL(filePath: "\(file).clear"))
    }
}
