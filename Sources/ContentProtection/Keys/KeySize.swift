/// How long content keys are.
package enum KeySize: Hashable, Sendable {
    case bits128, bits256
}
