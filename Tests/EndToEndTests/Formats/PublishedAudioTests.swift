import Foundation
import Playlists
import TestSupport
import Testing

/// Audio that comes with timestamps of whole milliseconds, as RTMP has them.
@Suite struct PublishedAudioTests {
    @Test func framesOverRTMPAreAsLongAsTheirSamples() async throws {
        let url = "rtmp://127.0.0.1:\(Ports.free())/live/feed"
        let packager = try await PackagerProcess(["--segment-duration", "1", "--window", "12", "--input", url])
        let sender = try FeedSender(to: ["-map", "-0:a:1", "-f", "flv", url])
        let playlist = try await packager.mediaPlaylist("audio", "eight segments") { $0.segments.count >= 8 }
        // How timestamps are rounded shows within the first frames.
        let segments = playlist.segments.dropFirst()
        #expect(
            segments.allSatisfy { !$0.isGap && !$0.startsDiscontinuity },
            "\(playlist.render())\(packager.program.errors)"
        )
        let map = try await HTTP.body(packager.url(try #require(segments.first?.map).uri))
        var media: [Data] = []
        for segment in segments { media.append(try await HTTP.body(packager.url(segment.uri))) }
        let times = FragmentTimes.presentation(initialization: map, segments: media)
        #expect(times.count > 300)
        #expect(Set(zip(times, times.dropFirst()).map { $1 - $0 }) == [1_920])
        // Not only where the next one starts: each says as much itself.
        for segment in media {
            let durations = FragmentTimes.durations(initialization: map, segment: segment)
            #expect(!durations.isEmpty && durations.allSatisfy { $0 == 1_024 }, "\(Set(durations))")
        }
        sender.program.kill()
        await packager.end()
    }
}
