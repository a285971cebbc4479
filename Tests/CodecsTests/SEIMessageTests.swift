import TestSupport
import Testing

@testable import Codecs

struct SEIMessageTests {
    /// The payload of the first message of a type: its first byte.
    private func first(_ type: Int, _ hex: String, headerSize: Int = 1) throws -> UInt32? {
        let bytes = [UInt8](hex: hex)
        guard var message = try SEIMessage.first(ofType: type, in: bytes.span.bytes, headerSize: headerSize) else {
            return nil
        }
        return try message.reader.read(8)
    }

    @Test(
        arguments: [
            (1, "06 0102aabb 80", 1, 0xAA), (6, "06 0102aabb 0601cc 80", 1, 0xCC), (5, "06 0102aabb 80", 1, nil),
            // Types and sizes beyond 255, and one of size 0.
            (511, "06 ffff010144 80", 1, 0x44), (6, "06 0500 060155 80", 1, 0x55),
            // Emulation prevention in the payload ahead of it, and in HEVC, whose header is longer.
            (6, "06 0104 00000301aa 060166 80", 1, 0x66), (136, "4e01 8801 77 80", 2, 0x77),
            (1, "06", 1, nil), (1, "06 80", 1, nil),
        ] as [(Int, String, Int, UInt32?)]
    )
    func theFirstOfAType(type: Int, hex: String, headerSize: Int, byte: UInt32?) throws {
        #expect(try first(type, hex, headerSize: headerSize) == byte)
    }

    @Test(arguments: ["06 01ff", "06 0509aabbcc 80", "06 ffffff", ""])
    func whatIsCutShortIsAnError(hex: String) {
        #expect(throws: CodecError.truncated) { try first(6, hex) }
    }

    @Test func readingBehindThePayloadShows() throws {
        let bytes = [UInt8](hex: "06 0101aa 0601bb 80")
        guard var message = try SEIMessage.first(ofType: 1, in: bytes.span.bytes) else {
            Issue.record("not found")
            return
        }
        try message.reader.skip(8)
        let isOverrunAtItsEnd = message.isOverrun
        try message.reader.skip(1)
        let isOverrunBehindIt = message.isOverrun
        #expect(!isOverrunAtItsEnd && isOverrunBehindIt)
    }
}
