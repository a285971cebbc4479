import MediaCore
import Testing

@testable import Playlists

/// The multivariant playlists of one time after another, as one.
@Suite struct MultivariantMergingTests {
    private static func variant(
        _ bandwidth: Int,
        _ uri: String = "video.m3u8",
        average: Int? = nil,
        codecs: [String] = ["avc1.640028", "mp4a.40.2"],
        resolution: Resolution? = Resolution(width: 1280, height: 720),
        frameRate: Ratio? = Ratio(25, 1),
        audio: String? = "audio",
        subtitles: String? = nil,
        captions: String? = nil
    ) -> MultivariantPlaylist.Variant {
        .init(
            uri: uri,
            bandwidth: bandwidth,
            averageBandwidth: average,
            codecs: codecs,
            resolution: resolution,
            frameRate: frameRate,
            audioGroup: audio,
            subtitlesGroup: subtitles,
            closedCaptionsGroup: captions
        )
    }

    private static func merged(_ playlists: [MultivariantPlaylist]) throws -> MultivariantPlaylist {
        try #require(try MultivariantPlaylist(merging: playlists.map { $0.render() }))
    }

    @Test func aVariantDeclaresTheGreatestOfItsTime() throws {
        let large = Resolution(width: 1920, height: 1080)
        let first = Self.variant(190_000, average: 90_000)
        let second = Self.variant(
            1_990_000,
            average: 80_000,
            codecs: ["avc1.64002a", "mp4a.40.2", "mp4a.40.5"],
            resolution: large,
            frameRate: Ratio(30_000, 1001)
        )
        let pictures = [20_000, 70_000, 30_000].map { bandwidth in
            Self.variant(bandwidth, "video-iframes.m3u8", frameRate: nil, audio: nil)
        }
        let playlist = try Self.merged([
            MultivariantPlaylist(variants: [first], iFrameVariants: [pictures[0]]),
            MultivariantPlaylist(variants: [second], iFrameVariants: [pictures[1]]),
            MultivariantPlaylist(variants: [first], iFrameVariants: [pictures[2]]),
        ])
        let variant = try #require(playlist.variants.first)
        #expect(playlist.variants.count == 1 && variant.bandwidth == 1_990_000 && variant.averageBandwidth == 90_000)
        #expect(variant.codecs == ["avc1.640028", "mp4a.40.2", "avc1.64002a", "mp4a.40.5"])
        #expect(variant.resolution == large && variant.frameRate == Ratio(29_970, 1000))
        #expect(playlist.iFrameVariants.map(\.bandwidth) == [70_000])
    }

    @Test func whatIsMergedOnlyGrows() throws {
        var playlist = MultivariantPlaylist(variants: [Self.variant(500_000, average: 400_000)])
        let before = playlist
        playlist.add(
            MultivariantPlaylist(
                variants: [Self.variant(100_000, resolution: Resolution(width: 320, height: 180), frameRate: nil)]
            )
        )
        #expect(playlist == before)
    }

    @Test func renditionsThatCameAndWentStay() throws {
        let english = MultivariantPlaylist.Rendition(groupID: "audio", name: "A", isDefault: true, uri: "en.m3u8")
        let german = MultivariantPlaylist.Rendition(groupID: "audio", name: "A", isDefault: true, uri: "de.m3u8")
        let plain = MultivariantPlaylist(variants: [Self.variant(1)], renditions: [english])
        let both = MultivariantPlaylist(variants: [Self.variant(1)], renditions: [english, german])
        let playlist = try Self.merged([plain, both, plain])
        #expect(playlist.renditions.map(\.uri) == ["en.m3u8", "de.m3u8"])
        #expect(playlist.renditions.map(\.name) == ["A", "A 2"])
        #expect(playlist.renditions.map(\.isDefault) == [true, false])
    }

    @Test func subtitlesAndCaptionsThatComeLaterCanBeChosen() throws {
        let text = MultivariantPlaylist.Subtitles(groupID: "text", name: "English", uri: "text.m3u8")
        let ttml = MultivariantPlaylist.Subtitles(groupID: "ttml", name: "English", uri: "ttml.m3u8")
        let captions = MultivariantPlaylist.ClosedCaptions(groupID: "cc", name: "English", instreamID: "CC1")
        let plain = MultivariantPlaylist(variants: [Self.variant(1), Self.variant(1, "radio.m3u8")])
        let rich = MultivariantPlaylist(
            variants: [
                Self.variant(2, subtitles: "text", captions: "cc"), Self.variant(3, subtitles: "ttml", captions: "cc"),
            ],
            subtitles: [text, ttml],
            closedCaptions: [captions]
        )
        let playlist = try Self.merged([plain, rich, plain])
        #expect(playlist.variants.map(\.uri) == ["video.m3u8", "radio.m3u8", "video.m3u8"])
        #expect(playlist.variants.map(\.subtitlesGroup) == ["text", nil, "ttml"])
        #expect(playlist.variants.map(\.bandwidth) == [2, 1, 3])
        #expect(playlist.variants.allSatisfy { $0.closedCaptionsGroup == "cc" })
    }

    @Test func keysAreThoseOfTheBeginning() throws {
        var playlist = MultivariantPlaylist(variants: [Self.variant(1)])
        let texts = (0..<3).map { period in
            playlist.sessionKeys = [EncryptionKey(method: .sampleAES, uri: "keys/\(period)")]
            return playlist.render()
        }
        #expect(try MultivariantPlaylist(merging: texts)?.sessionKeys.map(\.uri) == ["keys/0"])
        #expect(try MultivariantPlaylist(merging: []) == nil)
        #expect(throws: PlaylistParsingError.self) { try MultivariantPlaylist(merging: texts + ["#EXTM3U\n"]) }
    }
}
