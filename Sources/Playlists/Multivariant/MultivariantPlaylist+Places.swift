import MediaCore

/// A multivariant playlist outside of the channel's directory, to which its URIs are relative.
extension MultivariantPlaylist {
    /// Links to media playlists in a directory, for a playlist that stays in its place.
    package mutating func link(to directory: String) {
        func linked(_ uri: String) -> String { uri.isRelativeURI ? directory + uri : uri }
        changePlaylists(linked)
    }

    /// Links to keys and data in the channel's directory, for a playlist that has moved away from it together with the
    /// media playlists.
    ///
    /// - Parameter path: The relative path back.
    package mutating func moveDown(by path: String) {
        func back(_ uri: String) -> String { uri.isRelativeURI ? path + uri : uri }
        for index in sessionKeys.indices { sessionKeys[index].uri = back(sessionKeys[index].uri) }
        for index in sessionData.indices { sessionData[index].uri = sessionData[index].uri.map(back) }
    }

    private mutating func changePlaylists(_ change: (String) -> String) {
        for index in variants.indices { variants[index].uri = change(variants[index].uri) }
        for index in iFrameVariants.indices { iFrameVariants[index].uri = change(iFrameVariants[index].uri) }
        for index in renditions.indices { renditions[index].uri = renditions[index].uri.map(change) }
        for index in subtitles.indices { subtitles[index].uri = change(subtitles[index].uri) }
    }
}

extension String {
    /// True if the URI is relative to the playlist that names it.
    ///
    /// It has neither a scheme (RFC 3986 § 4.2), nor a slash at its beginning, nor a variable there, whose value only
    /// players know.
    package var isRelativeURI: Bool {
        if hasPrefix("/") || hasPrefix("{$") { return false }
        let first = utf8.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        return !first.contains(UInt8(ascii: ":"))
    }
}
