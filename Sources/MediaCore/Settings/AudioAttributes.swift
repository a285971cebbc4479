/// An operator's attributes of an audio track, over those of its container.
package struct AudioAttributes: Hashable, Sendable {
    /// BCP 47; nil for the container's.
    package var language: String?
    /// The name that viewers read in a menu.
    package var name: String?
    /// Uniform type identifiers of what it is for; nil for what the container says.
    package var characteristics: [String]?
    /// True if a player gets it that does not ask; nil for the first track only.
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
