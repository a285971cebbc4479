import Control
import MediaCore
import PackagerConfig
import Segmenting
import Succession
import TestSupport
import Testing

@testable import Channels
@testable import Hosting

/// The fate of feeds, and of the encoders that send them, when another process takes the place of this one.
@Suite(.timeLimit(.minutes(5))) struct FeedOutcomeTests {
    @Test(arguments: [
        ("udp://0.0.0.0:5000", FeedOutcome.continues, FeedOutcome.continues),
        ("rtmp://0.0.0.0:1935/live/key", .handedOver, .cutOff),
        ("srt://0.0.0.0:9000?mode=listener", .cutOff, .cutOff),
        ("srt://192.0.2.1:9000", .continues, .continues),
        ("https://192.0.2.1/live.m3u8", .openedAnew, .openedAnew),
    ])
    func outcomeDependsOnTheProtocol(url: String, withPublishers: FeedOutcome, without: FeedOutcome) async throws {
        let stage = Stage()
        var channel = try Stage.channel("a")
        channel.inputs = [FeedLocation(url)]
        try await stage.host.add([channel])
        Self.open(stage)
        #expect(stage.host.outcomes(handsPublishersOver: true).map(\.outcome) == [withPublishers])
        #expect(stage.host.outcomes(handsPublishersOver: false).map(\.outcome) == [without])
    }

    /// Opens all inputs, as when encoders have connected.
    private static func open(_ stage: Stage) {
        for channel in stage.host.registry.members.map(\.service.channel) {
            for input in channel.configuration.inputs {
                channel.handle(.opened(input, []))
                channel.handle(.began(input, [], timestampModulus: nil))
            }
        }
    }

    /// Where no encoder is connected, none is cut off.
    @Test(arguments: ["rtmp://0.0.0.0:1935/live/key", "srt://0.0.0.0:9000?mode=listener"])
    func anEncoderThatIsNotThereIsNotCutOff(url: String) async throws {
        let stage = Stage()
        var channel = try Stage.channel("a")
        channel.inputs = [FeedLocation(url)]
        try await stage.host.add([channel])
        let forecast = UpgradeForecast(of: stage.host)
        #expect(forecast.encoders.map(\.keeps) == [true])
        #expect(forecast.encoders.map(\.reason) == ["no encoder is connected"])
        let removal = try Stage.change(from: [channel], to: [])
        for isOpen in [false, true] {
            if isOpen { Self.open(stage) }
            #expect(stage.host.disconnections(handsPublishersOver: false).isEmpty != isOpen)
            #expect(stage.host.disconnections(by: removal).isEmpty != isOpen)
        }
    }

    @Test func fileBeginsAnew() async throws {
        let stage = Stage()
        try await stage.add("a")
        #expect(stage.host.outcomes(handsPublishersOver: true).map(\.outcome) == [.beginsAnew])
        #expect(stage.host.disconnections(handsPublishersOver: false).isEmpty)
    }

    /// Before anything is let go, so that nobody is surprised.
    @Test func encodersThatAreCutOffAreNamedFirst() async throws {
        let successor = ScriptedSuccessor()
        let stage = UpgradeStage { successor }
        var channel = try Stage.channel("a")
        channel.inputs = [FeedLocation("srt://0.0.0.0:9000?mode=listener")]
        try await stage.channels.host.add([channel])
        Self.open(stage.channels)
        let before = stage.channels.messages.count
        await stage.upgrade.perform()
        let messages = stage.channels.messages.dropFirst(before)
        let first = try #require(messages.first)
        #expect(first.hasPrefix("channel a: an encoder that sends to srt://0.0.0.0:9000"))
        #expect(first.contains("is cut off as process 4711 takes the place of this one"))
        #expect(messages.count == 2 && stage.upgrade.isHandedOver)
    }

    @Test func forecastSaysTheSameAsTheUpgrade() async throws {
        let stage = Stage()
        var channel = try Stage.channel("a", ["backup": [Repository.feed]])
        channel.inputs = [FeedLocation("srt://0.0.0.0:9000?mode=listener")]
        try await stage.host.add([channel])
        Self.open(stage)
        let forecast = UpgradeForecast(of: stage.host)
        #expect(forecast.obstacle == nil)
        #expect(forecast.encoders.map(\.transport) == ["srt", "file"])
        #expect(forecast.encoders.map(\.keeps) == [false, true])
        #expect(forecast.encoders.map(\.input) == ["input-1", "backup-1"])
    }
}
