import Foundation
import MediaCore
import Operations
import Playlists
import Testing

@testable import Assets
@testable import Presentation

@Suite struct AssetPlaylistsTests {
    private func files(
        _ recording: MadeRecording,
        _ range: Range<Double>,
        cuts: [Range<Double>] = [],
        openRanges: [DateRange] = [],
        hasMedia: Bool = false,
        keyAddresses: KeyAddresses = KeyAddresses(),
        chapters: [AssetChapter] = []
    ) throws -> (files: [String: String], paths: [String]) {
        let times = { (range: Range<Double>) in MadeMedia.time(range.lowerBound)..<MadeMedia.time(range.upperBound) }
        let terms = AssetTerms(
            range: times(range),
            cuts: cuts.map(times),
            hasMedia: hasMedia,
            keyAddresses: keyAddresses
        )
        let first = try #require(recording.slots.first).number
        let multivariants = try recording.multivariants(at: first).mapValues {
            try MultivariantPlaylist(parsing: $0)
        }
        var playlists = AssetPlaylists(multivariants, openRanges: openRanges, terms: terms)
        let paths = recording.slots.flatMap { playlists.append($0) }
        return (playlists.files(chapters: chapters), paths)
    }

    private func playlist(_ name: String, _ files: [String: String]) throws -> MediaPlaylist {
        try MediaPlaylist(parsing: try #require(files[name]))
    }

    @Test func anAssetIsFinished() throws {
        let (files, _) = try files(MadeRecording(try MadeMedia(0..<10), Array(0..<10)), 4..<10)
        #expect(Set(files.keys) == ["index.m3u8", "video.m3u8", "video-iframes.m3u8", "audio.m3u8"])
        for name in ["video.m3u8", "audio.m3u8", "video-iframes.m3u8"] {
            let text = try #require(files[name])
            #expect(text.hasSuffix("#EXT-X-ENDLIST\n") && text.contains("#EXT-X-PLAYLIST-TYPE:VOD\n"), "\(text)")
            let playlist = try playlist(name, files)
            #expect(playlist.isEnded && playlist.targetDuration == 2)
            #expect(playlist.mediaSequence.value == MadeRecording.first + 2)
            #expect(playlist.segments.count == 3 && !playlist.segments.contains { $0.startsDiscontinuity })
        }
        #expect(try playlist("video-iframes.m3u8", files).segments.map(\.byteRange) == [0..<100, 0..<100, 0..<100])
    }

    @Test func segmentsAreThoseOfTheChannel() throws {
        let recording = MadeRecording(try MadeMedia(0..<4), Array(0..<4))
        let (listed, paths) = try files(recording, 0..<8)
        let video = try playlist("video.m3u8", listed)
        #expect(video.segments.map(\.uri) == (0..<4).map { "../../video/\($0).m4s" })
        #expect(video.segments.first?.map?.uri == "../../video/init.mp4")
        #expect(Set(paths).isSuperset(of: ["video/0.m4s", "audio/3.m4s", "video/init.mp4", "audio/init.mp4"]))
        let (copied, _) = try files(recording, 0..<8, hasMedia: true)
        #expect(try playlist("video.m3u8", copied).segments.map(\.uri) == (0..<4).map { "video/\($0).m4s" })
        #expect(try playlist("video.m3u8", copied).segments.first?.map?.uri == "video/init.mp4")
    }

    @Test(arguments: [false, true]) func keysStayWhereTheChannelGivesThemOut(hasMedia: Bool) throws {
        let recording = MadeRecording(try MadeMedia(0..<4, protection: .cbcs), Array(0..<4))
        let plain = try playlist("video.m3u8", try files(recording, 0..<8, hasMedia: hasMedia).files)
        #expect(plain.segments.allSatisfy { $0.keys.first?.uri.hasPrefix("../../keys/") == true })
        let elsewhere = KeyAddresses(base: "https://keys.example.com/live")
        let other = try files(recording, 0..<8, hasMedia: hasMedia, keyAddresses: elsewhere).files
        #expect(
            try playlist("video.m3u8", other).segments
                .allSatisfy { $0.keys.first?.uri.hasPrefix("https://keys.example.com/live/keys/") == true }
        )
    }

