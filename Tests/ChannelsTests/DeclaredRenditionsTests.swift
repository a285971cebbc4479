import MediaCore
import Playlists
import Testing

@testable import Channels

@Suite struct DeclaredRenditionsTests {
    private static let video = RenditionDescription(id: RenditionID("video"), kind: .video, codecs: ["avc1.640028"])
    private static let audio = RenditionDescription(id: RenditionID("audio"), kind: .audio, codecs: ["mp4a.40.2"])

    private static func both() -> DeclaredRenditions {
        var renditions = DeclaredRenditions()
        renditions.declare([video, audio])
        return renditions
    }

    @Test func allThatAreWantedAreListedInTheirOrder() {
        var renditions = Self.both()
        #expect(renditions.listed == [Self.video, Self.audio])
        renditions.declare([Self.audio, Self.video])
        #expect(renditions.listed == [Self.audio, Self.video])
        #expect(renditions.leftOut.isEmpty)
    }

    @Test func oneThatCannotBeWrittenIsListedOnceItIs() {
        var renditions = Self.both()
        let isNews = renditions.cannotWrite(Self.audio.id)
        #expect(isNews)
        let isNewsAgain = renditions.cannotWrite(Self.audio.id)
        #expect(!isNewsAgain)
        #expect(renditions.listed == [Self.video])
        #expect(renditions.leftOut == [Self.audio.id])
        #expect(renditions.description(of: Self.audio.id) == Self.audio, "it is wanted still")
        renditions.written(Self.audio.id)
        #expect(renditions.listed == [Self.video, Self.audio])
        let isNewsOnceMore = renditions.cannotWrite(Self.audio.id)
        #expect(isNewsOnceMore)
    }

    @Test func whatIsNoLongerWantedIsForgotten() {
        var renditions = Self.both()
        let isOther = renditions.cannotWrite(Self.video.id)
        #expect(isOther)
        renditions.declare([])
        #expect(renditions.leftOut.isEmpty)
        #expect(!renditions.contains(Self.video.id))
        renditions.declare([Self.video, Self.audio])
        #expect(renditions.listed == [Self.video, Self.audio])
    }
}
