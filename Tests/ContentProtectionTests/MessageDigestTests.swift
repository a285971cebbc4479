import NIOCore
import Testing

@testable import ContentProtection

@Suite struct MessageDigestTests {
    @Test(arguments: [MessageDigest.sha1, .sha256, .sha512], [1, 7, 64, 1000])
    func piecesHaveTheDigestOfTheWhole(digest: MessageDigest, size: Int) throws {
        let bytes = (0..<1000).map { UInt8($0 & 0xFF) }
        var rest = bytes[...]
        let found = try digest.digest {
            if rest.isEmpty { return nil }
            defer { rest = rest.dropFirst(size) }
            return ByteBuffer(bytes: rest.prefix(size))
        }
        #expect(try found == digest.digest(bytes))
        #expect(try digest.digest { nil } == digest.digest([UInt8]()))
    }
}
