/// An operator's attributes of an audio track, over those of its container.
package struct AudioAttributes: Hashable, Sendable {
    /// BCP 47; nil for the container's.
    package var language: String?
    /// The name that viewers read in a menu.
    package var name: String?
    /// The uniform type identifiers of its purpose; nil for those of the container.
    package var characteristics: [String]?
    /// True for the default track; nil for the first track only.
    package var isDefault: Bool?
    /// True if a player may choose it by the viewer's language.
    package var isAutoselect: Bool

    package init(
        language: String? = nil,
        name: String? = nil,
        characteristics: [String]? = nil,
        isDefault: Bool? = nil,
        isAutoselect: Bool = true
    ) {
        self.language = language
        self.name = name
        self.characteristics = characteristics
        self.isDefault = isDefault
        self.isAutoselect = isAutoselect
    }
}
