extension MultivariantPlaylist {
    /// Captions inside the video: EXT-X-MEDIA with TYPE=CLOSED-CAPTIONS.
    package struct ClosedCaptions: Hashable, Sendable {
        package var groupID: String
        /// The name that players show; unique in its group.
        package var name: String
        /// BCP 47.
        package var language: String?
        /// `CC1` to `CC4` of CEA-608, `SERVICE1` to `SERVICE63` of CEA-708.
        package var instreamID: String
        package var isDefault: Bool
        /// True if a player may choose it by the viewer's language; true if `isDefault` is.
        package var isAutoselect: Bool

        package init(
            groupID: String,
            name: String,
            language: String? = nil,
            instreamID: String,
            isDefault: Bool = false,
            isAutoselect: Bool = true
        ) {
            self.groupID = groupID
            self.name = name
            self.language = language
            self.instreamID = instreamID
            self.isDefault = isDefault
            self.isAutoselect = isAutoselect
        }
    }
}
