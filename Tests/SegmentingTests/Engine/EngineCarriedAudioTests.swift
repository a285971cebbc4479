import MediaCore
import Playlists
import Testing

@testable import Segmenting

/// Audio in the segments of a video, on a channel whose tracks change.
@Suite struct EngineCarriedAudioTests {
    private static func channel() -> EncodedChannel {
        let encoder = EngineEncoder(.input(0), latency: MediaTime(milliseconds: 200), from: EngineRun.start)
        return EncodedChannel([encoder], format: .ts)
    }

    /// The audio renditions that viewers may choose now, and true for the default.
    private static func choice(_ channel: EncodedChannel) -> [RenditionID: Bool] {
        let audio = channel.declared.filter { $0.kind == .audio }
        return Dictionary(audio.map { ($0.id, $0.isDefault) }) { first, _ in first }
    }

    private static func hasOwn(_ slot: ChannelEngine.SlotDecision) -> Bool {
        slot.segments.contains { $0.form.kind == .audio && !$0.contents.isGap }
    }

    private static func carries(_ slot: ChannelEngine.SlotDecision) -> Bool {
        slot.segments.contains { !$0.contents.isGap && $0.contents.audio != nil }
    }

    @Test func videoOfAnotherCodecIsNotWithoutSound() throws {
        var channel = Self.channel()
        channel.go(on: 60)
        #expect(Self.choice(channel).isEmpty && channel.slots.allSatisfy(Self.carries))
        channel.change(0) { $0.isHEVC = true }
        channel.go(on: 60)
        let newest = try #require(channel.slots.last)
        let video = try #require(newest.segments.first { $0.id == "video-360p-hevc" })
        #expect(!video.contents.isGap && Self.hasOwn(newest))
        #expect(Self.choice(channel) == ["audio": true])
        #expect(channel.slots.allSatisfy { Self.hasOwn($0) || Self.carries($0) }, "each slot has sound")
    }

    @Test func aLadderThatGrowsIsNotWithoutSound() throws {
        var channel = Self.channel()
        channel.go(on: 60)
        channel.change(0) { $0.rungs = [PictureFormat(width: 320, height: 180)] }
        channel.go(on: 60)
        let newest = try #require(channel.slots.last)
        #expect(newest.segments.count == 3 && Self.hasOwn(newest))
        #expect(channel.slots.allSatisfy(Self.carries), "playlists that players have keep their sound")
    }

    @Test func aSecondLanguageDoesNotReplaceTheFirst() throws {
        var channel = Self.channel()
        channel.go(on: 60)
        channel.change(0) { $0.hasGerman = true }
        channel.go(on: 60)
        #expect(Self.choice(channel) == ["audio": true, "audio-de": false])
        #expect(channel.slots.allSatisfy(Self.carries), "playlists that players have keep their sound")
        #expect(channel.slots.dropFirst().allSatisfy { !$0.startsDiscontinuity })
        let video = try #require(channel.declared.first { $0.kind == .video })
        #expect(video.codecs == ["avc1.64001e", "mp4a.40.2"])

        let window = try #require(channel.newest)
        var after = EncodedChannel(channel.encoders, after: .resumed(window), at: channel.now, format: .ts)
        after.go(on: 60)
        #expect(Self.choice(after) == ["audio": true, "audio-de": false])
        #expect(!after.slots.isEmpty && after.slots.suffix(4).allSatisfy(Self.carries))
    }

    /// Playlists that players have get their sound back, although the process has not had any.
    @Test func audioThatIsAwayDuringAnUpgradeIsCarriedAgain() throws {
        var channel = Self.channel()
        channel.go(on: 60)
        channel.change(0) { $0.hasAudio = false }
        channel.go(on: 30)
        channel.upgrade()
        channel.go(on: 30)
        #expect(channel.slots.last.map(Self.carries) == false)
        channel.change(0) { $0.hasAudio = true }
        channel.go(on: 60)
        #expect(channel.slots.suffix(4).allSatisfy(Self.carries))
        let video = try #require(channel.declared.first { $0.kind == .video })
        #expect(video.codecs == ["avc1.64001e", "mp4a.40.2"])
    }

    /// Its input has lost its pictures, and the audio goes on.
    @Test func audioOfAVideoThatIsWithdrawnGoesOn() throws {
        var channel = Self.channel()
        channel.go(on: 60)
        channel.change(0) { $0.hasVideo = false }
        channel.go(on: 60)
        #expect(Self.choice(channel) == ["audio": true])
        #expect(channel.slots.suffix(4).allSatisfy(Self.hasOwn))
    }
}
