package import ContentProtection
package import MediaCore
package import Playlists

/// The keys that are announced to players, with a slot or before there is one.
package struct KeyAnnouncement: Sendable {
    /// The keys that players may fetch before they need them; nil for those that were announced before.
    package var sessionKeys: [KeyReference]?
    /// The newest keys of each rendition, once for each key system, also while it goes out in the clear: their demands
    /// on screens hold from the start.
    package var terms: [RenditionID: [KeyReference]] = [:]
    /// The next key of each rendition, if it is known and playlists hint at it.
    package var hints: [RenditionID: KeyReference] = [:]
    /// The time from which on those keys are used, in UTC; nil if keys never change.
    package var firstUse: MediaTime?
}
