package import ContentProtection
package import MediaCore
package import Playlists

/// The keys that players are told of, with a slot or before there is one.
package struct KeyAnnouncement: Sendable {
    /// Keys that players may fetch before they need them; nil for those that they were told of before.
    package var sessionKeys: [KeyReference]?
    /// The newest keys of each rendition, once for each key system, also while it goes out in the clear: what those who gave
    /// them ask of screens holds from the start.
    package var terms: [RenditionID: [KeyReference]] = [:]
    /// The next key of each rendition, where it is known and playlists hint at it.
    package var hints: [RenditionID: KeyReference] = [:]
    /// UTC from which on those keys are used; nil where keys never change.
    package var firstUse: MediaTime?
}
