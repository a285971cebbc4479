import MediaCore
import Operations
import Playlists
import Presentation
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
