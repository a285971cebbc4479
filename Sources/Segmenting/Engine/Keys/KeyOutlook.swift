import ContentProtection
import MediaCore

/// The keys that players need around a slot, as far as they are known.
struct KeyOutlook: Sendable {
    /// Of its crypto period.
    var keys: [KeyClass: [KeyReference]] = [:]
    /// Of the crypto period that follows.
    var nextKeys: [KeyClass: [KeyReference]] = [:]
    /// When that begins; nil where keys never change.
    var nextKeysStart: MediaTime?
    /// Keys that players may fetch before they need them; nil where none is known yet.
    var sessionKeys: [KeyReference]?
}
