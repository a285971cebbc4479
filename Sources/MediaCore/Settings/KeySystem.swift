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
    /// W3C's, which keeps keys from nobody, but has them decrypt where the others do.
    case clearkey
    /// No key system: the key is a resource like any other (RFC 8216bis § 4.4.4.4).
    case identity

    /// Those that an operator turns on; what is there without them is ``identity``.
    package static let licensed: [KeySystem] = [.fairplay, .widevine, .playready, .clearkey]
}
