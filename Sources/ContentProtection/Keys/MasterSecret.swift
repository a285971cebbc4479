import COpenSSL

/// The secret that every content key of a channel is derived from.
///
/// Packagers of one channel, and key servers beside them, agree on all keys when they hold the same secret. No
/// description, dump or interpolation of it shows its bytes.
package struct MasterSecret: Hashable, Sendable {
    /// Bytes of a secret made here: as many as SHA-256 gives back.
    package static let standardSize = 32
    /// Bytes below which a secret would be weaker than the keys derived from it.
    package static let minimumSize = 16

    /// The bytes, for a file that only its owner reads, or the process that takes the place of this one.
    package let bytes: [UInt8]

    /// Takes at least sixteen bytes; nil for fewer.
    package init?(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
        guard self.bytes.count >= Self.minimumSize else { return nil }
    }

    /// 32 bytes from OpenSSL's generator.
    ///
    /// - Throws: ``OpenSSLError`` when the system gives no entropy.
    package static func random() throws(OpenSSLError) -> MasterSecret {
        var bytes = [UInt8](repeating: 0, count: standardSize)
        guard unsafe RAND_bytes(&bytes, CInt(bytes.count)) == 1 else { throw OpenSSLError("RAND_bytes") }
        return MasterSecret(checked: bytes)
    }

    private init(checked bytes: [UInt8]) {
        self.bytes = bytes
    }
}

extension MasterSecret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    package var description: String { "MasterSecret(redacted)" }
    package var debugDescription: String { description }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
