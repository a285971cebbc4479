/// The form in which playlists write the addresses of keys that the packager itself gives out.
///
/// A playlist is the same for all viewers, so that caches can have it; what differs is in variables, which players that
/// know EXT-X-DEFINE fill in.
package struct KeyAddresses: Hashable, Sendable {
    /// The URL that keys are below, without a slash at its end; nil if playlists name them relative to themselves.
    var base: String?
    /// True if playlists define variables.
    var usesVariables: Bool
    /// The query parameter that brings a viewer's token to the multivariant playlist, and that keys are asked for with; it
    /// takes variables to pass it on.
    var tokenParameter: String?

    /// The variable that stands for the base.
    static let baseVariable = "key-url"

    package init(base: String? = nil, usesVariables: Bool = false, tokenParameter: String? = nil) {
        self.base = base
        self.usesVariables = usesVariables
        self.tokenParameter = usesVariables ? tokenParameter : nil
    }

    /// True if keys have the addresses that they would have without it.
    package var isPlain: Bool { base == nil && tokenParameter == nil }

    /// Returns the address of a key that playlists would name by this path, for those who read no EXT-X-DEFINE: they
    /// put the token where its variable is.
    package func uri(_ path: String) -> String { prefix(base) + path + query }

    /// The key as a playlist with ``variables(in:)`` writes it; one that other systems name is left as it is.
    package func playlistKey(_ key: EncryptionKey) -> EncryptionKey {
        guard !isPlain, key.effectiveKeyFormat == "identity" else { return key }
        var key = key
        key.uri = prefix(baseVariable?.reference ?? base) + key.uri + query
        return key
    }

    package enum PlaylistKind: Sendable { case multivariant, media }

    /// Returns the variables that a playlist has to define.
    package func variables(in kind: PlaylistKind) -> [PlaylistVariable] {
        let token = tokenParameter.map {
            // Only the multivariant playlist is asked for with a token: the URIs in it are everybody's.
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
    /// The segment with its keys as a playlist writes them.
    package func naming(keys addresses: KeyAddresses) -> Self {
        guard !addresses.isPlain else { return self }
        var segment = self
        segment.keys = keys.map(addresses.playlistKey)
        segment.map?.keys = (map?.keys ?? []).map(addresses.playlistKey)
        return segment
    }
}
