package import MediaCore
package import TimedText

/// Subtitles beside the feeds, as an operator declares them.
package struct SubtitleDescription: Hashable, Sendable {
    /// The attributes that viewers see.
    package var attributes = SubtitleAttributes(language: "")
    /// A path or a URL; nil for posted cues.
    package var source: String?
    /// The origin of the source's times.
    package var origin = TimedTextOrigin.midnight
    /// The servers that the source may redirect to; nil for any, if the configuration file itself names the source.
    package var redirects: AllowedServers?

    /// Reads `en=captions.vtt`.
    static func layer(_ written: WrittenValue) -> SettingLayer {
        let parts = written.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var layer = SettingLayer(origin: written.origin)
        layer.values["language"] = [WrittenValue(text: parts[0], origin: written.origin)]
        if parts.count == 2 { layer.values["source"] = [WrittenValue(text: parts[1], origin: written.origin)] }
        return layer
    }
}
