/// A system that gives players their content keys, and keeps them from everybody else.
///
/// Raw values are what an operator writes.
package enum KeySystem: String, Hashable, Sendable, CaseIterable {
    /// Apple's.
    case fairplay
    /// Google's.
    case widevine
    /// Microsoft's.
    case playready
    /// W3C's Clear Key, which does not hide keys, but has browsers decrypt as for the other systems.
    case clearkey
    /// No key system: the key is a resource like any other (RFC 8216bis § 4.4.4.4).
    case identity

    /// The systems that an operator turns on; without them there is ``identity``.
    package static let licensed: [KeySystem] = [.fairplay, .widevine, .playready, .clearkey]
}
