/// The key system whose key of the next crypto period is announced in media playlists: a playlist announces one key.
package enum HintedKey: String, Hashable, Sendable, CaseIterable {
    /// The first of the enabled key systems; like ``none`` if there are none.
    case automatic
    case none
    case fairplay, widevine, playready, clearkey, identity

    /// The one that it names.
    package var system: KeySystem? { KeySystem(rawValue: rawValue) }
}
