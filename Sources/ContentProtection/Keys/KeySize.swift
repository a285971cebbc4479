/// The length of content keys.
package enum KeySize: Hashable, Sendable {
    case bits128, bits256
}
