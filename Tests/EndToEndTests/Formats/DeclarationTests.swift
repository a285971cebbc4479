import Foundation
import TestSupport
import Testing

@testable import Playlists

/// The multivariant playlist says what is in the feed.
@Suite struct DeclarationTests {
    private let format = SegmentFormat(.fragmentedMP4, .none)
    static let formats = [SegmentFormat(.fragmentedMP4, .none), SegmentFormat(.transportStream, .none)]

    @Test(arguments: formats)
    func captionsAreDeclared(format: SegmentFormat) async throws {
        let published = try await PackagedFeed([.captions], as: format)
        #expect(published.multivariant.closedCaptions.map(\.instreamID) == ["CC1", "SERVICE1"])
        #expect(published.multivariant.variants.allSatisfy { $0.closedCaptionsGroup != nil })
        await published.packager.end()
    }

    @Test func thatThereAreNoCaptionsIsSaid() async throws {
        let published = try await PackagedFeed([.avc], as: format)
        #expect(try await published.packager.text("index.m3u8").contains("CLOSED-CAPTIONS=NONE"))
        await published.packager.end()
    }

    @Test(arguments: formats)
    func descriptiveAudioIsCharacterized(format: SegmentFormat) async throws {
        let published = try await PackagedFeed([.languages], as: format)
        let renditions = published.multivariant.renditions
        #expect(renditions.map(\.language) == ["en", "de", "en"])
        #expect(renditions.map(\.characteristics) == [nil, nil, "public.accessibility.describes-video"])
        #expect(renditions.map(\.isDefault) == [true, false, false])
        await published.packager.end()
    }

    @Test func aTransportStreamWithOneTrackOfAudioHasBoth() async throws {
        let published = try await PackagedFeed([.avc], as: SegmentFormat(.transportStream, .none))
        #expect(published.multivariant.renditions.isEmpty)
        let variant = try #require(published.multivariant.variants.first)
        #expect(variant.uri == "video-180p.m3u8" && variant.audioGroup == nil)
        #expect(variant.codecs.compactMap { CodecName($0)?.codec } == ["h264", "aac"])
        await published.packager.end()
    }

    @Test func audioBesideTransportStreamsIsPacked() async throws {
        let published = try await PackagedFeed([.languages], as: SegmentFormat(.transportStream, .none))
        #expect(published.videos.allSatisfy { $0.playlist.segments.allSatisfy { $0.uri.hasSuffix(".ts") } })
        #expect(published.audios.count == 3)
        #expect(published.audios.allSatisfy { $0.playlist.segments.allSatisfy { $0.uri.hasSuffix(".aac") } })
        await published.packager.end()
    }

    @Test func audioOfAnotherCodecIsAGroupOfItsOwn() async throws {
        let published = try await PackagedFeed([.ac3], as: format, transcoding: "automatic")
        let renditions = published.multivariant.renditions
        #expect(Set(renditions.compactMap(\.uri)) == ["audio-en.m3u8", "audio-en-ac3.m3u8"])
        #expect(Set(renditions.map(\.groupID)).count == 2)
        for variant in published.multivariant.variants {
            let group = renditions.first { $0.groupID == variant.audioGroup }
            let audio = variant.codecs.compactMap { CodecName($0)?.codec }.filter { $0 != "h264" }
            #expect(audio == [group?.uri == "audio-en.m3u8" ? "aac" : "ac3"])
        }
        await published.packager.end()
    }

    @Test(arguments: [(1, 180), (2, 270)])
    func programsAreChosen(program: Int, height: Int) async throws {
        let published = try await PackagedFeed([.programs], as: format, options: ["--program", "\(program)"])
        #expect(published.multivariant.variants.map(\.resolution?.height) == [height])
        await published.packager.end()
    }

    /// FFmpeg turns what a track header says, of the source as well; the resolution is that of what viewers see.
    @Test(arguments: FFmpegGeneration.allCases)
    func aPictureThatIsToBeTurnedIsTurned(generation: FFmpegGeneration) async throws {
        let published = try await PackagedFeed([.rotated], as: SegmentFormat(.fragmentedMP4, .none))
        #expect(published.multivariant.variants.map(\.resolution) == [Resolution(width: 180, height: 320)])
        let video = try #require(published.videos.first)
        let frames = try await published.decoded(video, by: generation)
        let source = try await FeedStore.shared.decoded(.rotated)
        #expect(frames.difference(from: source, tolerance: 2) == nil)
        await published.packager.end()
    }
}
