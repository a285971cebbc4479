import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Playlists

/// The bandwidths in the multivariant playlist, against the sizes of segments.
@Suite struct BandwidthTests {
    /// Black as before a programme, then a programme that weighs many times as much, as an encoder makes them.
    private func feed(_ directory: TemporaryDirectory) async throws -> String {
        let path = directory.file("feed.ts")
        try await Program.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "color=black:size=320x180:rate=25:duration=20", "-f", "lavfi", "-i",
                "testsrc2=size=320x180:rate=25:duration=20,noise=alls=40:allf=t", "-filter_complex",
                "[0:v][1:v]concat=n=2:v=1:a=0,format=yuv420p[v]", "-map", "[v]", "-c:v", "libx264", "-preset",
                "ultrafast",
                "-g", "25", "-keyint_min", "25", "-sc_threshold", "0", "-crf", "28", path,
            ]
        )
        return path
    }

    private func ended(_ arguments: [String]) async throws -> (MultivariantPlaylist, peak: Double, PackagerProcess) {
        let packager = try await PackagerProcess(arguments)
        let playlist = try await packager.mediaPlaylist("video-180p", "the end") { $0.isEnded }
        var peak = 0.0
        for segment in playlist.segments where segment.duration.time.seconds >= 1.5 {
            let bytes = try await HTTP.body(packager.url(segment.uri)).count
            peak = max(peak, Double(bytes * 8) / segment.duration.time.seconds)
        }
        return (try MultivariantPlaylist(parsing: try await packager.text("index.m3u8")), peak, packager)
    }

    @Test func aProgrammeThatIsHeavierThanItsBeginningIsDeclaredAsItIs() async throws {
        let directory = try TemporaryDirectory()
        let options = [
            "--no-realtime", "--segment-duration", "2", "--window", "60", "--input", try await feed(directory),
        ]
        let (playlist, peak, packager) = try await ended(options)
        await packager.end()
        let declared = Double(playlist.variants[0].bandwidth)
        // Apple's authoring specification § 1.28 allows a measured peak of 125 % of what is declared.
        #expect(declared >= peak && declared <= peak * 1.11, "declared \(declared), measured \(peak)")
        #expect(peak > 500_000)

        let pin = ["--bandwidth", "video-180p=7M/6M", "--bandwidth", "vidoe-180p=1M"]
        let (pinned, _, other) = try await ended(options + pin)
        await other.end()
        #expect(other.program.errors.contains("variants=video-180p"), "\(other.program.errors)")
        #expect(pinned.variants[0].bandwidth == 7_000_000)
        #expect(pinned.variants[0].averageBandwidth == 6_000_000)
    }
}
