import ContentProtection
import Foundation
import MediaCore
import Operations
import Playlists
import Presentation
import SegmentingSupport
import TestSupport
import Testing
import Timeline

@testable import Channels
@testable import Packaging
@testable import Segmenting

/// Keys that come late, or not at all, from source to playlist.
@Suite struct ChannelKeyTests {
    private struct NoLicense: Error {}

    private let feed = ChannelFeed()

    /// Keys of slots from 2 on are held back; crypto periods last two slots.
    private static func source(error: (any Error)? = nil) throws -> HeldKeySource {
        let first = MediaSequenceNumber(Epoch.slot.value + 2)
        return try HeldKeySource(slotsPerPeriod: 2, firstHeldSlot: first, error: error)
    }

    /// The lines of a playlist that name keys.
    private static func keys(_ playlist: String?) -> [String] {
        (playlist ?? "").split(separator: "\n").filter { $0.contains("-KEY:") }.map(String.init)
    }

    @Test(arguments: [false, true])
    func aNextKeyThatIsNotThereRefusesNoPlaylist(fails: Bool) throws {
        let endpoint = EndpointHealth(policy: EndpointPolicy(failOn: [.noKey]))
        let source = try Self.source(error: fails ? NoLicense() : nil)
        let fixture = ChannelFixture(endpoint: endpoint, encryption: .sampleAES(source))
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(0..<11_000, at: 0, to: input, of: fixture)
        #expect(fixture.window("video-180p") == ["0", "1"])
        #expect(endpoint.failures(now: fixture.clock.now) == [])
        let sessionKeys = Self.keys(fixture.text("index.m3u8"))
        #expect(sessionKeys.count == 2)
        #expect(sessionKeys.first?.contains(try source.uri(0)) == true)
        // Once a slot would need it, there are no keys to give out.
        feed.sendLive(11_000..<17_000, at: 11_000, to: input, of: fixture)
        #expect(fixture.window("video-180p") == ["0", "1", "2 gap"])
        #expect(endpoint.failures(now: fixture.clock.now) == [.noKey])
        source.release()
        feed.sendLive(17_000..<21_000, at: 17_000, to: input, of: fixture)
        #expect(fixture.window("video-180p") == ["0", "1", "2 gap", "3", "4"])
        #expect(endpoint.failures(now: fixture.clock.now) == [])
        #expect(Self.keys(fixture.text("video-180p.m3u8")).count == 3)
    }

    /// Segments without their key are gaps.
    @Test func nothingIsOnAirBeforeThereIsAKey() throws {
        let source = try HeldKeySource(slotsPerPeriod: 2, firstHeldSlot: Epoch.slot, error: NoLicense())
        let fixture = ChannelFixture(encryption: .sampleAES(source))
        func onAir() -> [ChannelEvent] {
            fixture.channel.events.entries().map(\.event).filter { $0.kind == .onAir }
        }
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(0..<21_000, at: 0, to: input, of: fixture)
        #expect(onAir().isEmpty)
        source.release()
        feed.sendLive(21_000..<33_000, at: 21_000, to: input, of: fixture)
        #expect(onAir().map(\.message) == ["Viewers get video-180p, audio."])
        let first = try #require(fixture.window("video-180p").first { !$0.hasSuffix("gap") }.flatMap(Int64.init))
        #expect(onAir().first?.slot?.value == Epoch.slot.value + first)
    }

    @Test func aKeyThatIsUsedAgainIsListedUntilTheNewOneIsThere() throws {
        let source = try Self.source()
        let fixture = ChannelFixture(encryption: .aes128(source), lateKey: .reuse)
        let input = fixture.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(0..<14_000, at: 0, to: input, of: fixture)
        #expect(fixture.window("video-180p") == ["0", "1", "2"])
        let before = Self.keys(fixture.text("video-180p.m3u8"))
        #expect(before.count == 1)
        #expect(before.first?.contains(try source.uri(0)) == true)
        source.release()
        feed.sendLive(14_000..<21_000, at: 14_000, to: input, of: fixture)
        #expect(fixture.window("video-180p") == ["0", "1", "2", "3", "4"])
        let after = Self.keys(fixture.text("video-180p.m3u8"))
        let expected = try [0, 2, 4].map { try source.uri($0) }
        #expect(after.count == 3)
        for (line, uri) in zip(after, expected) { #expect(line.contains(uri)) }
    }

    /// The demands hold as soon as the keys are known, and not with the next slot.
    @Test func whatAKeySourceAsksOfScreensIsSaidAfterARestart() throws {
        func fixture() throws -> ChannelFixture {
            let first = MediaSequenceNumber(Epoch.slot.value + 100)
            let source = try HeldKeySource(slotsPerPeriod: 2, firstHeldSlot: first, displayProtection: .type1)
            return ChannelFixture(
                source: .pts,
                encryption: .sampleAES(source),
                window: 60,
                outputProtection: .automatic
            )
        }
        let feed = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)
        let before = try fixture()
        let input = before.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(0..<10_000, at: 0, to: input, of: before)
        #expect(before.text("index.m3u8")?.contains("HDCP-LEVEL=TYPE-1") == true)
        let after = try fixture()
        after.goOn(from: before, at: 10_000)
        after.channel.timeAdvanced()
        #expect(after.window("video-180p") == before.window("video-180p"))
        #expect(after.text("index.m3u8")?.contains("HDCP-LEVEL=TYPE-1") == true)
    }

    /// Listed segments are encrypted with keys that players can fetch, whether this process has them or not.
    @Test func whatKeysThereWereIsSaidAfterARestartWithoutAny() throws {
        func fixture(heldFrom slot: Int64) throws -> ChannelFixture {
            let first = MediaSequenceNumber(Epoch.slot.value + slot)
            let source = try HeldKeySource(slotsPerPeriod: 2, firstHeldSlot: first)
            return ChannelFixture(source: .pts, encryption: .sampleAES(source), window: 60)
        }
        let feed = ChannelFeed(base: Epoch.time.ticks % ChannelFeed.modulus)
        let before = try fixture(heldFrom: 100)
        let input = before.channel.makeInput(.input(0), pace: .live)
        feed.open(input)
        feed.sendLive(0..<10_000, at: 0, to: input, of: before)
        let after = try fixture(heldFrom: 0)
        after.goOn(from: before, at: 10_000)
        after.wait(until: 19_000)
        #expect(after.window("video-180p").last == "3 gap")
        #expect(!Self.keys(before.text("index.m3u8")).isEmpty)
        #expect(Self.keys(after.text("index.m3u8")) == Self.keys(before.text("index.m3u8")))
    }

    @Test func aStoredFeedWaitsForItsKeys() async throws {
        let source = try HeldKeySource(slotsPerPeriod: 2, firstHeldSlot: MediaSequenceNumber(0))
        let fixture = ChannelFixture(source: .pts, isPaced: false, encryption: .sampleAES(source), isInline: false)
        let input = fixture.channel.makeInput(.input(0), pace: .stored)
        let (end, isSent) = AsyncStream<Void>.makeStream()
        Thread.detachNewThread { [feed] in
            feed.open(input)
            feed.send(0..<30_000, to: input)
            input.inputEnded()
            fixture.channel.finish()
            isSent.finish()
        }
        _ = try await eventually(within: 60, "a slot waits") { fixture.channel.engine.isWaitingForKeys ? true : nil }
        #expect(!fixture.channel.engine.isEnded)
        source.release()
        for await _ in end {}
        let window = fixture.presentation.snapshot().renditions.first?.segments ?? []
        #expect(window.count >= 7)
        #expect(window.allSatisfy { !$0.isGap })
    }
}
