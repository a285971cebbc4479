package import ContentProtection
package import MediaCore

/// The keys that players need around a slot, as far as they are known.
package struct KeyOutlook: Sendable {
    /// Of its crypto period.
    package var keys: [KeyClass: [KeyReference]] = [:]
    /// Of the crypto period that follows.
    package var nextKeys: [KeyClass: [KeyReference]] = [:]
    /// When that begins; nil where keys never change.
    package var nextKeysStart: MediaTime?
}
