extension MultivariantPlaylist {
    /// Text that is shown over the pictures: EXT-X-MEDIA with TYPE=SUBTITLES.
    package struct Subtitles: Hashable, Sendable {
        package var groupID: String
        /// The name that players show; unique in its group.
        package var name: String
        /// BCP 47.
        package var language: String?
        /// True if a player shows them unasked.
        var isDefault: Bool
        /// True if a player may choose them by the viewer's language; true if `isDefault` or `isForced` is.
        var isAutoselect: Bool
        /// True if viewers need them whatever language they understand.
        var isForced: Bool
        /// Uniform type identifiers separated by commas.
        var characteristics: String?
        /// The ID, which stays the same for the channel's life and at every origin.
        var stableID: String?
        package var uri: String

        package init(
            groupID: String,
            name: String,
            language: String? = nil,
            isDefault: Bool = false,
            isAutoselect: Bool = false,
            isForced: Bool = false,
            characteristics: String? = nil,
            stableID: String? = nil,
            uri: String
        ) {
            self.groupID = groupID
            self.name = name
            self.language = language
            self.isDefault = isDefault
            self.isAutoselect = isAutoselect
            self.isForced = isForced
            self.characteristics = characteristics
            self.stableID = stableID
            self.uri = uri
        }
    }
}
