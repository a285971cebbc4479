import MediaCore
import Playlists
import Testing
import Timeline

@testable import Segmenting

/// Feeds whose pictures come long after their time, as from an encoder in the cloud.
@Suite struct EngineLatencyTests {
    private func run(
        latency: Int64,
        after event: ChannelEngine.Event? = nil,
        at start: MediaTime = EngineRun.start
    ) -> EncodedChannel {
        let encoder = EngineEncoder(.input(0), latency: MediaTime(seconds: latency), from: start)
        return EncodedChannel([encoder], after: event, at: start)
    }

    @Test(arguments: [0, 5, 20, 45] as [Int64]) func whoIsStartedAnewHasMediaAgain(latency: Int64) throws {
        var before = run(latency: latency)
        before.go(on: 100)
        #expect(before.gaps.count >= 3 && !before.gaps.contains(true))
        let window = try #require(before.newest)
        var after = run(latency: latency, after: .resumed(window), at: before.now + MediaTime(seconds: 5))
        after.go(on: 200)
        #expect(after.gaps.count >= 10)
        #expect(after.gaps.suffix(5).allSatisfy { !$0 }, "\(after.gaps)")
    }

    /// Behind an encoder that comes back with a longer way.
    @Test func whatComesLaterFromNowOnIsWaitedFor() {
        var run = run(latency: 1)
        run.go(on: 60)
        run.encoders[0].latency = MediaTime(seconds: 30)
        run.go(on: 240)
        #expect(run.gaps.count >= 25)
        #expect(run.gaps.contains(true))
        #expect(run.gaps.suffix(10).allSatisfy { !$0 }, "\(run.gaps)")
    }
}
