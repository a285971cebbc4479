/// The form of the addresses of the packager's own keys in playlists.
///
/// A playlist is the same for all viewers, so that caches can keep it. Differences are in variables, which players that
/// know EXT-X-DEFINE fill in.
package struct KeyAddresses: Hashable, Sendable {
    /// The base URL of keys, without a slash at its end; nil if playlists name them relative to themselves.
    var base: String?
    /// True if playlists define variables.
    var usesVariables: Bool
    /// The query parameter with a viewer's token, of requests for the multivariant playlist and for keys.
    ///
    /// It takes variables to pass it on.
    var tokenParameter: String?

    /// The variable that stands for the base.
    static let baseVariable = "key-url"

    package init(base: String? = nil, usesVariables: Bool = false, tokenParameter: String? = nil) {
        self.base = base
        self.usesVariables = usesVariables
        self.tokenParameter = usesVariables ? tokenParameter : nil
    }

    /// True if keys have their default addresses.
    package var isPlain: Bool { base == nil && tokenParameter == nil }

    /// Returns the address of a key at this path, for readers without EXT-X-DEFINE: they put the token where its
    /// variable is.
    package func uri(_ path: String) -> String { prefix(base) + path + query }

    /// The key in the form of a playlist with ``variables(in:)``; keys of other systems are left as they are.
    package func playlistKey(_ key: EncryptionKey) -> EncryptionKey {
        guard !isPlain, key.effectiveKeyFormat == "identity" else { return key }
        var key = key
        key.uri = prefix(baseVariable?.reference ?? base) + key.uri + query
        return key
    }

    package enum PlaylistKind: Sendable { case multivariant, media }

    /// Returns the variables that a playlist must define.
    package func variables(in kind: PlaylistKind) -> [PlaylistVariable] {
        let token = tokenParameter.map {
            // Only requests for the multivariant playlist have a token: the URIs in it are the same for everybody.
            PlaylistVariable($0, kind == .multivariant ? .query : .multivariantPlaylist)
        }
        return [baseVariable, token].compactMap(\.self)
    }

    private var baseVariable: PlaylistVariable? {
        usesVariables ? base.map { PlaylistVariable(Self.baseVariable, .value($0)) } : nil
    }

    private var query: String {
        tokenParameter.map { "?\($0)=\(PlaylistVariable($0, .query).reference)" } ?? ""
    }

    private func prefix(_ base: String?) -> String { base.map { "\($0)/" } ?? "" }
}

extension MediaPlaylist.Segment {
    /// The segment with its keys in the form of a playlist.
    package func naming(keys addresses: KeyAddresses) -> Self {
        guard !addresses.isPlain else { return self }
        var segment = self
        segment.keys = keys.map(addresses.playlistKey)
        segment.map?.keys = (map?.keys ?? []).map(addresses.playlistKey)
        return segment
    }
}
