import ContentProtection
import MediaCore
import NIOCore
import Testing

@Suite struct SegmentEncryptorTests {
    /// The output of `openssl enc -aes-128-cbc` for the first bytes of 00 01 02 ….
    private static let ciphertexts = [
        0: "d02a48244eccdc2379224dbc54703612",
        1: "efd604572892d76c3598051ba13d93f5",
        15: "e99f0216caca11e7aeb88ae7756fb05e",
        16: "753d5eacf88ed4c2c30496112e5f222172b232a47c78f178b4d91c89732271f5",
        17: "753d5eacf88ed4c2c30496112e5f2221dd8812ef0b249aa162156495126ad92d",
        31: "753d5eacf88ed4c2c30496112e5f22216e53bba0618fac7109c951ee61604e25",
        32: "753d5eacf88ed4c2c30496112e5f2221380449120c43e61d91c66cae5065cdad254d8b9141f047f75d0caaa9c96543da",
    ]

    @Test func resourcesOfAnyLengthArePaddedAsOpenSSLPadsThem() throws {
        let iv = try #require(Bytes16(hex: "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"))
        let key = try #require(Bytes16(hex: "000102030405060708090a0b0c0d0e0f"))
        var encryptor = try SegmentEncryptor(key: ContentKey(key))
        // One encryptor for all of them: nothing of a resource is left over for the next.
        for (count, ciphertext) in Self.ciphertexts.sorted(by: { $0.key < $1.key }) {
            var resource = ByteBuffer(bytes: (0..<count).map { UInt8($0) })
            try encryptor.encrypt(&resource, iv: iv)
            #expect(resource.readableBytesView.hex == ciphertext, "\(count) bytes")
        }
    }

    @Test func whatOthersHoldStaysAsItIs() throws {
        var encryptor = try SegmentEncryptor(key: ContentKey(Bytes16(repeating: 1)))
        let clear = ByteBuffer(repeating: 0, count: 65_535)
        var encrypted = clear
        try encryptor.encrypt(&encrypted, iv: Bytes16(repeating: 2))
        #expect(encrypted.readableBytes == 65_536)
        #expect(clear == ByteBuffer(repeating: 0, count: 65_535))
    }
}
