import ContentProtection
import MediaCore

/// The known keys that players need around a slot.
struct SlotKeys: Sendable {
    /// The keys of its crypto period.
    var keys: [KeyClass: [KeyReference]] = [:]
    /// The keys of the crypto period that follows.
    var nextKeys: [KeyClass: [KeyReference]] = [:]
    /// The start of that crypto period; nil if keys never change.
    var nextKeysStart: MediaTime?
    /// The keys that players may fetch before they need them; nil if none is known yet.
    var sessionKeys: [KeyReference]?
}
