import ContentProtection
import Foundation
import MediaCore
import Playlists
import Presentation
import SegmentingSupport
import Testing
import Timeline

@testable import Channels
@testable import Packaging
@testable import Segmenting

/// Channels whose first slots are in the clear; slots take four seconds, and timestamps are UTC.
@Suite struct ChannelClearLeadTests {
    private let feed = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)

    enum Encryption: CaseIterable {
        case aes128, aes128WithInit, aes256GCM, sampleAES, sampleAESCounterMode

        func encryption(slotsPerPeriod: Int64?) throws -> ChannelEncryption {
            let secret = try #require(MasterSecret(Array(1...32)))
            let schedule = KeySchedule(
                secret: secret,
                channel: "live",
                slotsPerPeriod: slotsPerPeriod,
                keySize: self == .aes256GCM ? .bits256 : .bits128
            )
            return switch self {
            case .aes128: .aes128(schedule)
            case .aes128WithInit: .aes128(schedule, includesInitialization: true)
            case .aes256GCM: .aes256GCM(schedule)
            case .sampleAES: .sampleAES(schedule)
            case .sampleAESCounterMode: .sampleAESCounterMode(schedule)
            }
        }
    }

    private func fixture(
        _ encryption: Encryption = .sampleAES,
        slotsPerPeriod: Int64? = nil,
        clearLead: Int64 = 2,
        format: StreamFormat = .fmp4
    ) throws -> ChannelFixture {
        ChannelFixture(
            source: .pts,
            encryption: try encryption.encryption(slotsPerPeriod: slotsPerPeriod),
            clearLead: clearLead,
            hintedKey: .identity,
            format: format,
            window: 60
        )
    }

    /// An encoder sends; what it has sent before comes in a burst.
    @discardableResult
    private func play(
        _ fixture: ChannelFixture,
        until end: Int64,
        from start: Int64 = 0,
        burst: Int64 = 0
    ) -> ChannelInput {
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.send(start - burst..<start, to: input)
        feed.sendLive(start..<end, at: start, to: input, of: fixture)
        return input
    }

    private func playlist(_ fixture: ChannelFixture, _ path: String = "video-180p.m3u8") throws -> MediaPlaylist {
        try MediaPlaylist(parsing: #require(fixture.text(path)))
    }

    private static let formats: [(StreamFormat, Encryption)] =
        Encryption.allCases.map { (.fmp4, $0) } + [(.ts, .aes128), (.ts, .aes256GCM), (.ts, .sampleAES)]

    @Test(arguments: formats)
    func whatIsPublishedFirstIsClear(format: StreamFormat, encryption: Encryption) throws {
        let protected = try fixture(encryption, format: format)
        play(protected, until: 19_000)
        let clear = ChannelFixture(source: .pts, format: format, window: 60)
        play(clear, until: 19_000)
        let (segments, expected) = (try playlist(protected).segments, try playlist(clear).segments)
        #expect(segments.count == 4)
        #expect(segments.map { !$0.keys.isEmpty } == [false, false, true, true])
        for (segment, other) in zip(segments, expected) {
            let isSame = protected.bytes(segment.uri) == clear.bytes(other.uri)
            #expect(isSame == segment.keys.isEmpty, "\(segment.uri)")
            #expect((segment.map == other.map) == (segment.keys.isEmpty || format == .ts || encryption.keepsMap))
        }
        #expect(segments.map(\.startsDiscontinuity) == [false, false, encryption.isOfSamples, false])
        // Nothing is said of keys above what is clear.
        let text = try #require(protected.text("video-180p.m3u8"))
        #expect(!text.contains("METHOD=NONE"))
        #expect(text.components(separatedBy: "#EXTINF").prefix(2).allSatisfy { !$0.contains("#EXT-X-KEY") })
    }

    @Test(arguments: [nil, 3, 4] as [Int64?])
    func playersAreToldOfTheKeysFromTheStart(slotsPerPeriod: Int64?) throws {
        let fixture = try fixture(slotsPerPeriod: slotsPerPeriod)
        play(fixture, until: 6_000)
        #expect(fixture.window("video-180p") == ["0"])
        let master = try #require(fixture.text("index.m3u8"))
        #expect(master.contains("#EXT-X-SESSION-KEY"))
        let hint = try #require(try playlist(fixture).keyHint)
        #expect(master.contains(hint.key.uri))
        #expect(hint.firstUse == Epoch.at(8_000))
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(6_000..<15_000, at: 6_000, to: input, of: fixture)
        let protected = try playlist(fixture)
        #expect(protected.segments.map { $0.keys.map(\.uri) } == [[], [], [hint.key.uri]])
        // Behind it, the hint is of the next crypto period.
        #expect((protected.keyHint == nil) == (slotsPerPeriod == nil))
        #expect(protected.keyHint?.key.uri != hint.key.uri)
    }

    /// The process ends inside the clear lead, at its end, or behind it.
    @Test(arguments: [6_000, 10_000, 14_000] as [Int64])
    func aRestartHasNone(end: Int64) throws {
        let whole = try fixture()
        play(whole, until: 23_000)
        let before = try fixture()
        play(before, until: end)
        let after = try fixture()
        after.goOn(from: before, at: end)
        play(after, until: 23_000, from: end, burst: 6_000)
        #expect(after.window("video-180p") == whole.window("video-180p"))
        #expect(try playlist(after) == playlist(whole))
        for segment in try playlist(whole).segments {
            #expect(after.bytes(segment.uri) == whole.bytes(segment.uri), "\(segment.uri)")
        }
    }

    /// One that joins has the window's word for where the channel began, be it in the clear lead still or behind it.
    @Test(arguments: [1, 4, 6] as [Int64])
    func bothMembersOfAPairHaveTheSame(clearLead: Int64) throws {
        func window(at end: Int64) throws -> RestoredWindow {
            let peer = try fixture(clearLead: clearLead)
            play(peer, until: end)
            return peer.left
        }
        let joiner = try fixture(clearLead: clearLead)
        joiner.channel.beginJoining(try window(at: 9_000))
        let input = play(joiner, until: 22_000, from: 9_320)
        joiner.channel.peerPublished(try window(at: 17_000))
        feed.sendLive(22_000..<33_000, at: 22_000, to: input, of: joiner)
        let whole = try fixture(clearLead: clearLead)
        play(whole, until: 33_000)
        let expected = try playlist(whole)
        #expect(expected.segments.prefix { $0.keys.isEmpty }.count == Int(clearLead))
        #expect(try playlist(joiner) == expected)
        for segment in expected.segments {
            #expect(joiner.bytes(segment.uri) == whole.bytes(segment.uri), "\(segment.uri)")
        }
    }

    /// Neither has anything to continue from, and one misses the slot that the other begins with.
    @Test func membersThatBeginTogetherHaveTheSame() throws {
        let early = try fixture(clearLead: 3)
        play(early, until: 23_000)
        let late = try fixture(clearLead: 3)
        let input = play(late, until: 9_000, from: 4_000)
        late.channel.peerBegan(try #require(early.channel.firstNumber))
        feed.sendLive(9_000..<23_000, at: 9_000, to: input, of: late)
        let (expected, segments) = (try playlist(early).segments, try playlist(late).segments)
        #expect(segments.first?.uri == expected[1].uri)
        #expect(
            segments.map { [$0.uri] + $0.keys.map(\.uri) } == expected.dropFirst().map { [$0.uri] + $0.keys.map(\.uri) }
        )
        for segment in segments { #expect(late.bytes(segment.uri) == early.bytes(segment.uri), "\(segment.uri)") }
    }

    @Test func aChannelThatHasPublishedBeforeHasNoneHoweverLongItWasAway() throws {
        let before = try fixture(clearLead: 100)
        play(before, until: 10_000)
        let after = try fixture()
        after.goOn(from: before, at: 400_000)
        play(after, until: 410_000, from: 400_000)
        let segments = try playlist(after).segments
        #expect(!segments.isEmpty)
        #expect(segments.allSatisfy { !$0.keys.isEmpty || $0.isGap })
    }

    /// The origin announces the key before there is a slot of the new process.
    @Test func aWindowThatIsThereAgainAnnouncesTheNextKeyAtOnce() throws {
        let before = try fixture(slotsPerPeriod: 4, clearLead: 0)
        play(before, until: 10_000)
        let hint = try #require(try playlist(before).keyHint)
        let after = try fixture(slotsPerPeriod: 4, clearLead: 0)
        after.goOn(from: before, at: 10_000)
        after.channel.timeAdvanced()
        #expect(try playlist(after).keyHint == hint)
        #expect(try playlist(after, "audio.m3u8").keyHint == playlist(before, "audio.m3u8").keyHint)
    }
}

extension ChannelClearLeadTests.Encryption {
    fileprivate var isOfSamples: Bool { [.sampleAES, .sampleAESCounterMode].contains(self) }
    /// True if initialization sections stay as they are.
    fileprivate var keepsMap: Bool { [.aes128, .aes256GCM].contains(self) }
}
