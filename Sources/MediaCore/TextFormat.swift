/// The coding of text.
package enum TextFormat: String, Hashable, Sendable, CaseIterable {
    case webVTT = "webvtt"
    /// Text profile of TTML Profiles for Internet Media Subtitles and Captions 1.
    case imsc1
}
