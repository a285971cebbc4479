/// ID3 tags of version 2.4.0 for HLS (ID3v2.4 structure § 3.1, § 4; frames § 4.2, § 4.27).
enum ID3Tag {
    enum Frame: Hashable, Sendable {
        /// A text information frame, such as TIT2.
        case text(id: String, String)
        /// TXXX.
        case userText(description: String, String)
        /// PRIV.
        case privateData(owner: String, [UInt8])

        fileprivate var id: String {
            switch self {
            case .text(let id, _): id
            case .userText: "TXXX"
            case .privateData: "PRIV"
            }
        }

        fileprivate var body: [UInt8] {
            // Encoding 3 is UTF-8. A zero separates texts.
            switch self {
            case .text(_, let text): [3] + text.utf8
            case .userText(let description, let text): [3] + description.utf8 + [0] + text.utf8
            case .privateData(let owner, let bytes): owner.utf8 + [0] + bytes
            }
        }
    }

    /// The tag of some frames, in their order.
    static func bytes(of frames: [Frame]) -> [UInt8] {
        let body = frames.flatMap { frame in
            let body = frame.body
            return Array(frame.id.utf8) + synchsafe(body.count) + [0, 0] + body
        }
        return Array("ID3".utf8) + [4, 0, 0] + synchsafe(body.count) + body
    }

    /// Returns true if the bytes are one tag of version 2, and nothing else.
    static func isWhole(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 10, bytes.starts(with: "ID3".utf8), (2...4).contains(bytes[3]),
            bytes[6..<10].allSatisfy({ $0 < 0x80 })
        else { return false }
        let size = bytes[6..<10].reduce(0) { $0 << 7 | Int($1) }
        // § 3.4: a footer repeats the header.
        return bytes.count == 10 + size + (bytes[5] & 0x10 == 0 ? 0 : 10)
    }

    /// Returns true for the identifier of a text information frame (§ 4.2) other than TXXX.
    static func isTextFrame(_ id: String) -> Bool {
        id.utf8.count == 4 && id.utf8.first == UInt8(ascii: "T")
            && id.utf8.allSatisfy { byte in
                UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
            }
    }

    /// Four times seven bits (§ 6.2).
    private static func synchsafe(_ value: Int) -> [UInt8] {
        [21, 14, 7, 0].map { (shift: Int) -> UInt8 in UInt8(value >> shift & 0x7F) }
    }
}
