extension MultivariantPlaylist {
    /// One audio track among alternatives: EXT-X-MEDIA with TYPE=AUDIO.
    package struct Rendition: Hashable, Sendable {
        package var groupID: String
        /// The name that players show; unique in its group.
        package var name: String
        /// BCP 47.
        var language: String?
        package var isDefault: Bool
        /// True if a player may choose it by the viewer's language; true if `isDefault` is.
        var isAutoselect: Bool
        /// The channel count, and what else CHANNELS may say.
        var channels: String?
        /// Uniform type identifiers separated by commas.
        var characteristics: String?
        /// The ID, which stays the same for the channel's life and at every origin.
        var stableID: String?
        /// URI of its playlist; nil if the variants carry it in their own segments.
        package var uri: String?

        package init(
            groupID: String,
            name: String,
            language: String? = nil,
            isDefault: Bool = false,
            isAutoselect: Bool = false,
            channels: String? = nil,
            characteristics: String? = nil,
            stableID: String? = nil,
            uri: String?
        ) {
            self.groupID = groupID
            self.name = name
            self.language = language
            self.isDefault = isDefault
            self.isAutoselect = isAutoselect
            self.channels = channels
            self.characteristics = characteristics
            self.stableID = stableID
            self.uri = uri
        }
    }
}
