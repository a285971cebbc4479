import Foundation
import MediaCore
import Presentation
import Synchronization
import TestSupport
import Testing
import Timeline

@testable import Packaging

/// A machine that has slept, or was so busy that it might as well have.
@Suite struct ChannelLeapTests {
    /// A player sees the same whether each slot was published in its time or the machine slept through them.
    @Test func whoSleepsThroughAnHourListsTheSame() {
        let (awake, asleep) = (ChannelFixture(source: .pts), ChannelFixture(source: .pts))
        for fixture in [awake, asleep] {
            let input = fixture.channel.makeInput(.input(0), pace: .live)
            let feed = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)
            feed.open(input)
            feed.sendLive(0..<20_000, at: 0, to: input, of: fixture)
            input.inputLost(reason: "the machine sleeps")
            if fixture === awake { fixture.wait(until: 3_600_000) }
            fixture.clock.set(Epoch.at(3_600_000))
            fixture.channel.timeAdvanced()
            let gaps = fixture.window("video-180p")
            #expect(gaps.count >= 6 && gaps.allSatisfy { $0.hasSuffix("gap") }, "\(gaps)")
            feed.open(input)
            feed.sendLive(3_600_000..<3_620_000, at: 3_600_000, to: input, of: fixture)
        }
        for path in ["index.m3u8", "video-180p.m3u8", "audio.m3u8"] {
            #expect(awake.text(path) == asleep.text(path))
            #expect(awake.text(path)?.contains("m4s") == (path != "index.m3u8"))
        }
    }

    /// What holds the channel up is not the machine's clock.
    @Test func aChannelThatWasHeldUpDoesNotBlameTheClock() async throws {
        let fixture = ChannelFixture()
        let channel = fixture.channel
        let (held, release) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            channel.state.withLock { _ in
                held.continuation.finish()
                release.wait()
            }
        }
        for await _ in held.stream {}
        let reads = fixture.clock.reads
        let done = AsyncStream<Void>.makeStream()
        Thread.detachNewThread {
            channel.timeAdvanced()
            done.continuation.finish()
        }
        _ = try await eventually(within: 60, "time has begun to advance") { fixture.clock.reads > reads ? true : nil }
        fixture.clock.set(Epoch.at(60_000))
        release.signal()
        for await _ in done.stream {}
        #expect(!fixture.record.contains("clock"))
    }
}
