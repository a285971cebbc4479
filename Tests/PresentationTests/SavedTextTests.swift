import Foundation
import MediaCore
import Playlists
import Testing

@testable import Presentation

@Suite struct SavedTextTests {
    @Test func aRenditionOfTextIsReadAsItWasWritten() throws {
        var text = RenditionDescription(
            id: RenditionID("text-en"),
            kind: .text(.imsc1),
            codecs: ["stpp.ttml.im1t"],
            language: "en",
            name: "English"
        )
        text.subtitlesGroup = "subtitles"
        text.isForced = true
        let read = try JSONDecoder().decode(RenditionDescription.self, from: try JSONEncoder().encode(text))
        #expect(read == text)
    }
}
