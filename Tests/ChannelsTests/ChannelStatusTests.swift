import MediaCore
import Operations
import Playlists
import Presentation
import TestSupport
import Testing
import Timeline

@testable import Channels
@testable import Segmenting

@Suite struct ChannelStatusTests {
    private let feed = ChannelFeed()

    @Test func aChannelThatNeverOpenedIsNotWell() {
        let fixture = ChannelFixture(inputCount: 2, backupCount: 1)
        let inputs = fixture.channel.configuration.inputs.map { fixture.channel.makeInput($0, pace: .live) }
        fixture.wait(until: 2_000)
        #expect(fixture.channel.status(at: fixture.clock.now).score == 0)
        // One that can stand in for another speaks for both, but not for those of other positions.
        feed.open(inputs[2])
        let status = fixture.channel.status(at: fixture.clock.now)
        #expect(status.score == 0)
        #expect(status.reasons == ["input-2: Nothing has arrived yet."])
        #expect(fixture.channel.endpoint.score == 0)
    }

    /// Packets come, but of no track that the channel carries.
    @Test func anInputWithNothingToCarryIsNotSilent() {
        let fixture = ChannelFixture(format: .ts)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        input.inputOpened(
            tracks: [InputTrack(index: 0, kind: .audio, codec: .unsupported("atrac3"))],
            timestampModulus: ChannelFeed.modulus
        )
        fixture.wait(until: 60_000)
        let status = fixture.channel.status(at: fixture.clock.now)
        #expect(status.reasons == ["input-1: It has no track that this channel can carry."])
    }

    @Test func whatIsTakenOverSaysNothingOfItsInputs() throws {
        let earlier = ChannelFixture()
        let input = earlier.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(0..<13_000, at: 0, to: input, of: earlier)
        #expect(earlier.channel.status(at: earlier.clock.now).score == 100)
        let fixture = ChannelFixture()
        _ = fixture.channel.makeInput(.input(0), pace: .live)
        fixture.goOn(from: earlier, at: 13_000)
        #expect(fixture.channel.status(at: fixture.clock.now).score == 0)
    }
}