    @Test func partsOfSegmentsAreSkippedByAPreciseStart() throws {
        let recording = MadeRecording(try MadeMedia(0..<6), Array(0..<6))
        let (files, _) = try files(recording, 3..<9.5)
        #expect(try playlist("video.m3u8", files).segments.count == 4)
        #expect(files["index.m3u8"]?.contains("#EXT-X-START:TIME-OFFSET=1.000,PRECISE=YES\n") == true)
    }

    @Test func breaksAreCutOutWithTheirTags() throws {
        let recording = MadeRecording(try MadeMedia(0..<10), Array(0..<10)) { slot in
            let ad = MadeRecording.adBreak("ad", from: 6, to: 12)
            if slot.number.value == MadeRecording.first + 3 {
                slot.dateRanges = DateRangeLines(above: [ad])
                slot.dateRanges.cue = BreakCue(out: .init())
            }
            if slot.number.value == MadeRecording.first + 7 {
                slot.dateRanges = DateRangeLines(above: [DateRange(id: "news", start: MadeMedia.time(14))])
            }
        }
        let (kept, _) = try files(recording, 0..<20)
        #expect(kept["video.m3u8"]?.contains("ID=\"ad\"") == true && kept["video.m3u8"]?.contains("CUE-OUT") == true)
        let (cut, paths) = try files(recording, 0..<20, cuts: [6..<12])
        let text = try #require(cut["video.m3u8"])
        #expect(!text.contains("ID=\"ad\"") && !text.contains("CUE-OUT") && text.contains("ID=\"news\""), "\(text)")
        let playlist = try playlist("video.m3u8", cut)
        #expect(playlist.segments.map(\.uri) == [0, 1, 2, 6, 7, 8, 9].map { "../../video/\($0).m4s" })
        #expect(playlist.segments.map(\.startsDiscontinuity) == [false, false, false, true, false, false, false])
        #expect(!paths.contains("video/4.m4s"))
    }

    /// The packager serves its own list of a break only while playlists of the channel name it.
    @Test(arguments: [false, true]) func listsThatTheChannelServesAreLeftOut(hasMedia: Bool) throws {
        func tags(_ id: String, _ uri: String) -> [DateRange] {
            var interstitial = DateRange(id: "\(id)-ad", start: MadeMedia.time(6))
            interstitial.className = DateRange.interstitialClass
            interstitial.custom = [.init(name: "X-ASSET-LIST", value: .string(uri))]
            var preload = DateRange(id: "\(id)-ad-preload", start: MadeMedia.time(2), duration: MediaTime(seconds: 4))
            preload.className = DateRange.preloadClass
            preload.custom = [.init(name: "X-URI", value: .string(uri))]
            return [MadeRecording.adBreak(id, from: 6, to: 12), preload, interstitial]
        }
        func end(_ id: String) -> DateRange {
            var tag = DateRange(id: "\(id)-ad", start: MadeMedia.time(6), duration: MediaTime(seconds: 6))
            tag.className = DateRange.interstitialClass
            return tag
        }
        let recording = MadeRecording(try MadeMedia(0..<10), Array(0..<10)) { slot in
            switch slot.number.value - MadeRecording.first {
            case 2: slot.dateRanges.below = tags("own", "ads/own-ad.json") + tags("other", "https://a/other.json")
            case 6: slot.dateRanges.above = [end("own"), end("other"), end("open")]
            default: break
            }
        }
        let open = tags("open", "ads/open-ad.json")
        let (files, _) = try files(recording, 0..<20, openRanges: open, hasMedia: hasMedia)
        for name in ["video.m3u8", "audio.m3u8", "video-iframes.m3u8"] {
            let ids = try #require(files[name]).matches(of: /DATERANGE:ID="([^"]+)"/).map { String($0.output.1) }
            #expect(ids == ["open", "own", "other", "other-ad-preload", "other-ad", "other-ad"], "\(name)")
        }
    }

