import ContentProtection
import MediaCore
import NIOCore
import Operations
import Playlists
import Presentation
import SegmentingSupport
import Testing
import Timeline

@testable import Channels
@testable import Packaging
@testable import Segmenting

/// A packager that begins while its peer is on air; times are milliseconds from the epoch on, slots take four seconds.
@Suite struct ChannelJoiningTests {
    private let feed = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)
    private let playlists = ["index.m3u8", "video-180p.m3u8", "audio.m3u8"]

    private func fixture() throws -> ChannelFixture {
        let secret = try #require(MasterSecret(Array(1...32)))
        let schedule = KeySchedule(secret: secret, channel: "live", slotsPerPeriod: 2)
        return ChannelFixture(source: .pts, encryption: .sampleAES(schedule))
    }

    @discardableResult
    private func feed(_ range: Range<Int64>, to fixture: ChannelFixture) -> ChannelInput {
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        fixture.clock.set(Epoch.at(range.lowerBound))
        feed.open(input)
        feed.sendLive(range, at: range.lowerBound, to: input, of: fixture)
        return input
    }

    /// Returns the window when the feed has come so far.
    private func window(at end: Int64) throws -> RestoredWindow {
        let fixture = try fixture()
        feed(0..<end, to: fixture)
        let saved = fixture.presentation.saved
        let bodies = saved.files.compactMap { file in fixture.bytes(file.path).map { (file.path, $0) } }
        return RestoredWindow(window: saved, bodies: Dictionary(uniqueKeysWithValues: bodies))
    }

    private func expectSame(_ fixture: ChannelFixture, as whole: ChannelFixture) throws {
        for playlist in playlists {
            let text = try #require(whole.text(playlist))
            #expect(fixture.text(playlist) == text, "\(playlist)")
        }
        for path in whole.presentation.saved.files.map(\.path) {
            let bytes = try #require(whole.bytes(path))
            #expect(fixture.bytes(path) == bytes, "\(path)")
        }
    }

    /// The peer may be a little behind or ahead when it is asked again.
    @Test(arguments: [17_000, 21_000, 25_000, 29_000] as [Int64])
    func nothingIsMissingOrOtherwiseWhereTheWindowsMeet(end: Int64) throws {
        let fixture = try fixture()
        fixture.channel.beginJoining(try window(at: 9_000))
        feed(9_320..<29_000, to: fixture)
        #expect(playlists.allSatisfy { fixture.text($0) == nil }, "nothing is published before the peer has agreed")
        fixture.channel.peerPublished(try window(at: end))
        #expect(!fixture.channel.isJoining)
        let whole = try self.fixture()
        feed(0..<29_000, to: whole)
        try expectSame(fixture, as: whole)
    }

    @Test func whoeverBeginsTogetherWithItsPeerMeasuresWhatThatMeasures() throws {
        let fixture = try fixture()
        fixture.channel.beginJoining(try window(at: 0))
        feed(0..<13_000, to: fixture)
        fixture.channel.peerPublished(try window(at: 9_000))
        let whole = try self.fixture()
        feed(0..<13_000, to: whole)
        try expectSame(fixture, as: whole)
    }

    /// It is waited for as long as five slots and a second take.
    @Test func aPeerThatFallsSilentIsNotWaitedForLonger() throws {
        let fixture = try fixture()
        fixture.channel.beginJoining(try window(at: 9_000))
        let input = feed(13_320..<33_000, to: fixture)
        #expect(fixture.channel.isJoining)
        feed.sendLive(33_000..<37_000, at: 33_000, to: input, of: fixture)
        #expect(!fixture.channel.isJoining)
        #expect(fixture.window("video-180p") == ["4", "5", "6", "7", "8"])
    }

    @Test func whereNothingIsWholeTheNewestOfThePeerIsTaken() throws {
        let fixture = try fixture()
        fixture.channel.beginJoining(try window(at: 9_000))
        fixture.wait(until: 20_000)
        fixture.channel.peerPublished(try window(at: 21_000))
        fixture.wait(until: 29_000)
        #expect(!fixture.channel.isJoining)
        #expect(fixture.window("video-180p") == ["0", "1", "2", "3", "4", "5 gap"])
    }

    /// Both machines boot together, and the feed of this one comes long after it has continued by itself.
    @Test(arguments: [false, true])
    func whoGoesOnWithoutItsPeerNeverStops(knowsTracks: Bool) throws {
        let fixture = try fixture()
        fixture.channel.beginJoining(try window(at: 0))
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        if knowsTracks { feed.open(input) }
        fixture.wait(until: 17_000)
        fixture.channel.peerPublished(try window(at: 17_000))
        fixture.wait(until: 33_000)
        #expect(!fixture.channel.isJoining)
        if !knowsTracks {
            #expect(fixture.window("video-180p").suffix(3) == ["4 gap", "5 gap", "6 gap"])
            feed.open(input)
        }
        feed.sendLive(33_320..<45_120, at: 33_320, to: input, of: fixture)
        #expect(fixture.window("video-180p").suffix(5) == ["6 gap", "7 gap", "8 gap", "9", "10"])
        #expect(fixture.window("audio").suffix(2) == ["9", "10"])
    }

    @Test func oneThatIsStoppedWaitsForNobody() throws {
        let fixture = try fixture()
        fixture.channel.beginJoining(try window(at: 9_000))
        fixture.channel.stop()
        #expect(fixture.channel.windowOfPeer == nil)
        fixture.wait(until: 60_000)
        #expect(fixture.window("video-180p").isEmpty)
    }
}
