import MediaCore
import NIOCore
import Operations
import Playlists
import Presentation
import SegmentingSupport
import TestSupport
import Testing
import Timeline

@testable import Channels
@testable import Segmenting

/// Channels whose inputs are the rungs of a ladder.
@Suite struct ChannelLadderTests {
    private let feed = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)

    /// Its inputs, each opened by a feed, and 17 seconds of all.
    private func run(_ feeds: [ChannelFeed], _ fixture: ChannelFixture) -> [ChannelInput] {
        let inputs = feeds.indices.map { fixture.channel.makeInput(.input($0), pace: .live) }
        for (feed, input) in zip(feeds, inputs) { feed.open(input) }
        feed.sendLive(0..<17_000, at: 0, to: inputs, of: fixture)
        return inputs
    }

    private func renditions(_ fixture: ChannelFixture) -> [String] {
        fixture.presentation.snapshot().renditions.map(\.id.name).sorted()
    }

    @Test func audioThatComesWithEachRungIsThereOnce() {
        let fixture = ChannelFixture(source: .pts, inputCount: 3)
        _ = run([feed, feed, feed], fixture)
        #expect(renditions(fixture) == ["audio", "video-180p", "video-180p-2", "video-180p-3"])
        #expect(
            fixture.record.allSatisfy { $0.hasPrefix("input-opened") || $0 == "on-air" },
            "nothing is wrong: \(fixture.record)"
        )
        #expect(fixture.window("audio") == ["0", "1", "2", "3"])
    }

    @Test func audioOfAnInputWithoutVideoIsAdded() {
        var audio = feed
        audio.video = nil
        let fixture = ChannelFixture(source: .pts, inputCount: 2)
        _ = run([feed, audio], fixture)
        #expect(renditions(fixture) == ["audio", "audio-2", "video-180p"])
    }

    /// The start is held back for it, and slots then come several at once: each has the renditions that it is of.
    @Test func aRungWhoseMediaBeginsLaterCostsTheOthersNothing() {
        let fixture = ChannelFixture(source: .pts, inputCount: 2)
        let inputs = [0, 1].map { fixture.channel.makeInput(.input($0), pace: .live) }
        for input in inputs { feed.open(input) }
        feed.sendLive(0..<2_400, at: 0, to: inputs[0], of: fixture)
        feed.sendLive(2_400..<25_000, at: 2_400, to: inputs, of: fixture)
        #expect(fixture.window("video-180p") == ["0", "1", "2", "3", "4", "5"])
        #expect(fixture.window("video-180p-2") == ["1", "2", "3", "4", "5"])
        #expect(!fixture.record.contains { $0.hasPrefix("gap") }, "\(fixture.record)")
    }

    @Test func anotherLanguageOrRoleOfARungIsAdded() {
        for change in [{ $0.language = "de" }, { $0.isAudioDescription = true }] as [(inout InputTrack) -> Void] {
            let fixture = ChannelFixture(source: .pts, inputCount: 2)
            let inputs = [0, 1].map { fixture.channel.makeInput(.input($0), pace: .live) }
            feed.open(inputs[0])
            var tracks = feed.tracks
            change(&tracks[1])
            inputs[1].inputOpened(tracks: tracks, timestampModulus: ChannelFeed.modulus)
            feed.sendLive(0..<9_000, at: 0, to: inputs, of: fixture)
            #expect(renditions(fixture).count == 4, "\(renditions(fixture))")
        }
    }

    @Test func aBackupOfARungIsNotBlamedForItsAudio() {
        let fixture = ChannelFixture(source: .pts, inputCount: 2, backupCount: 2)
        let ids: [InputID] = [.input(0), .input(1), .backup(0, inputCount: 2), .backup(1, inputCount: 2)]
        let inputs = ids.map { fixture.channel.makeInput($0, pace: .live) }
        for input in inputs { feed.open(input) }
        feed.sendLive(0..<9_000, at: 0, to: inputs, of: fixture)
        #expect(fixture.record.allSatisfy { $0.hasPrefix("input-opened") || $0 == "on-air" }, "\(fixture.record)")
    }

    @Test func aLostRungIsAGapAloneAndComesBackInItsTrueSlot() {
        let fixture = ChannelFixture(source: .pts, inputCount: 2)
        let inputs = run([feed, feed], fixture)
        inputs[1].inputLost(reason: "connection reset")
        feed.sendLive(17_000..<27_000, at: 17_000, to: inputs[0], of: fixture)
        feed.open(inputs[1])
        feed.sendLive(27_000..<37_000, at: 27_000, to: inputs, of: fixture)
        #expect(fixture.window("video-180p") == ["2", "3", "4", "5", "6", "7", "8"])
        #expect(fixture.window("audio") == ["2", "3", "4", "5", "6", "7", "8"])
        // Its first picture again is shown from where its slot begins.
        #expect(fixture.window("video-180p-2") == ["2", "3", "4", "5 gap", "6", "7", "8"])
    }

    /// The encoder of a rung is away for longer than the window, the first one's or another's.
    @Test(arguments: [0, 1])
    func aRungThatIsGoneLeavesAndComesBack(gone: Int) {
        let fixture = ChannelFixture(source: .pts, inputCount: 2)
        let inputs = run([feed, feed], fixture)
        let (lost, there) = gone == 0 ? ("video-180p", "video-180p-2") : ("video-180p-2", "video-180p")
        inputs[gone].inputLost(reason: "connection reset")
        feed.sendLive(17_000..<60_120, at: 17_000, to: inputs[1 - gone], of: fixture)
        #expect(fixture.text("\(lost).m3u8") == nil)
        #expect(fixture.text("index.m3u8")?.contains("\(lost).m3u8") == false)
        // It is not waited for.
        #expect(fixture.window(RenditionID(there)).last == "14")
        feed.open(inputs[gone])
        feed.sendLive(60_120..<73_000, at: 60_120, to: inputs, of: fixture)
        for name in renditions(fixture) {
            #expect(fixture.window(RenditionID(name)).suffix(2) == ["16", "17"], "\(name)")
        }
        #expect(renditions(fixture) == ["audio", "video-180p", "video-180p-2"])
    }

    /// The packager is started again with one input less.
    @Test func aRungThatWasRemovedLeaves() {
        let fixtures = [ChannelFixture(source: .pts, inputCount: 2), ChannelFixture(source: .pts)]
        _ = run([feed, feed], fixtures[0])
        let again = fixtures[1]
        again.takeOver(from: fixtures[0])
        let input = again.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(17_000..<50_000, at: 17_000, to: input, of: again)
        #expect(renditions(again) == ["audio", "video-180p"])
        #expect(again.text("video-180p-2.m3u8") == nil)
    }

    /// Names belong to inputs, whatever is there when the packager starts again.
    @Test(arguments: [0, 1])
    func withoutARungARestartKeepsNames(missing: Int) throws {
        let fixtures = (0..<2).map { _ in ChannelFixture(source: .pts, inputCount: 2) }
        _ = run([feed, feed], fixtures[0])
        let again = fixtures[1]
        again.takeOver(from: fixtures[0])
        let inputs = [0, 1].map { again.channel.makeInput(.input($0), pace: .live) }
        feed.open(inputs[1 - missing])
        feed.sendLive(17_000..<33_000, at: 17_000, to: inputs[1 - missing], of: again)
        let (lost, there) = missing == 0 ? ("video-180p", "video-180p-2") : ("video-180p-2", "video-180p")
        #expect(again.window(RenditionID(lost)).last?.hasSuffix("gap") == true)
        // It has not waited for the other one.
        #expect(again.window(RenditionID(there)).contains("5"))
        #expect(renditions(again) == ["audio", "video-180p", "video-180p-2"])
        // The audio is the first input's, and waits for it.
        #expect(again.window("audio").last?.hasSuffix("gap") == (missing == 0))
        feed.open(inputs[missing])
        feed.sendLive(33_000..<46_000, at: 33_000, to: inputs, of: again)
        #expect(renditions(again) == ["audio", "video-180p", "video-180p-2"])
        for name in renditions(again) { #expect(again.window(RenditionID(name)).last == "10", "\(name)") }
    }

    /// One of a pair is started again while a rung is away, and the rung stays away for longer than the window.
    @Test(arguments: [0, 1])
    func aRungThatComesBackLateIsTheSameForWhoWasStartedAgain(gone: Int) throws {
        let fixtures = (0..<2).map { _ in ChannelFixture(source: .pts, inputCount: 2) }
        let steady = run([feed, feed], fixtures[0])
        fixtures[1].takeOver(from: fixtures[0])
        let again = [0, 1].map { fixtures[1].channel.makeInput(.input($0), pace: .live) }
        steady[gone].inputLost(reason: "connection reset")
        feed.open(again[1 - gone])
        for (fixture, inputs) in zip(fixtures, [steady, again]) {
            feed.sendLive(16_000..<60_120, at: 17_000, to: inputs[1 - gone], of: fixture)
            #expect(renditions(fixture).count < 3)
            feed.open(inputs[gone])
            feed.sendLive(60_120..<103_000, at: 61_120, to: inputs, of: fixture)
        }
        #expect(renditions(fixtures[1]) == ["audio", "video-180p", "video-180p-2"])
        // What was measured grows with what each has published.
        let indexes = fixtures.map { $0.text("index.m3u8")?.replacing(/BANDWIDTH=\d+/, with: "") }
        #expect(indexes[0] == indexes[1])
        for name in renditions(fixtures[0]) {
            let text = fixtures[0].text("\(name).m3u8")
            #expect(text == fixtures[1].text("\(name).m3u8"), "\(name)")
            #expect(fixtures[1].window(RenditionID(name)).last == "24", "\(name)")
        }
    }

    /// The first rung's audio left with the window that an earlier run had published, and another one brings the same.
    @Test func audioThatNobodyHasAnyMoreKeepsNoOtherOut() {
        let fixtures = [ChannelFixture(source: .pts), ChannelFixture(source: .pts, inputCount: 2)]
        _ = run([feed], fixtures[0])
        let again = fixtures[1]
        again.takeOver(from: fixtures[0])
        var silent = feed
        silent.audio = nil
        let inputs = [0, 1].map { again.channel.makeInput(.input($0), pace: .live) }
        for input in inputs { silent.open(input) }
        silent.sendLive(17_000..<60_120, at: 17_000, to: inputs, of: again)
        #expect(renditions(again) == ["video-180p", "video-180p-2"])
        inputs[1].inputLost(reason: "connection reset")
        feed.open(inputs[1])
        for time in stride(from: Int64(60_120), to: 90_120, by: 1_000) {
            silent.sendLive(time..<time + 1_000, at: time, to: inputs[0], of: again)
            feed.send(time..<time + 1_000, to: inputs[1])
        }
        #expect(renditions(again) == ["audio", "video-180p", "video-180p-2"])
        #expect(again.window("audio").last?.hasSuffix("gap") == false)
    }
}

extension ChannelFixture {
    /// Starts with what another one has published up to its time.
    fileprivate func takeOver(from other: ChannelFixture) {
        clock.set(other.clock.now)
        #expect(channel.restore(other.left) > 0)
    }
}