    @Test func vectorsThatFollowFromNumbersAreSaidBehindACut() throws {
        let recording = MadeRecording(try MadeMedia(0..<6, protection: .aes128), Array(0..<6))
        let video = try playlist("video.m3u8", try files(recording, 0..<12, cuts: [4..<8]).files)
        let vectors = video.segments.map { $0.keys.first?.initializationVector }
        #expect(vectors[0] == nil && vectors[1] == nil)
        #expect(vectors[2] == Bytes16(high: 0, low: UInt64(MadeRecording.first + 4)))
        #expect(vectors[3] == Bytes16(high: 0, low: UInt64(MadeRecording.first + 5)))
    }

    @Test func aSlotThatNobodyHasIsLeftOutAndOneThatSomeHaveIsAGap() throws {
        let recording = MadeRecording(try MadeMedia(0..<8, videoGaps: [5]), [0, 1, 2, 4, 5, 6, 7])
        let (files, _) = try files(recording, 0..<16)
        let (video, audio) = (try playlist("video.m3u8", files), try playlist("audio.m3u8", files))
        #expect(video.segments.map(\.isGap) == [false, false, false, false, true, false, false])
        #expect(video.segments[3].startsDiscontinuity && audio.segments[3].startsDiscontinuity)
        #expect(audio.segments.count == 7 && !audio.segments.contains(where: \.isGap))
        #expect(try playlist("video-iframes.m3u8", files).segments[4].isGap)
    }

    @Test func aRenditionWithoutMediaIsNotOffered() throws {
        let recording = MadeRecording(try MadeMedia(0..<4), Array(0..<4)) { $0.segments["audio"] = nil }
        let (files, _) = try files(recording, 0..<8)
        #expect(Set(files.keys) == ["index.m3u8", "video.m3u8", "video-iframes.m3u8"])
        let index = try MultivariantPlaylist(parsing: try #require(files["index.m3u8"]))
        #expect(index.uris == ["video.m3u8", "video-iframes.m3u8"] && index.variants[0].audioGroup == nil)
    }

    @Test func anAssetHasNoPathways() throws {
        let recording = MadeRecording(try MadeMedia(0..<4), Array(0..<4))
        let text = try #require(recording.multivariants(at: recording.slots[0].number)[.everyPlayer])
        var live = try MultivariantPlaylist(parsing: text)
        live.steer(by: MultivariantPlaylist.Steering(serverURI: "steering.json", pathwayID: "."))
        let terms = AssetTerms(range: MadeMedia.time(0)..<MadeMedia.time(8))
        var playlists = AssetPlaylists([.everyPlayer: live], openRanges: [], terms: terms)
        for slot in recording.slots { _ = playlists.append(slot) }
        let index = try #require(playlists.files(chapters: [])["index.m3u8"])
        #expect(index.contains("#EXT-X-STREAM-INF:"), "\(index)")
        #expect(!index.contains("STEERING") && !index.contains("PATHWAY"), "\(index)")
    }

    @Test func anAssetWithoutVariantsIsNone() throws {
        let recording = MadeRecording(try MadeMedia(0..<4, videoGaps: [0, 1, 2, 3]), Array(0..<4))
        #expect(try files(recording, 0..<8).files.isEmpty)
    }

    @Test func chaptersAreSessionDataOnTheAssetsOwnClock() throws {
        let recording = MadeRecording(try MadeMedia(0..<10), Array(0..<10))
        let chapters = [
            AssetChapter(start: MadeMedia.time(2), title: "One", language: "en"),
            AssetChapter(start: MadeMedia.time(7)),
            AssetChapter(start: MadeMedia.time(14), title: "Three"),
        ]
        let (files, _) = try files(recording, 2..<18, cuts: [6..<12], chapters: chapters)
        #expect(
            files["index.m3u8"]?.contains(
                "#EXT-X-SESSION-DATA:DATA-ID=\"com.apple.hls.chapters\",URI=\"chapters.json\"\n"
            ) == true
        )
        let json = try #require(files["chapters.json"])
        let list = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [[String: Any]])
        // The second lies in the break: it begins where the programme goes on.
        #expect(list.map { $0["start-time"] as? Double } == [0, 4, 6])
        #expect(list.map { $0["duration"] as? Double } == [4, 2, 4])
        #expect(list.map { ($0["titles"] as? [[String: String]])?.first?["title"] } == ["One", "2", "Three"])
        #expect(list.map { ($0["titles"] as? [[String: String]])?.first?["language"] } == ["en", "und", "und"])
    }
}
