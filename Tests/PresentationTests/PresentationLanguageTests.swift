import MediaCore
import Playlists
import Presentation
import Testing

/// Languages in multivariant playlists.
@Suite struct PresentationLanguageTests {
    /// Each rendition has a language, if only `und` (Apple's authoring specification § 8.10).
    @Test func whatHasNoLanguageIsUndetermined() throws {
        var (captioned, audio) = (RenditionDescription.video, RenditionDescription.audio)
        captioned.captions = [.init(groupID: "captions", name: "Captions 1", instreamID: "CC1")]
        (audio.language, audio.name) = (nil, "Audio")
        var text = RenditionDescription(id: "text", kind: .text(.webVTT), format: .webVTT, codecs: [])
        (text.subtitlesGroup, text.name) = ("subtitles", "Subtitles")
        var channel = Channel(renditions: [captioned, audio, text])
        try channel.publish([Channel.video, Channel.audio, "text"])
        let media = channel.text("index.m3u8").split(separator: "\n").filter { $0.hasPrefix("#EXT-X-MEDIA:") }
        #expect(media.count == 3 && media.allSatisfy { $0.contains(#",LANGUAGE="und","#) }, "\(media)")
        let playlist = try channel.multivariant()
        #expect(playlist.subtitles.map(\.language) == ["und"] && playlist.closedCaptions.map(\.language) == ["und"])
    }
}
