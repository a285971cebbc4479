import MediaCore
import Testing

@Suite struct MediaKindTests {
    @Test(arguments: [
        (MediaKind.video, "video"), (.audio, "audio"), (.text(.webVTT), "webvtt"), (.text(.imsc1), "imsc1"),
        (.metadata, "metadata"),
    ])
    func journalsNameIt(kind: MediaKind, name: String) {
        #expect(kind.rawValue == name && MediaKind(rawValue: name) == kind)
    }

    @Test func whatIsNotNamedIsNone() {
        #expect(MediaKind(rawValue: "text") == nil && MediaKind(rawValue: "") == nil)
    }
}
