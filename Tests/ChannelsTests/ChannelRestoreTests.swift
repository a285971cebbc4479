import MediaCore
import NIOCore
import Operations
import Playlists
import Presentation
import SegmentingSupport
import Synchronization
import Testing
import Timeline

@testable import Channels
@testable import Segmenting

/// A channel that continues where an earlier run of it was; times are milliseconds from the epoch on, slots take four
/// seconds, and timestamps are UTC.
@Suite struct ChannelRestoreTests {
    private let feed = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)

    /// A picture every 40 ms, and audio of 88.2 kHz in two languages that differs: its frames last no whole ticks.
    private struct TwoLanguages {
        var languages: [String] = ["en", "de"]
        /// The starts of frames, in units of their rate.
        var phase: Int64 = 0
        var feed = ChannelFeed(audio: nil, base: Epoch.time.ticks % ChannelFeed.modulus)

        func open(_ input: ChannelInput) {
            let audio = languages.enumerated().map { index, language in
                InputTrack(
                    index: InputTrackIndex(index + 1),
                    kind: .audio,
                    codec: .aac,
                    header: [0x10, 0x90],
                    language: language
                )
            }
            input.inputOpened(tracks: feed.tracks + audio, timestampModulus: ChannelFeed.modulus)
        }

        private func time(of frame: Int64) -> MediaTime { MediaTime(frame * 1_024 + phase, timescale: 88_200) }

        /// Calls that follow each other leave out nothing.
        func sendLive(_ range: Range<Int64>, at start: Int64, to inputs: [ChannelInput], of fixture: ChannelFixture) {
            let before = Epoch.at(range.lowerBound - 40)
            var frame = before.value(timescale: 88_200) / 1_024
            while time(of: frame) <= before { frame += 1 }
            feed.send(range, to: inputs) { now in
                fixture.clock.set(Epoch.at(start + now - range.lowerBound))
                fixture.channel.timeAdvanced()
                while time(of: frame) <= Epoch.at(now) {
                    for (index, language) in languages.enumerated() {
                        feed.deliver(
                            [0x21, UInt8(truncatingIfNeeded: frame), language.utf8.first ?? 0, 4],
                            track: index + 1,
                            ticks: (time(of: frame) - Epoch.time).ticks,
                            isCorrupt: false,
                            to: inputs
                        )
                    }
                    frame += 1
                }
            }
        }

        func sendLive(_ range: Range<Int64>, at start: Int64, to input: ChannelInput, of fixture: ChannelFixture) {
            sendLive(range, at: start, to: [input], of: fixture)
        }
    }

    private func expectSame(_ fixture: ChannelFixture, as whole: ChannelFixture, _ path: String) throws {
        #expect(try #require(fixture.bytes(path)) == #require(whole.bytes(path)), "\(path)")
    }

    // MARK: Tracks

    @Test func overriddenLanguagesKeepTheirTracks() throws {
        let audio = [AudioAttributes(language: "de"), AudioAttributes(language: "en")]
        let fixtures = (0..<2).map { _ in ChannelFixture(source: .pts, audio: audio) }
        let source = TwoLanguages()
        let whole = fixtures[0].channel.makeInput(.input(0), pace: .live)
        source.open(whole)
        source.sendLive(0..<9_000, at: 0, to: whole, of: fixtures[0])
        fixtures[1].goOn(from: fixtures[0], at: 9_000)
        let again = fixtures[1].channel.makeInput(.input(0), pace: .live)
        source.open(again)
        source.sendLive(7_880..<18_000, at: 7_880, to: again, of: fixtures[1])
        source.sendLive(9_000..<18_000, at: 9_000, to: whole, of: fixtures[0])
        for rendition in ["audio-de", "audio-en"] {
            try expectSame(fixtures[1], as: fixtures[0], "\(rendition)/\(Epoch.slot.value + 3).m4s")
        }
    }

    @Test func theFrameRateIsWhatViewersWereTold() throws {
        let fixtures = (0..<2).map { _ in ChannelFixture(source: .pts) }
        let inputs = fixtures.map { $0.channel.makeInput(.input(0), pace: .live) }
        feed.open(inputs[0])
        feed.sendLive(0..<9_000, at: 0, to: inputs[0], of: fixtures[0])
        fixtures[1].goOn(from: fixtures[0], at: 9_000)
        var tracks = feed.tracks
        tracks[0].frameRate = Ratio(24_999, 1_000)
        inputs[1].inputOpened(tracks: tracks, timestampModulus: ChannelFeed.modulus)
        feed.sendLive(7_880..<14_000, at: 7_880, to: inputs[1], of: fixtures[1])
        #expect(fixtures[1].window("video-180p") == ["0", "1", "2"])
        #expect(fixtures[1].channel.engine.renditions[TrackIndex(0)].plan.frameRate == Ratio(25, 1))
    }

    @Test func whatAnOperatorHoldsIsHeldForTracksThatComeLater() {
        let fixture = ChannelFixture(source: .pts, backupCount: 1)
        let inputs = [InputID.input(0), .backup(0, inputCount: 1)].map { fixture.channel.makeInput($0, pace: .live) }
        fixture.channel.select(.backup(0, inputCount: 1), holds: true)
        for input in inputs { feed.open(input) }
        feed.sendLive(0..<9_000, at: 0, to: inputs, of: fixture)
        #expect(fixture.channel.status(at: fixture.clock.now).renditions.map(\.source) == ["backup-1", "backup-1"])
    }

    // MARK: Forsaken renditions

    /// Renditions that are not in the rest are lost; the channel begins again without them.
    private func restart(after end: Int64, with rest: TwoLanguages, until: Int64 = 13_000) -> ChannelFixture {
        let fixtures = (0..<2).map { _ in ChannelFixture(source: .pts) }
        let inputs = fixtures.map { $0.channel.makeInput(.input(0), pace: .live) }
        TwoLanguages().open(inputs[0])
        TwoLanguages().sendLive(0..<9_000, at: 0, to: inputs[0], of: fixtures[0])
        rest.sendLive(9_000..<end, at: 9_000, to: inputs[0], of: fixtures[0])
        fixtures[1].goOn(from: fixtures[0], at: end)
        rest.open(inputs[1])
        rest.sendLive(end..<end + until, at: end, to: inputs[1], of: fixtures[1])
        return fixtures[1]
    }

    @Test func whatIsNothingButGapsAndHasNoInputIsNotPublishedFurther() {
        let fixture = restart(after: 45_000, with: TwoLanguages(languages: ["en"]))
        #expect(fixture.window("audio-en").suffix(2) == ["12", "13"])
        #expect(fixture.text("audio-de.m3u8") == nil)
        #expect(fixture.text("index.m3u8")?.contains("audio-de") == false)
    }

    @Test func audioLeadsWhereItIsAllThatIsLeft() {
        var rest = TwoLanguages()
        rest.feed.video = nil
        let fixture = restart(after: 45_000, with: rest)
        #expect(fixture.window("audio-en").suffix(2) == ["12", "13"])
        #expect(fixture.window("audio-de").suffix(2) == ["12", "13"])
        #expect(fixture.text("video-180p.m3u8") == nil)
        #expect(fixture.text("index.m3u8")?.contains("video") == false)
    }

    @Test func whatHasMediaInTheWindowIsAGapUntilItIsBack() {
        let fixture = restart(after: 17_000, with: TwoLanguages(languages: ["en"]))
        #expect(fixture.window("audio-en").suffix(2) == ["5", "6"])
        #expect(fixture.window("audio-de").suffix(2) == ["5 gap", "6 gap"])
    }

    /// It had media when the channel began again; nobody waits for it, and it leaves with the last of that.
    @Test func whatHasNoInputAnyMoreLeavesWithTheLastOfItsMedia() {
        let begun = restart(after: 17_000, with: TwoLanguages(languages: ["en"]), until: 7_120)
        #expect(begun.window("audio-de").suffix(2) == ["4 gap", "5 gap"])
        let fixture = restart(after: 17_000, with: TwoLanguages(languages: ["en"]), until: 29_100)
        #expect(fixture.text("audio-de.m3u8") == nil)
        #expect(fixture.text("index.m3u8")?.contains("audio-de") == false)
        #expect(fixture.text("index.m3u8")?.contains("audio-en") == true)
    }

    /// Missed slots are published before any input is there.
    @Test func whatNobodyHasSpokenOfYetStays() {
        let fixtures = (0..<2).map { _ in ChannelFixture(source: .pts) }
        let inputs = fixtures.map { $0.channel.makeInput(.input(0), pace: .live) }
        TwoLanguages().open(inputs[0])
        TwoLanguages().sendLive(0..<9_000, at: 0, to: inputs[0], of: fixtures[0])
        TwoLanguages(languages: ["en"]).sendLive(9_000..<45_000, at: 9_000, to: inputs[0], of: fixtures[0])
        fixtures[1].goOn(from: fixtures[0], at: 45_000)
        fixtures[1].wait(until: 55_000)
        #expect(fixtures[1].window("audio-de").suffix(2) == ["11 gap", "12 gap"])
        #expect(fixtures[1].text("index.m3u8")?.contains("audio-de") == true)
    }

    // MARK: Where it broke off

    @Test(arguments: [9_000, 13_000, 17_000, 21_000, 25_000, 29_000] as [Int64])
    func audioGoesOnToTheSample(end: Int64) throws {
        let fixtures = (0..<2).map { _ in ChannelFixture(source: .pts) }
        let inputs = fixtures.map { $0.channel.makeInput(.input(0), pace: .live) }
        let source = TwoLanguages()
        source.open(inputs[0])
        source.sendLive(0..<end, at: 0, to: inputs[0], of: fixtures[0])
        fixtures[1].goOn(from: fixtures[0], at: end)
        source.open(inputs[1])
        source.sendLive(end - 1_120..<end + 5_000, at: end - 1_120, to: inputs[1], of: fixtures[1])
        source.sendLive(end..<end + 5_000, at: end, to: inputs[0], of: fixtures[0])
        try expectSame(fixtures[1], as: fixtures[0], "audio-en/\(Epoch.slot.value + end / 4_000).m4s")
        #expect(try #require(fixtures[1].text("audio-en.m3u8")) == #require(fixtures[0].text("audio-en.m3u8")))
    }

    @Test func audioAfterAGapIsWhatItWouldHaveBeen() throws {
        let fixtures = (0..<3).map { _ in ChannelFixture(source: .pts) }
        let inputs = fixtures.map { $0.channel.makeInput(.input(0), pace: .live) }
        TwoLanguages().open(inputs[0])
        TwoLanguages().sendLive(0..<9_000, at: 0, to: inputs[0], of: fixtures[0])
        inputs[0].inputLost(reason: "end of file")
        fixtures[0].wait(until: 19_000)
        fixtures[1].goOn(from: fixtures[0], at: 19_000)
        #expect(fixtures[1].window("audio-en") == ["0", "1", "2", "3 gap"])
        // Another encoder, whose frames begin elsewhere; one packager has seen nothing else.
        let other = TwoLanguages(phase: 300)
        for (fixture, input) in zip(fixtures, inputs).dropFirst() {
            fixture.clock.set(Epoch.at(19_000))
            other.open(input)
            other.sendLive(15_880..<21_000, at: 19_000, to: input, of: fixture)
        }
        try expectSame(fixtures[1], as: fixtures[2], "audio-en/\(Epoch.slot.value + 4).m4s")
    }

    /// It has no place of its own in the window, and is no track that joins all the same.
    @Test func audioInTransportStreamsGoesOnWithASegmentThatLacksSome() {
        let fixtures = (0..<2).map { _ in ChannelFixture(source: .pts, format: .ts) }
        let inputs = fixtures.map { $0.channel.makeInput(.input(0), pace: .live) }
        let source = TwoLanguages(languages: ["en"])
        source.open(inputs[0])
        source.sendLive(0..<9_000, at: 0, to: inputs[0], of: fixtures[0])
        fixtures[1].goOn(from: fixtures[0], at: 9_000)
        fixtures[1].wait(until: 11_880)
        source.open(inputs[1])
        TwoLanguages(languages: []).sendLive(11_880..<12_400, at: 11_880, to: inputs[1], of: fixtures[1])
        source.sendLive(12_400..<18_600, at: 12_400, to: inputs[1], of: fixtures[1])
        #expect(fixtures[1].window("video-180p").last == "3")
        #expect(fixtures[1].text("index.m3u8")?.contains("mp4a.40.2") == true)
    }

    // MARK: Inputs

    @Test func whichInputIsOnAirAndHowLongABetterOneHasBeenWholeIsNotForgotten() {
        let fixtures = (0..<2).map { _ in ChannelFixture(source: .pts, backupCount: 1, failback: MediaTime(seconds: 16))
        }
        let ids = [InputID.input(0), .backup(0, inputCount: 1)]
        let inputs = fixtures.map { fixture in ids.map { fixture.channel.makeInput($0, pace: .live) } }
        let source = TwoLanguages(languages: ["en"])
        for input in inputs[0] { source.open(input) }
        source.sendLive(0..<9_000, at: 0, to: inputs[0], of: fixtures[0])
        inputs[0][0].inputLost(reason: "end of file")
        source.sendLive(9_000..<18_000, at: 9_000, to: inputs[0][1], of: fixtures[0])
        source.open(inputs[0][0])
        source.sendLive(18_000..<25_000, at: 18_000, to: inputs[0], of: fixtures[0])
        fixtures[1].goOn(from: fixtures[0], at: 25_000)
        for input in inputs[1] { source.open(input) }
        source.sendLive(23_880..<50_000, at: 23_880, to: inputs[1], of: fixtures[1])
        source.sendLive(25_000..<50_000, at: 25_000, to: inputs[0], of: fixtures[0])
        let returns = fixtures.map { fixture in
            fixture.channel.events.entries().map(\.event).filter { $0.kind == .switched && $0.input == "input-1" }
                .map {
                    "\($0.renditions.map(\.name).joined(separator: " ")) \($0.slot.map { $0.value - Epoch.slot.value } ?? 0)"
                }
        }
        #expect(returns[0].count == 2)
        #expect(returns[1] == returns[0])
    }
}
