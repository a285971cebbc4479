/// Names a content key; public, unlike the key.
package struct KeyID: Hashable, Sendable, CustomStringConvertible {
    package var bytes: Bytes16

    package init(_ bytes: Bytes16) {
        self.bytes = bytes
    }

    package var description: String { bytes.hex }
}
