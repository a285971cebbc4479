import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Rungs that come each by way of UDP.
@Suite struct LiveLadderTests {
    @Test func rungsOfOneClockAreCutAlikeAndAudioIsThereOnce() async throws {
        let ports = (0..<2).map { _ in Ports.free(datagram: true) }
        let packager = try await PackagerProcess(Self.arguments(ports))
        let utc = FeedSender.utc
        let senders = [
            try FeedSender.udp(port: ports[0], options: utc),
            try FeedSender.udp(port: ports[1], options: Self.hevc + utc, feed: Repository.smallFeed),
        ]
        let names = ["video-180p-hevc", "video-360p", "audio-en", "audio-de"]
        var starts: [String: [MediaSequenceNumber: MediaTime]] = [:]
        for name in names {
            let playlist = try await packager.mediaPlaylist(name, "five segments") { $0.segments.count >= 5 }
            #expect(
                playlist.segments.allSatisfy { !$0.isGap && !$0.startsDiscontinuity },
                "\(name): \(playlist.render())\(packager.program.errors)"
            )
            starts[name] = Dictionary(uniqueKeysWithValues: playlist.numbered.map { ($0.0, $0.1.programDateTime) })
        }
        let leader = try #require(starts["video-360p"])
        for name in names where name != "video-360p" {
            let common = (starts[name] ?? [:]).filter { leader[$0.key] != nil }
            #expect(common.count >= 3, "\(name): \(starts[name]?.keys.sorted() ?? []), \(leader.keys.sorted())")
            for (number, start) in common {
                #expect(try abs((start - #require(leader[number])).milliseconds) <= 40, "\(name) \(number)")
            }
        }
        let multivariant = try MultivariantPlaylist(parsing: try await packager.text("index.m3u8"))
        #expect(multivariant.variants.map(\.uri) == ["video-180p-hevc.m3u8", "video-360p.m3u8"])
        let codecs = multivariant.variants.map { $0.codecs.map { $0.prefix { $0 != "." } } }
        #expect(codecs == [["hvc1", "mp4a"], ["avc1", "mp4a"]])
        #expect(multivariant.renditions.compactMap(\.uri) == ["audio-en.m3u8", "audio-de.m3u8"])
        #expect(!packager.program.errors.contains("aligned"), "\(packager.program.errors)")
        for sender in senders { sender.program.kill() }
        await packager.end()
    }

    @Test func keyFramesThatAreNotAlignedAreSaidWithTheOffset() async throws {
        let ports = (0..<2).map { _ in Ports.free(datagram: true) }
        let packager = try await PackagerProcess(Self.arguments(ports))
        let utc = FeedSender.utc
        let senders = [
            try FeedSender.udp(port: ports[0], options: utc),
            try FeedSender.udp(port: ports[1], options: Self.late + utc, feed: Repository.smallFeed),
        ]
        let said = try await eventually(within: 30, "the offset is said") {
            let pattern = /its key frames are not aligned with the others.+?: segment \d+ starts (\d+) ms behind theirs/
            return try pattern.firstMatch(in: packager.program.errors).map { String($0.1) }
        }
        #expect(abs(try #require(Int(said)) - 400) <= 40, "\(said) ms")
        for sender in senders { sender.program.kill() }
        await packager.end()
    }

    private static let hevc = [
        "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
        "keyint=25:scenecut=0:open-gop=0:bframes=0:repeat-headers=1:log-level=error",
    ]
    /// Key frames 400 ms behind each second.
    private static let late = [
        "-map", "-0:a", "-c:v", "libx264", "-preset", "ultrafast", "-g", "250", "-force_key_frames",
        "expr:gte(t,n_forced-0.6)",
    ]

    private static func arguments(_ ports: [Int]) -> [String] {
        ["--segment-duration", "1", "--window", "12", "--clock", "pts"]
            + ports.flatMap { ["--input", "udp://127.0.0.1:\($0)"] }
    }
}
