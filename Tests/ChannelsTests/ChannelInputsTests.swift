import MediaCore
import Operations
import Playlists
import Presentation
import SegmentingSupport
import TestSupport
import Testing

@testable import Channels
@testable import Segmenting
@testable import Timeline

/// The reports on a channel's inputs, and the choice of those that fill its slots.
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

    @Test(arguments: [
        (true, nil, "Chosen through the control API, and held."), (false, nil, "Chosen through the control API."),
        (true, "ana at 192.0.2.7", "Chosen by ana at 192.0.2.7 through the control API, and held."),
    ])
    func aSwitchThatAnOperatorAskedForIsSaidToBe(holds: Bool, client: String?, reason: String) {
        let (fixture, inputs) = pair(feed)
        feed.sendLive(0..<9_000, at: 0, to: inputs, of: fixture)
        fixture.channel.select(.backup(0, inputCount: 1), holds: holds, by: client)
        #expect(events(.selected, of: fixture) == [reason])
        feed.sendLive(9_000..<18_000, at: 9_000, to: inputs, of: fixture)
        #expect(
            events(.switched, of: fixture).first
                == "backup-1 fills video-180p, audio instead of input-1. \(reason)"
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
        #expect(switches.count == 1)
        #expect(switches.allSatisfy { $0.contains("The connection was lost") }, "\(switches)")
    }

    /// Video and audio are one loss to an operator, whatever viewers get in their place.
    @Test func whatBefallsAllRenditionsIsOneEvent() {
        let fixture = ChannelFixture(source: .pts)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(0..<9_000, at: 0, to: input, of: fixture)
        input.inputLost(reason: "connection reset")
        fixture.wait(until: 25_000)
        feed.open(input)
        feed.sendLive(25_000..<34_000, at: 25_000, to: input, of: fixture)
        let all: [RenditionID] = ["video-180p", "audio"]
        let told = fixture.channel.events.entries().map(\.event).filter { [.gap, .media].contains($0.kind) }
        #expect(told.map(\.renditions) == [all, all])
        #expect(
            told.map(\.message) == [
                "No input has media for video-180p, audio: viewers get gaps.",
                "There is media for video-180p, audio again, from input-1.",
            ]
        )
    }

    /// An operator's choice that could not be followed, and that was taken back or overtaken since, is no reason any more.
    @Test(arguments: [true, false])
    func aChoiceThatIsOverIsNoReason(isTakenBack: Bool) {
        let (fixture, inputs) = pair(feed)
        feed.sendLive(0..<9_000, at: 0, to: inputs, of: fixture)
        inputs[1].inputLost(reason: "connection reset")
        feed.sendLive(9_000..<17_000, at: 9_000, to: inputs[0], of: fixture)
        fixture.channel.select(.backup(0, inputCount: 1), holds: false)
        if isTakenBack {
            fixture.channel.selectAutomatically()
            feed.sendLive(17_000..<41_000, at: 17_000, to: inputs[0], of: fixture)
        } else {
            inputs[0].inputLost(reason: "connection reset")
            fixture.wait(until: 29_000)
            feed.open(inputs[0])
            feed.sendLive(29_000..<41_000, at: 29_000, to: inputs[0], of: fixture)
        }
        feed.open(inputs[1])
        feed.sendLive(41_000..<49_000, at: 41_000, to: inputs, of: fixture)
        inputs[0].inputLost(reason: "connection reset")
        feed.sendLive(49_000..<61_000, at: 49_000, to: inputs[1], of: fixture)
        let switches = events(.switched, of: fixture)
        #expect(switches.count == 1)
        #expect(switches.allSatisfy { $0.contains("The connection was lost") }, "\(switches)")
    }

    @Test func whatIsNotExaminedIsSaidOnceAndOfItsTrackAlone() {
        let (fixture, inputs) = pair(feed)
        for _ in 0..<3 {
            inputs[0].inputNoticed(.notExamined(track: 3, reason: "open codec: Decoder not found"))
            inputs[1].inputNoticed(.notExamined(track: nil, reason: "no thread can be started"))
            inputs[0].inputLost(reason: "connection reset")
            feed.open(inputs[0])
        }
        #expect(
            events(.inputProblem, of: fixture) == [
                "Track 3 is not watched for frozen pictures or silence: open codec: Decoder not found.",
                "It is not watched for frozen pictures or silence: no thread can be started.",
            ]
        )
    }

    @Test(arguments: TeletextFault.allCases)
    func teletextThatCannotBeReadIsOnRecordWithItsEnd(fault: TeletextFault) throws {
        let (fixture, inputs) = pair(feed)
        inputs[0].inputNoticed(.teletextUnreadable(track: 7, pages: [888], fault))
        inputs[1].inputNoticed(.teletextUnreadable(track: 7, pages: [150, 888], fault))
        inputs[0].inputNoticed(.teletextReadable(track: 7, pages: [888], seconds: 32))
        let told = fixture.channel.events.entries().map(\.event).filter { $0.kind == .inputProblem }
        #expect(
            told.map(\.message) == [
                "Teletext page 888 is there, but nothing readable has arrived: \(fault.reason).",
                "Teletext pages 150, 888 are there, but nothing readable has arrived: \(fault.reason).",
                "Teletext page 888 can be read, after 32 s without text.",
            ]
        )
        let begin: ChannelEvent.Severity = fault == .empty ? .info : .warning
        #expect(told.map(\.severity) == [begin, begin, .info])
        #expect(told.map(\.input) == ["input-1", "backup-1", "input-1"])
    }

    /// A feed that stands still twice within a minute, and is well from then on.
    @Test func aSecondStandstillIsToldWhenTheMinuteIsOver() {
        let fixture = ChannelFixture()
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(0..<10_000, at: 0, to: input, of: fixture)
        feed.sendLive(10_000..<20_000, at: 13_000, to: input, of: fixture)
        feed.sendLive(20_000..<100_000, at: 26_000, to: input, of: fixture)
        let told = events(.timing, of: fixture)
        #expect(told.count == 2, "\(told)")
        #expect(told.last?.contains("in 60.0 s it fell 3.0 s behind (95 % of real time)") == true, "\(told)")
    }

    /// An input comes as over HLS: six seconds of media at once, every six seconds.
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
                #expect(fixture.channel.status(at: fixture.clock.now).inputs[0].health.score == 100)
            }
        }
        #expect(fixture.channel.status(at: fixture.clock.now).renditions.map(\.source) == ["input-1"])
        // The backup is there six seconds earlier; it gives way once, and for good.
        let reason = "input-1 fills video-180p instead of backup-1. The preferred input has a whole segment again."
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
