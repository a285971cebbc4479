package import MediaCore
package import TimedText

/// Subtitles beside the feeds, as an operator declares them.
package struct SubtitleDescription: Hashable, Sendable {
    /// What viewers see of them.
    package var attributes = SubtitleAttributes(language: "")
    /// A path or a URL; nil for what is only posted.
    package var source: String?
    /// What the times of the source count from.
    package var origin = TimedTextOrigin.midnight

    /// What `en=captions.vtt` says.
    static func layer(_ written: WrittenValue) -> SettingLayer {
        let parts = written.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        var layer = SettingLayer(origin: written.origin)
        layer.values["language"] = [WrittenValue(text: parts[0], origin: written.origin)]
        if parts.count == 2 { layer.values["source"] = [WrittenValue(text: parts[1], origin: written.origin)] }
        return layer
    }
}
