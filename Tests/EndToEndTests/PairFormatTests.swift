import Foundation
import Playlists
import TestSupport
import Testing

/// Two packagers on one feed publish the same in every format.
@Suite struct PairFormatTests {
    enum Channel: String, CaseIterable {
        case transportStream, encryptedTransportStream, ladder

        var feeds: [PairFixture.Feed] {
            switch self {
            case .transportStream, .encryptedTransportStream: [.init(options: ["-map", "-0:a:1"])]
            case .ladder:
                [
                    .init(options: ["-c:a:1", "ac3", "-b:a:1", "192k", "-metadata:s:a:1", "language=eng"]),
                    .init(file: Repository.smallFeed, options: ["-map", "-0:a:1"]),
                ]
            }
        }

        var flags: [String: String] {
            switch self {
            case .transportStream: ["--format": "ts", "--encryption": "none", "--key-rotation": "0"]
            case .encryptedTransportStream: ["--format": "ts"]
            case .ladder: [:]
            }
        }

        var playlists: Set<String> {
            switch self {
            case .transportStream, .encryptedTransportStream: ["video-360p.m3u8", "video-360p-iframes.m3u8"]
            case .ladder:
                [
                    "video-180p.m3u8", "video-180p-iframes.m3u8", "video-360p.m3u8", "video-360p-iframes.m3u8",
                    "audio-en.m3u8", "audio-en-ac3.m3u8",
                ]
            }
        }
    }

    @Test(arguments: Channel.allCases) func twoThatStartTogetherAgreeInEverything(channel: Channel) async throws {
        let pair = try PairFixture(feeds: channel.feeds)
        let port = Ports.free()
        func flags(_ peer: String) -> [String: String] { channel.flags.merging(["--peer": peer]) { _, peer in peer } }
        let first = try await pair.packager(0, flags("http://127.0.0.1:\(port)"))
        let second = try await pair.packager(1, flags(first.origin), port: port)
        _ = try await second.mediaPlaylist("video-360p", "four segments") { $0.segments.count >= 4 }
        let multivariant = try MultivariantPlaylist(parsing: try await first.text("index.m3u8"))
        #expect(multivariant.mediaPlaylists == channel.playlists)
        #expect(
            try await first.comparison(with: second).differing == [],
            "\(first.program.errors)\(second.program.errors)"
        )
        let verdict = try await first.verdict(on: second, seconds: 2)
        #expect(verdict.code == 0, "\(verdict.text)")
        #expect(verdict.text.contains("compared: \(channel.playlists.count) renditions"), "\(verdict.text)")
        for playlist in channel.playlists.union(["index.m3u8"]) {
            _ = try await eventually(within: 20, "equal texts of \(playlist)") {
                try await first.text(playlist) == second.text(playlist) ? true : nil
            }
        }
        await first.end()
        await second.end()
    }
}
