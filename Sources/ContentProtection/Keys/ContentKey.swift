package import MediaCore

/// The secret bytes that encrypt media: sixteen, or 32 where AES has keys of 256 bits.
///
/// No description, dump or interpolation of it shows them.
package struct ContentKey: Hashable, Sendable {
    /// The bytes themselves, or the first half of a long key's, for a cipher or an authorised client; never for a log.
    package var secret: Bytes16
    /// The second half of a long key; nil of others.
    var secondHalf: Bytes16?

    package init(_ secret: Bytes16) {
        self.secret = secret
    }

    /// Takes sixteen bytes, or 32; nil for any other number.
    package init?(bytes: some Collection<UInt8>) {
        guard let secret = Bytes16(bytes.prefix(16)) else { return nil }
        self.secret = secret
        guard bytes.count != 16 else { return }
        guard let secondHalf = Bytes16(bytes.dropFirst(16)) else { return nil }
        self.secondHalf = secondHalf
    }

    /// All bytes of the key.
    package var bytes: [UInt8] { secret.bytes + (secondHalf?.bytes ?? []) }
}

extension ContentKey: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "ContentKey(redacted)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
