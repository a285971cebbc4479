/// Subtitles that an operator declares: a source beside the feeds, or attributes of some inside them.
package struct SubtitleAttributes: Hashable, Sendable {
    /// The language tag (BCP 47), which is also the name.
    package var language: String
    /// The name that viewers read in a menu; nil for the language.
    package var name: String?
    /// The uniform type identifiers of their purposes.
    package var characteristics: [String]
    /// True if a player shows them unasked.
    package var isDefault: Bool
    /// True if a player may choose them by the viewer's language.
    package var isAutoselect: Bool
    /// True if viewers need them whatever language they understand.
    package var isForced: Bool
    /// The service inside the feeds; nil if they come beside them.
    package var service: TextService?

    package init(
        language: String,
        name: String? = nil,
        characteristics: [String] = [],
        isDefault: Bool = false,
        isAutoselect: Bool = true,
        isForced: Bool = false
    ) {
        self.language = language
        self.name = name
        self.characteristics = characteristics
        self.isDefault = isDefault
        self.isAutoselect = isAutoselect
        self.isForced = isForced
    }
}
