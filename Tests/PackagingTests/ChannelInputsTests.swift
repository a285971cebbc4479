import MediaCore
import Presentation
import Testing
import Timeline

@testable import Packaging

/// What the operator is told of a channel's inputs, and which of them fills its slots.
@Suite struct ChannelInputsTests {
    private let feed = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)

    private func events(_ kind: ChannelEvent.Kind, of fixture: ChannelFixture) -> [String] {
        fixture.channel.events.entries().map(\.event).filter { $0.kind == kind }.map(\.message)
    }

    private func pair(_ feed: ChannelFeed) -> (fixture: ChannelFixture, inputs: [ChannelInput]) {
        let fixture = ChannelFixture(source: .pts, backupCount: 1)
        let inputs = [InputID.input(0), .backup(0, inputCount: 1)].map { fixture.channel.makeInput($0, pace: .live) }
        for input in inputs { feed.open(input) }
        return (fixture, inputs)
    }

    @Test(arguments: [(true, "An operator chose it, and holds it."), (false, "An operator chose it.")])
    func aSwitchThatAnOperatorAskedForIsSaidToBe(holds: Bool, reason: String) {
        let (fixture, inputs) = pair(feed)
        feed.sendLive(0..<9_000, at: 0, to: inputs, of: fixture)
        fixture.channel.select(.backup(0, inputCount: 1), holds: holds)
        feed.sendLive(9_000..<18_000, at: 9_000, to: inputs, of: fixture)
        #expect(
            Array(events(.switched, of: fixture).prefix(2))
                == Array(repeating: "backup-1 fills it instead of input-1. \(reason)", count: 2)
        )
    }

    @Test func aSwitchAfterALossIsNotTheOperators() {
        let (fixture, inputs) = pair(feed)
        feed.sendLive(0..<9_000, at: 0, to: inputs, of: fixture)
        // It is on air already.
        fixture.channel.select(.input(0), holds: false)
        feed.sendLive(9_000..<13_000, at: 9_000, to: inputs, of: fixture)
        inputs[0].inputLost(reason: "connection reset")
        feed.sendLive(13_000..<22_000, at: 13_000, to: inputs[1], of: fixture)
        let switches = events(.switched, of: fixture)
        #expect(switches.count == 2)
        #expect(switches.allSatisfy { $0.contains("The connection was lost") }, "\(switches)")
    }

    /// As an input over HLS comes: six seconds of media at once, every six seconds.
    @Test func anInputThatComesInSegmentsStaysOnAirBesideABackupThatComesAsItIsMade() {
        var feed = feed
        feed.audio = nil
        let (fixture, inputs) = pair(feed)
        let segment = Int64(6_000)
        for start in stride(from: 0, to: 120_000, by: 6_000) as StrideTo<Int64> {
            // Of a segment that is made until then, nothing came while it was made.
            feed.sendLive(start..<start + segment, at: start, to: inputs[1], of: fixture)
            feed.send(start..<start + segment, to: inputs[0])
            if start > 0 {
                #expect(inputs[0].healthReport(at: fixture.clock.now).score == 100)
            }
        }
        #expect(fixture.channel.status(at: fixture.clock.now).renditions.map(\.source) == ["input-1"])
        // The backup is there six seconds earlier; it gives way once, and for good.
        let reason = "input-1 fills it instead of backup-1. It is preferred, and has as much of the slot."
        #expect(events(.switched, of: fixture) == [reason])
        let falls = events(.inputHealth, of: fixture).filter { $0.contains("fell") }
        // Before its first segment nobody knows how it comes.
        #expect(falls.count <= 1, "\(falls)")
    }

    @Test(arguments: [(10_000, [InputHealth.Fault.dependentSegments]), (1_000, [])] as [(Int64, [InputHealth.Fault])])
    func anEncoderWhoseKeyFramesAreTooFarApartIsNotWholesome(interval: Int64, faults: [InputHealth.Fault]) {
        let fixture = ChannelFixture(source: .pts)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        var feed = feed
        feed.keyFrameInterval = interval
        feed.open(input)
        feed.sendLive(0..<62_000, at: 0, to: input, of: fixture)
        let status = fixture.channel.status(at: fixture.clock.now)
        #expect(status.inputs[0].health.reasons.map(\.fault) == faults)
        #expect((status.score < 100) == !faults.isEmpty)
    }
}
