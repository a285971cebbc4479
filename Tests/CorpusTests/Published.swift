import NIOCore

/// The answer to a viewer who asks for a path.
enum Published: Equatable {
    case bytes(ByteBuffer)
    /// 404, and why.
    case missing(String)
    /// 503, and after how many seconds to ask again.
    case starting(Int)

    /// The text in a golden: without the bytes.
    var summary: String {
        switch self {
        case .bytes(let bytes): "\(bytes.readableBytes) bytes \(Self.hash(of: bytes))"
        case .missing(let reason): reason
        case .starting(let seconds): "starting, retry after \(seconds) s"
        }
    }

    /// A 64-bit hash of all bytes: FNV-1a by words.
    private static func hash(of bytes: ByteBuffer) -> String {
        bytes.withUnsafeReadableBytes { bytes in
            var hash: UInt64 = 0xCBF2_9CE4_8422_2325
            var offset = 0
            while offset < bytes.count {
                let word =
                    offset + 8 <= bytes.count
                    ? bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    : bytes[offset...].reduce(UInt64(bytes.count)) { $0 << 8 | UInt64($1) }
                hash = (hash ^ UInt64(littleEndian: word)) &* 0x9E37_79B9_7F4A_7C15
                hash ^= hash >> 32
                offset += 8
            }
            let digits = String(hash, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
    }
}
