import Playlists
import TestSupport
import Testing

/// Players that know no parts, on a channel that has some.
@Suite(.timeLimit(.minutes(5))) struct LowLatencyOtherPlayersTests {
    /// Pictures come in another order than they are shown in, and each segment is several fragments.
    @Test func playTheSegments() async throws {
        let packager = try await PackagerProcess([
            "--input", Repository.feed, "--loop", "--segment-duration", "2", "--part-duration", "0.5", "--window", "30",
        ])
        let playlist = try await packager.mediaPlaylist("video-360p", "four segments") { $0.segments.count >= 4 }
        #expect(playlist.segments.last?.parts.isEmpty == false)
        let url = packager.url("index.m3u8")
        let watch = Repository.script("EndToEndTests/Browser/watch.py")
        let streams = ["native", "hls.js classic"].map { "\($0)=\(url)" }
        print(try await Program.run(Repository.python, [watch, "--minimum-advance", "8"] + streams))
        let ffmpeg = try await Program.run("ffmpeg", ["-v", "error", "-i", url, "-t", "8", "-f", "null", "-"])
        #expect(ffmpeg.isEmpty)
        let gstreamer = Repository.script("EndToEndTests/LowLatency/gstreamer.py")
        print(try await Program.run("/usr/bin/python3", [gstreamer, url, "8"]))
        await packager.end()
    }
}
