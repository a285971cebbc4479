import Foundation
import MediaCore
import NIOCore
import Playlists
import Synchronization
import Testing

@testable import Conformance

@Suite struct ObservationTests {
    private static let index = "http://a/live/index.m3u8"

    /// Half a second of a stream that has ended.
    private static func origin() -> MemoryOrigin {
        let origin = MemoryOrigin()
        origin[index] = ByteBuffer(string: "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000\nvideo.m3u8\n")
        let segments = (0..<5).map { number in
            MediaPlaylist.Segment(
                uri: "video/\(number).m4s",
                duration: SegmentDuration(value: 1, timescale: 10),
                programDateTime: MediaTime(milliseconds: Int64(number) * 100),
                keys: [EncryptionKey(method: .sampleAES, uri: "key")],
                map: MediaInitialization(uri: "video/init.mp4")
            )
        }
        let playlist = MediaPlaylist(
            targetDuration: 1,
            mediaSequence: MediaSequenceNumber(0),
            segments: segments,
            isEnded: true
        )
        origin["http://a/live/video.m3u8"] = ByteBuffer(string: playlist.render())
        for uri in segments.map(\.uri) + ["key", "video/init.mp4"] {
            origin["http://a/live/\(uri)"] = ByteBuffer(string: uri)
        }
        return origin
    }

    /// On a clock of its own: a machine that is busy is no stall.
    @Test func aStreamIsPlayedToItsEnd() async throws {
        let origin = Self.origin()
        var now = MediaTime(seconds: 1000)
        var session = ObservationSession(Self.index, player: .init(), watchPeriod: MediaTime(seconds: 1), at: now)
        var events: [ViewerEvent] = []
        while !events.contains(where: { $0.kind == .ended }), now < MediaTime(seconds: 1060) {
            var requests = session.timeAdvanced(to: now)
            while !requests.isEmpty {
                var due: [ObservationSession.Request] = []
                for request in requests {
                    let answer = await Observation.load(request, through: origin)
                    due += session.answered(answer, at: now)
                }
                requests = due
            }
            events += session.takeEvents()
            now += MediaTime(milliseconds: 50)
        }
        let report = session.report
        #expect(events.last?.kind == .ended)
        #expect(report.startup == .zero)
        #expect(report.tracks[.video]?.segments == 5)
        #expect(report.stalls.count + report.failures.count + report.violations.count == 0)
        #expect(report.playlistAges.keys.sorted() == ["video.m3u8"])
        let coded = try JSONEncoder().encode(report)
        #expect(String(decoding: coded, as: UTF8.self).contains(#""tracks":{"video":{"#))
        #expect(try JSONDecoder().decode(ViewerReport.self, from: coded) == report)
    }

    @Test(.timeLimit(.minutes(5)))
    func anObservationEndsWithItsStream() async {
        let report = await Observation(of: Self.index, through: Self.origin()).run()
        #expect(report.startup != nil)
        #expect(report.failures.count + report.violations.count == 0)
    }

    @Test(.timeLimit(.minutes(5)), arguments: ["key", "video/init.mp4"])
    func aSegmentIsNotPlayedWithoutItsKeyAndItsInitializationSection(missing: String) async {
        let origin = Self.origin()
        origin["http://a/live/\(missing)"] = nil
        let report = await stoppedAtFirstEvent(Observation(of: Self.index, through: origin))
        #expect(report.failures.first.map(\.resource) == ["video segment 0"])
        #expect(report.failures.first.map(\.error) == ["status 404"])
        #expect(report.startup == nil)
    }

    /// Cancels the observation as soon as something notable happens.
    private func stoppedAtFirstEvent(_ observation: Observation) async -> ViewerReport {
        let (events, seen) = AsyncStream<ViewerEvent>.makeStream()
        let task = Task { await observation.run { seen.yield($0) } }
        for await _ in events { break }
        task.cancel()
        return await task.value
    }

    @Test func aNumberUsedForOtherBytesIsNoticed() {
        var ledger = SegmentLedger()
        let (first, second) = (ByteBuffer(string: "first"), ByteBuffer(string: "second"))
        let number = MediaSequenceNumber(7)
        let downloads = [("video", first), ("audio", second), ("video", first), ("video", second)]
        #expect(downloads.map { ledger.segmentLoaded($0, number, $1) } == [false, false, false, true])
    }
}
