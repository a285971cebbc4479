import Testing

@testable import ContentProtection

@Suite struct MessageAuthenticatorTests {
    /// RFC 4231 § 4.2, 4.3 and 4.7: a key of 20 bytes, a short one, and one that is longer than a block.
    @Test(arguments: [
        (
            [UInt8](repeating: 0x0B, count: 20), "Hi There",
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            Array("Jefe".utf8), "what do ya want for nothing?",
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            [UInt8](repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
    ])
    func codesAreThoseOfTheStandard(key: [UInt8], message: String, code: String) throws {
        let authenticator = try MessageAuthenticator(secret: key)
        let expected = SIMD32<UInt8>(hex(code))
        // The same context serves again and again.
        for _ in 0..<2 {
            let message = Array(message.utf8)
            #expect(message.withUnsafeBytes { authenticator.code(of: $0) } == expected)
            #expect(message.withUnsafeBytes { authenticator.verifies(expected, of: $0) })
        }
        for bit in 0..<256 {
            var other = expected
            other[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(!Array(message.utf8).withUnsafeBytes { authenticator.verifies(other, of: $0) })
        }
    }

    @Test func nothingHasACodeAsWell() throws {
        let authenticator = try MessageAuthenticator(secret: [1])
        #expect([UInt8]().withUnsafeBytes { authenticator.code(of: $0) } != nil)
    }
}
