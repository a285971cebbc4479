import Channels
import NIOCore
import NIOPosix
import Origin
import Presentation
import Testing

@testable import Hosting

/// Requests that wait for what a channel publishes, while another channel takes its place.
@Suite(.timeLimit(.minutes(5))) struct WaitingViewersTests {
    private let stage = Stage()

    private func presentation() throws -> Presentation {
        try #require(stage.host.registry["a"] as HostedChannel?).origin.presentation
    }

    /// Has a request wait for the first media of a channel.
    ///
    /// - Returns: The end of its wait; nil if it may not wait.
    private func wait(for presentation: Presentation) -> Occurrence? {
        let isOver = Occurrence()
        let ticket = presentation.wait(
            for: .startable,
            of: 1,
            patience: .seconds(600),
            on: MultiThreadedEventLoopGroup.singleton.any(),
            { isOver.happen() }
        )
        return ticket.map { _ in isOver }
    }

    /// A channel is closed before another one is there, in this process or in the next.
    @Test func whoWaitsForAChannelThatIsReplacedAsksTheOneInItsPlace() async throws {
        let (before, after) = try (Stage.channel("a"), Stage.channel("a", ["window": ["90"]]))
        try await stage.host.add([before])
        let first = try presentation()
        let isOver = try #require(wait(for: first))
        try await #require(stage.host.registry["a"] as HostedChannel?).service.channel.close(ends: false)
        let late = try #require(wait(for: first))
        #expect(!isOver.hasHappened)
        try await stage.host.apply(Stage.change(from: [before], to: [after]))
        await isOver.wait()
        await late.wait()
        let second = try presentation()
        #expect(second !== first)
        #expect(wait(for: first) == nil && wait(for: second) != nil)
    }

    @Test func nobodyWaitsForAChannelThatIsRemoved() async throws {
        try await stage.add("a")
        let presentation = try presentation()
        let isOver = try #require(wait(for: presentation))
        #expect(await stage.host.remove("a", ends: false))
        await isOver.wait()
        #expect(wait(for: presentation) == nil)
    }
}
