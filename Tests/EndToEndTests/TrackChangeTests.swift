import Foundation
import MediaCore
import Playlists
import TestSupport
import Testing

/// Encoders that change on air what they send, as FFmpeg does it.
@Suite(.serialized) struct TrackChangeTests {
    /// Two encoders that send one after the other to the same port.
    struct Change: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var before: [String]
        var after: [String]
        /// Renditions that come, and that leave.
        var new: [String]
        var gone: [String]
    }

    private static let hevc = [
        "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
        "keyint=25:scenecut=0:open-gop=0:bframes=0:repeat-headers=1:log-level=error",
    ]

    private static let changes = [
        Change(
            testDescription: "a language more",
            before: ["-map", "-0:a:1"],
            after: [],
            new: ["audio-de"],
            gone: []
        ),
        Change(
            testDescription: "a language less",
            before: [],
            after: ["-map", "-0:a:1"],
            new: [],
            gone: ["audio-de"]
        ),
        Change(
            testDescription: "audio after all",
            before: ["-map", "-0:a"],
            after: ["-map", "-0:a:1"],
            new: ["audio-en"],
            gone: []
        ),
        Change(
            testDescription: "AAC to AC-3",
            before: ["-map", "-0:a:1"],
            after: ["-map", "-0:a:1", "-c:a", "ac3"],
            new: ["audio-en-ac3"],
            gone: []
        ),
        Change(
            testDescription: "H.264 to HEVC",
            before: ["-map", "-0:a:1"],
            after: ["-map", "-0:a:1"] + hevc,
            new: ["video-360p-hevc"],
            gone: ["video-360p"]
        ),
    ]

    /// UDP has no connection that an encoder could open anew.
    @Test(arguments: changes.oneIn(2))
    func viewersGetWhatTheEncoderSends(change: Change) async throws {
        let port = Ports.free(datagram: true)
        let packager = try await PackagerProcess(
            ["--segment-duration", "1", "--window", "8", "--clock", "pts", "--input", "udp://127.0.0.1:\(port)"]
        )
        let utc = FeedSender.utc
        let first = try FeedSender.udp(port: port, options: change.before + utc)
        _ = try await packager.mediaPlaylist("video-360p", "four segments") { $0.segments.count >= 4 }
        first.program.kill()
        _ = await first.program.exitCode()
        let second = try FeedSender.udp(port: port, options: change.after + FeedSender.utc)
        for name in change.new {
            _ = try await packager.mediaPlaylist(name, "\(name) has media") { playlist in
                playlist.segments.count { !$0.isGap } >= 4
            }
            // A rendition begins with media, and from then on it is whole; others may have another configuration meanwhile.
            let playlist = try await packager.mediaPlaylist(name)
            #expect(
                playlist.segments.allSatisfy { !$0.isGap },
                "\(name): \(playlist.render())\(packager.program.errors)"
            )
        }
        for name in change.gone {
            _ = try await eventually(within: 40, "\(name) has left") {
                try await HTTP.get(packager.url("\(name).m3u8")).status == 404 ? true : nil
            }
        }
        let multivariant = try MultivariantPlaylist(parsing: try await packager.text("index.m3u8"))
        let offered = multivariant.variants.map(\.uri) + multivariant.renditions.compactMap(\.uri)
        #expect(Set(offered).isSuperset(of: change.new.map { "\($0).m3u8" }), "\(offered)")
        #expect(Set(offered).isDisjoint(with: change.gone.map { "\($0).m3u8" }), "\(offered)")
        #expect(!packager.program.errors.contains("stands by for"), "\(packager.program.errors)")
        second.program.kill()
        await packager.end()
    }

    /// A publisher whose first audio comes long after libavformat has looked what the feed carries.
    @Test func lateAudioOfFLVIsPublished() async throws {
        let sender = try await LateAudioSender(delay: 5_000)
        let port = Ports.free()
        let packager = try await PackagerProcess(
            ["--segment-duration", "1", "--window", "20", "--input", "tcp://127.0.0.1:\(port)?listen=1"]
        )
        // Nothing but a connection tells whether it listens yet.
        _ = try await eventually(within: 20, "it listens") {
            try await Program.run("ss", ["-ltn", "sport = :\(port)"]).contains("LISTEN") ? true : nil
        }
        sender.start(port: port)
        let video = try await packager.mediaPlaylist("video-360p", "video alone") { $0.segments.count >= 3 }
        #expect(video.segments.allSatisfy { !$0.isGap }, "\(video.render())\(packager.program.errors)")
        let audio = try await packager.mediaPlaylist("audio", "audio") { $0.segments.count >= 4 }
        #expect(audio.segments.allSatisfy { !$0.isGap }, "\(audio.render())\(packager.program.errors)")
        let multivariant = try await packager.text("index.m3u8")
        #expect(multivariant.contains("audio.m3u8"))
        #expect(!packager.program.errors.contains("stands by"), "\(packager.program.errors)")
        await packager.end()
    }
}
