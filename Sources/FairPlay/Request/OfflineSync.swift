package import MediaCore
import NIOCore

/// A device's report of keys that it has stored.
package struct OfflineSync: Hashable, Sendable {
    package struct Flags: OptionSet, Hashable, Sendable {
        package let rawValue: UInt64

        package init(rawValue: UInt64) {
            self.rawValue = rawValue
        }

        static let report = Self(rawValue: 1 << 0)
        static let invalidation = Self(rawValue: 1 << 1)
        static let invalidationOfAll = Self(rawValue: 1 << 2)
        static let hasTitle = Self(rawValue: 1 << 3)
        package static let success = Self(rawValue: 1 << 16)
        static let notFound = Self(rawValue: 1 << 17)
        static let expired = Self(rawValue: 1 << 18)
    }

    /// The flags; version 1 has none.
    package var flags: Flags = []
    /// The server's challenge that this answers; nil in version 1.
    package var challenge: UInt64?
    /// The ID of the stream (version 1) or the title (version 2), as the server had given it.
    package var contentID: Bytes16
    /// Seconds until the key expires.
    package var secondsToExpiry: UInt32
    /// Streams whose keys are gone.
    package var invalidatedStreamIDs: [Bytes16] = []

    /// Reads the value of the TLLV, version 1 (28 bytes) or 2 (48 bytes and 16 for each stream); nil for version 0, which
    /// says nothing, and for others.
    init?(_ value: ByteBuffer) {
        var rest = value
        guard let (version, _) = rest.readMultipleIntegers(as: (UInt32, UInt32).self) else { return nil }
        switch (version, value.readableBytes) {
        case (1, 28):
            guard let contentID = rest.readBytes16(), let seconds: UInt32 = rest.readInteger() else { return nil }
            self.contentID = contentID
            secondsToExpiry = seconds
        case (2, 48...):
            guard let (challenge, flags) = rest.readMultipleIntegers(as: (UInt64, UInt64).self),
                let title = rest.readBytes16(),
                let (seconds, count) = rest.readMultipleIntegers(as: (UInt32, UInt32).self),
                rest.readableBytes == 16 * Int(count)
            else { return nil }
            self.challenge = challenge
            self.flags = Flags(rawValue: flags)
            contentID = title
            secondsToExpiry = seconds
            while let streamID = rest.readBytes16() { invalidatedStreamIDs.append(streamID) }
        default:
            return nil
        }
    }
}
