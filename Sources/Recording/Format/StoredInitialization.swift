import MediaCore
import NIOCore

/// The file of an initialization section: a head of fixed length, and then its bytes.
///
/// Its path has no number, so it lies next to the blocks; its head names the last block that needs it.
struct StoredInitialization: Hashable, Sendable {
    /// The last block that needs it.
    var lastBlock: Int64
    /// The kind of its rendition.
    var kind: MediaKind
    var bytes: ByteBuffer

    /// The most bytes of a file; no initialization section comes near.
    static let limit = 1 << 24
    /// Eight bytes for the block, and the name of the kind, padded with spaces.
    static let headCount = 32

    init(lastBlock: Int64, kind: MediaKind, bytes: ByteBuffer) {
        (self.lastBlock, self.kind, self.bytes) = (lastBlock, kind, bytes)
    }

    /// - Parameter file: The file. The result is nil if it is malformed.
    init?(_ file: ByteBuffer) {
        var file = file
        guard let block = file.readInteger(as: Int64.self), let name = file.readString(length: Self.headCount - 8),
            let kind = MediaKind(rawValue: String(name.prefix { $0 != " " }))
        else { return nil }
        self.init(lastBlock: block, kind: kind, bytes: file)
    }

    var file: ByteBuffer {
        var file = ByteBuffer(integer: lastBlock)
        file.writeString(kind.rawValue)
        file.writeRepeatingByte(UInt8(ascii: " "), count: Self.headCount - file.readableBytes)
        file.writeImmutableBuffer(bytes)
        return file
    }
}
