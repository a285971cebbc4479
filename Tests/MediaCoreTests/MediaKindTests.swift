import MediaCore
import Testing

@Suite struct MediaKindTests {
    @Test(arguments: [
        (MediaKind.video, "video"), (.audio, "audio"), (.text(.webVTT), "webvtt"), (.text(.imsc1), "imsc1"),
    ])
    func journalsNameIt(kind: MediaKind, name: String) {
        #expect(kind.rawValue == name && MediaKind(rawValue: name) == kind)
    }

    @Test(arguments: ["text", "metadata", ""]) func whatIsNotNamedIsNone(name: String) {
        #expect(MediaKind(rawValue: name) == nil)
    }
}
