import Logging
import MediaCore
import Operations
import Playlists
import SegmentingSupport
import Synchronization
import Testing
import Timeline

@testable import Channels
@testable import Segmenting

/// Inputs that are lost, and how an operator hears of it; slots take four seconds.
@Suite struct ChannelLossTests {
    private let feed = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)

    /// Keeps the lines that an operator would see at the usual level.
    private final class Log: Sendable {
        private let kept = Mutex<[String]>([])
        var lines: [String] { kept.withLock { $0 } }
        var logger: Logger { Logger(label: "test") { _ in Handler(log: self) } }

        struct Handler: LogHandler {
            let log: Log
            var logLevel = Logger.Level.notice
            var metadata = Logger.Metadata()
            subscript(metadataKey key: String) -> Logger.Metadata.Value? {
                get { metadata[key] }
                set { metadata[key] = newValue }
            }
            func log(event: LogEvent) {
                let fields = (event.metadata ?? [:]).map { (name: $0.key, value: "\($0.value)") }
                let line = LogLine(event.level, "\(event.message)", fields.sorted { $0.name < $1.name })
                log.kept.withLock { $0.append(String(line.text(.text).drop { $0 != " " }.dropFirst())) }
            }
        }
    }

    private func events(_ kinds: ChannelEvent.Kind..., of fixture: ChannelFixture) -> [String] {
        fixture.channel.events.entries().map(\.event).filter { kinds.contains($0.kind) }
            .map { "\($0.kind.rawValue) \($0.input ?? ""): \($0.message)" }
    }

    private func health(_ fixture: ChannelFixture, _ input: Int = 0) -> InputHealth.Report {
        fixture.channel.status(at: fixture.clock.now).inputs[input].health
    }

    /// A socket has no end: a dead encoder is one from which nothing comes any more.
    @Test func aSilentInputIsLostAndComesBack() {
        let log = Log()
        let fixture = ChannelFixture(source: .pts, logger: log.logger)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(0..<9_000, at: 0, to: input, of: fixture)
        #expect(health(fixture).isConnected)
        fixture.wait(until: 10_800)
        #expect(events(.inputLost, of: fixture).isEmpty && health(fixture).isConnected)
        fixture.wait(until: 11_600)
        #expect(events(.inputLost, of: fixture) == ["input-lost input-1: It has brought no media for 2.0 s."])
        #expect(!health(fixture).isConnected && health(fixture).score == 0)
        fixture.wait(until: 50_000)
        #expect(events(.inputLost, of: fixture).count == 1)
        #expect(log.lines.filter { $0.contains("waiting for input") }.count == 2, "after 5 s and after 30 s")
        feed.sendLive(50_000..<58_000, at: 50_000, to: input, of: fixture)
        #expect(health(fixture).isConnected)
        #expect(
            events(.inputReturned, of: fixture)
                == ["input-returned input-1: It is back after 41.0 s. Viewers had gaps for 36.0 s."]
        )
        let lost = log.lines.filter { $0.contains("lost") || $0.contains("no input") }
        #expect(lost.count == 1 && lost.allSatisfy { $0.count < 250 }, "\(lost)")
        let back = log.lines.filter { $0.hasPrefix("notice") && $0.contains("back") }
        #expect(back.count == 1 && back[0].hasPrefix("notice input is back"), "\(back)")
        #expect(back[0].contains("after_seconds=41") && back[0].contains("gaps for 36.0 s"), "\(back)")
    }

    /// Once a minute of each kind, what came more than once is logged again, without advice.
    @Test func everyWarningSaysWhatItMeansToViewersAndWhatToDo() {
        let log = Log()
        let fixture = ChannelFixture(source: .pts, backupCount: 1, logger: log.logger)
        var other = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)
        other.audio = nil
        let primary = fixture.channel.makeInput(.input(0), pace: .live)
        let backup = fixture.channel.makeInput(.backup(0, inputCount: 1), pace: .live)
        feed.open(primary)
        other.open(backup)
        primary.inputNoticed(.programs(carried: [1, 2], read: [1]))
        primary.inputNoticed(.severalSenders("192.0.2.1:1", "192.0.2.2:2"))
        feed.sendLive(0..<9_000, at: 0, to: primary, of: fixture)
        other.sendLive(9_000..<25_000, at: 9_000, to: backup, of: fixture)
        fixture.wait(until: 70_000)
        let warnings = log.lines.filter { $0.hasPrefix("warning ") || $0.hasPrefix("error ") }
        #expect(warnings.count { $0.contains("input problem") } >= 3, "\(log.lines)")
        #expect(warnings.contains { $0.contains("waiting for input") }, "\(log.lines)")
        for line in warnings where !line.contains("feed is faulty") && !line.contains("feed repaired") {
            #expect(line.contains(" viewers=") && line.contains(" do="), "\(line)")
        }
    }

    /// What is wrong with an input off air is for the operator alone.
    @Test(arguments: [
        (0, "the picture freezes until the next key frame, or they hear silence"),
        (1, "they notice nothing while input-1 is on air"),
    ])
    func damageOfAnInputOffAirHarmsNoViewer(damaged: Int, viewers: String) throws {
        let log = Log()
        let fixture = ChannelFixture(source: .pts, backupCount: 1, logger: log.logger)
        let inputs = [InputID.input(0), .backup(0, inputCount: 1)].map { fixture.channel.makeInput($0, pace: .live) }
        for input in inputs { feed.open(input) }
        feed.sendLive(0..<9_000, at: 0, to: inputs, of: fixture)
        feed.send(9_000..<9_040, to: inputs[1 - damaged])
        feed.send(9_000..<9_040, to: inputs[damaged], damaged: [9_000])
        feed.sendLive(9_040..<11_000, at: 9_040, to: inputs, of: fixture)
        let line = try #require(log.lines.first { $0.contains("kind=damagedPacket") }, "\(log.lines)")
        #expect(line.contains("viewers=\"\(viewers)\""), "\(line)")
        // A minute later, the backup is on air.
        feed.sendLive(11_000..<70_000, at: 11_000, to: inputs[1], of: fixture)
        feed.send(70_000..<70_040, to: inputs[1], damaged: [70_000])
        feed.sendLive(70_040..<72_000, at: 70_040, to: inputs[1], of: fixture)
        let last = try #require(log.lines.last { $0.contains("kind=damagedPacket") })
        #expect(last.contains("input=backup-1") && last.contains("viewers=\"the picture freezes"), "\(last)")
    }

    /// A process that takes over opens its inputs one after another.
    @Test(arguments: [true, false]) func anInputWhoseTracksAreKnownIsNotMissedAtOnce(opens: Bool) {
        var (pictures, sound) = (feed, feed)
        (pictures.audio, sound.video) = (nil, nil)
        let before = ChannelFixture(source: .pts, inputCount: 2)
        let former = (0..<2).map { before.channel.makeInput(.input($0), pace: .live) }
        pictures.open(former[0])
        sound.open(former[1])
        for time in stride(from: 0, to: 20_000, by: 200) as StrideTo<Int64> {
            pictures.sendLive(time..<time + 200, at: time, to: former[0], of: before)
            sound.sendLive(time..<time + 200, at: time, to: former[1], of: before)
        }
        let after = ChannelFixture(source: .pts, inputCount: 2)
        after.goOn(from: before, at: 20_000)
        let inputs = (0..<2).map { after.channel.makeInput(.input($0), pace: .live) }
        pictures.open(inputs[0])
        after.wait(until: 20_400)
        if opens { sound.open(inputs[1]) }
        for time in stride(from: 20_400, to: 34_000, by: 200) as StrideTo<Int64> {
            pictures.sendLive(time..<time + 200, at: time, to: inputs[0], of: after)
            if opens { sound.sendLive(time..<time + 200, at: time, to: inputs[1], of: after) }
            if time < 29_000 { #expect(events(.inputProblem, of: after).isEmpty) }
        }
        let absent = "input-problem input-2: It did not open in time: the channel starts without it."
        #expect(events(.inputProblem, of: after) == (opens ? [] : [absent]))
        #expect(after.window("video-180p").last?.hasSuffix("gap") == false)
    }

    /// A connection that breaks off after a silence is the same loss.
    @Test func aSilenceThatEndsInABrokenConnectionIsOneLoss() {
        let fixture = ChannelFixture(source: .pts)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(0..<9_000, at: 0, to: input, of: fixture)
        fixture.wait(until: 14_000)
        input.inputLost(reason: "read: Connection timed out")
        fixture.wait(until: 20_000)
        feed.open(input)
        feed.sendLive(20_000..<30_000, at: 20_000, to: input, of: fixture)
        #expect(events(.inputLost, .inputReturned, of: fixture).count == 2)
        #expect(events(.inputReturned, of: fixture)[0].contains("back after 11.0 s"))
    }

    @Test func anInputThatRepeatsItsTimeStampsIsLost() {
        let fixture = ChannelFixture(source: .pts)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(0..<9_000, at: 0, to: input, of: fixture)
        for start in stride(from: Int64(9_000), to: 14_000, by: 200) {
            feed.sendLive(8_760..<8_960, at: start, to: input, of: fixture)
        }
        #expect(events(.inputLost, of: fixture) == ["input-lost input-1: It has brought no media for 2.0 s."])
    }

    @Test func aBackupThatFillsInIsNamedAndViewersMissNothing() {
        let log = Log()
        let fixture = ChannelFixture(source: .pts, backupCount: 1, logger: log.logger)
        let inputs = [InputID.input(0), .backup(0, inputCount: 1)].map { fixture.channel.makeInput($0, pace: .live) }
        for input in inputs { feed.open(input) }
        feed.sendLive(0..<9_000, at: 0, to: inputs, of: fixture)
        feed.sendLive(9_000..<25_000, at: 9_000, to: inputs[1], of: fixture)
        #expect(!health(fixture).isConnected && health(fixture, 1).isConnected)
        feed.sendLive(25_000..<50_000, at: 25_000, to: inputs, of: fixture)
        #expect(
            events(.inputLost, .inputReturned, of: fixture) == [
                "input-lost input-1: It has brought no media for 2.0 s.",
                "input-returned input-1: It is back after 16.0 s. backup-1 filled in: viewers missed nothing.",
            ]
        )
        let switched = log.lines.filter { $0.contains("input switched") }
        let there = switched.filter { $0.contains("from=input-1") }
        #expect(there.count == 1 && there[0].contains(#"renditions="video-180p audio""#), "\(switched)")
        // Back they come in one segment or in two: each rendition has to be whole.
        let back = switched.filter { $0.contains("from=backup-1") }
        #expect((1...2).contains(back.count) && there.count + back.count == switched.count, "\(switched)")
        for name in ["video-180p", "audio"] { #expect(back.count { $0.contains(name) } == 1, "\(switched)") }
    }

    /// The segment that the loss begins and ends in has media, but not for all of its time.
    @Test func whatAPartlyFilledSegmentLacksIsReported() {
        let fixture = ChannelFixture(source: .pts)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(0..<9_000, at: 0, to: input, of: fixture)
        input.inputLost(reason: "end of file")
        fixture.wait(until: 11_000)
        feed.open(input)
        feed.sendLive(11_000..<24_000, at: 11_000, to: input, of: fixture)
        #expect(fixture.window("video-180p").allSatisfy { !$0.hasSuffix("gap") })
        let returned = events(.inputReturned, of: fixture)
        let beginning = "input-returned input-1: It is back after 2.0 s. Viewers missed about "
        #expect(returned.count == 1 && returned[0].hasPrefix(beginning), "\(returned)")
        #expect(returned[0].contains(" of the picture and ") && returned[0].hasSuffix(" of the sound."), "\(returned)")
    }

    /// Slots are decided on before an input counts as lost.
    @Test func gapsBeforeTheLossIsKnownCount() {
        let log = Log()
        let fixture = ChannelFixture(source: .pts, inputTimeout: MediaTime(seconds: 15), logger: log.logger)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(0..<9_000, at: 0, to: input, of: fixture)
        fixture.wait(until: 23_800)
        #expect(fixture.window("video-180p").contains("3 gap") && events(.inputLost, of: fixture).isEmpty)
        fixture.wait(until: 25_000)
        #expect(events(.inputLost, of: fixture).count == 1)
        feed.sendLive(25_000..<36_000, at: 25_000, to: input, of: fixture)
        #expect(
            events(.inputReturned, of: fixture)
                == ["input-returned input-1: It is back after 16.0 s. Viewers had gaps for 12.0 s."]
        )
        // What was logged before the input was lost ends with a line of its own.
        #expect(log.lines.count { $0.hasPrefix("warning no input has media") } == 1, "\(log.lines)")
        let back = log.lines.filter { $0.contains(" media is back after_seconds") }
        #expect(back.count == 1 && back[0].hasPrefix("notice") && back[0].contains("after_seconds=12"), "\(back)")
    }

    /// Fillers are no sign that the input is there.
    @Test(arguments: [LossFiller.gap, .hold])
    func noFillerHidesTheLoss(filler: LossFiller) {
        let fixture = ChannelFixture(source: .pts, filler: filler)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(0..<9_000, at: 0, to: input, of: fixture)
        fixture.wait(until: 30_000)
        #expect(events(.inputLost, of: fixture).count == 1 && !health(fixture).isConnected)
    }

    @Test func aTimeoutOfZeroIsNever() {
        let fixture = ChannelFixture(source: .pts, inputTimeout: nil)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(0..<9_000, at: 0, to: input, of: fixture)
        fixture.wait(until: 60_000)
        #expect(events(.inputLost, of: fixture).isEmpty && health(fixture).isConnected)
    }

    /// A channel that waits for its other inputs has no place for media yet, which is not the input's fault.
    @Test func anInputThatTheChannelDoesNotUseYetIsNotLost() {
        let fixture = ChannelFixture(source: .pts, inputCount: 2)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        _ = fixture.channel.makeInput(.input(1), pace: .live)
        feed.open(input)
        feed.sendLive(0..<9_000, at: 0, to: input, of: fixture)
        #expect(events(.inputLost, of: fixture).isEmpty && health(fixture).isConnected)
    }

    /// A transport stream brings video and the audio that it carries under one name, twice.
    @Test func whatHasOneNameIsNamedOnce() {
        let log = Log()
        let fixture = ChannelFixture(source: .pts, format: .ts, logger: log.logger)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(0..<9_000, at: 0, to: input, of: fixture)
        let onAir = log.lines.filter { $0.contains("on air") }
        #expect(onAir.count == 1 && onAir[0].contains("renditions=video-180p "), "\(onAir)")
        #expect(events(.onAir, of: fixture) == ["on-air : Viewers get video-180p."])
    }

    /// Segments of a transport stream carry the audio of their video, and are no gaps without it.
    @Test(arguments: [
        (StreamFormat.ts, "\"the audio of video-180p\"", "they see the picture and hear nothing"),
        (.fmp4, "audio", "the sound is missing (gaps)"),
    ])
    func lostSoundIsNoLostPicture(format: StreamFormat, renditions: String, viewers: String) throws {
        let log = Log()
        let fixture = ChannelFixture(source: .pts, format: format, logger: log.logger)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(0..<9_000, at: 0, to: input, of: fixture)
        var pictures = feed
        pictures.audio = nil
        pictures.sendLive(9_000..<27_000, at: 9_000, to: input, of: fixture)
        #expect(fixture.window("video-180p").allSatisfy { !$0.hasSuffix("gap") })
        let line = try #require(log.lines.first { $0.contains("no input has media") }, "\(log.lines)")
        #expect(line.contains("renditions=\(renditions) "), "\(line)")
        #expect(line.contains("viewers=\"\(viewers) until media is back\""), "\(line)")
        let event =
            format == .ts
            ? "No input has media for the audio of video-180p: viewers see the picture and hear nothing."
            : "No input has media for audio: viewers get gaps."
        #expect(events(.gap, of: fixture) == ["gap : \(event)"])
    }

    @Test func anInputThatNeverOpenedStopsNoPicture() {
        let log = Log()
        let fixture = ChannelFixture(source: .pts, inputCount: 2, logger: log.logger)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        _ = fixture.channel.makeInput(.input(1), pace: .live)
        feed.open(input)
        feed.sendLive(0..<32_000, at: 0, to: input, of: fixture)
        let waiting = log.lines.filter { $0.contains("waiting for input") }
        #expect(waiting.count == 2)
        #expect(waiting.allSatisfy { $0.contains("they get nothing from it until it opens") }, "\(waiting)")
    }

    /// A channel that ended at 13 s and continues at 21.3 s, and its input, which is not open yet.
    private func restarted(_ log: Log) -> (ChannelFixture, ChannelInput) {
        let before = ChannelFixture(source: .pts)
        let former = before.channel.makeInput(.input(0), pace: .live)
        feed.open(former)
        feed.sendLive(0..<13_000, at: 0, to: former, of: before)
        let fixture = ChannelFixture(source: .pts, logger: log.logger)
        fixture.goOn(from: before, at: 21_300)
        return (fixture, fixture.channel.makeInput(.input(0), pace: .live))
    }

    /// A restart is no fault of the encoder.
    @Test func slotsBeforeTheStartAreNotTheEncodersFault() {
        let log = Log()
        let (fixture, input) = restarted(log)
        feed.open(input)
        feed.sendLive(21_300..<33_000, at: 21_300, to: input, of: fixture)
        #expect(fixture.window("video-180p").contains("3 gap"))
        #expect(log.lines.allSatisfy { !$0.contains("check the encoder and the address") }, "\(log.lines)")
        #expect(log.lines.count { $0.hasPrefix("notice no media from before the start") } == 1, "\(log.lines)")
        let gaps = fixture.channel.events.entries().map(\.event).filter { $0.kind == .gap }
        let message =
            "The packager was not running this channel when the slot began, "
            + "and has no media for video-180p, audio: viewers get gaps."
        #expect(gaps.map(\.message) == [message] && gaps.first?.severity == .warning)
    }

    /// The encoder is gone as well: a restart must not hide that.
    @Test func outageThatOutlastsARestartIsReported() {
        let log = Log()
        let (fixture, _) = restarted(log)
        fixture.wait(until: 45_000)
        #expect(log.lines.count { $0.hasPrefix("notice no media from before the start") } == 1, "\(log.lines)")
        #expect(log.lines.count { $0.contains("no input has media") } == 1, "\(log.lines)")
    }
}
