/// What an operator says of an audio track, over what its container says.
package struct AudioAttributes: Hashable, Sendable {
    /// BCP 47; nil for the container's.
    package var language: String?
    /// What viewers read in a menu.
    package var name: String?
    /// Uniform type identifiers of what it is for; nil for what the container says.
    package var characteristics: [String]?
    /// Whether it is what a player gets that does not ask; nil for the first track only.
    package var isDefault: Bool?
    /// Whether a player may choose it by the viewer's language.
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
