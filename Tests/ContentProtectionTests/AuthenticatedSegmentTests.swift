import ContentProtection
import MediaCore
import NIOCore
import Testing

/// METHOD=AES-256-GCM.
@Suite struct AuthenticatedSegmentTests {
    /// Those of project Wycheproof for keys of 256 bits and vectors of 128 (aes_gcm_test.json, tests 194 and 198 to 204): key,
    /// vector, message, ciphertext and tag.
    private static let published = [
        [
            "00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f", "d10e631943cd3bdababab2bbd13951c0",
            "00000000000000000000000000000000000000000000000000000000000000000000000000000000",
            "d60196c2d14fcf30c0991d2721ddc52d385f407a16691dade82c9023c855fd8e2e8fbb562102f018",
            "877e15d9889e69a99fcc6d727465c391",
        ],
        [
            "00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f", "00000000000000000000000000000000",
            "8d74f1c97243d362577ff376c393d2dc", "265c42e2b96ea1de9c24f7182e337390", "00000000000000000000000000000000",
        ],
        [
            "00112233445566778899aabbccddeeff102132435465768798a9bacbdcedfe0f", "ffffffffffffffffffffffffffffffff",
            "884df0e76f3ce227bf9595d103825a46", "988f47668ea650cbaa6714711abe268d", "ffffffffffffffffffffffffffffffff",
        ],
        [
            "b4cd11db0b3e0b9b34eafd9fe027746976379155e76116afde1b96d21298e34f", "00c49f4ebb07393f07ebc3825f7b0830",
            "", "", "306fe8c9645cc849823e333a685b90b2",
        ],
        [
            "b7797eb0c1a6089ad5452d81fdb14828c040ddc4589c32b565aad8cb4de3e4a0", "0ad570d8863918fe89124e09d125a271",
            "ed", "3f", "fd8f593b83314e33c5a72efbeb7095e8",
        ],
        [
            "4c010d9561c7234c308c01cea3040c925a9f324dc958ff904ae39b37e60e1e03", "2a55caa137c5b0b66cf3809eb8f730c4",
            "2a093c9ed72b8ff4994201e9f9e010", "041341078f0439e50b43c991635117", "5b8a2f2da20ef657c903da88ef5f57bb",
        ],
        [
            "e7f7a48df99edd92b81f508618aa96526b279debd9ddb292d385ddbae80b2259", "7ee376910f08f497aa6c3aa7113697fd",
            "5e51dbbb861b5ec60751c0996e00527f", "469478d448f7e97d755541aa09ad95b0", "254ada5cf662d90c5e11b2bd9c4db4c4",
        ],
        [
            "4f84782bfbb64a973c3de3dcfa3430367fd68bc0b4c3b31e5d7c8141ba3e6a67", "5d1bde6fa0994b33efd8f23f531248a7",
            "78cb6650a1908a842101ea85804fed00cc56fbdafafba0ef4d1ca607dcae57b6",
            "cb960201fa5ad41d41d1c2c8037c71d52b72e76b16b589d71b976627c9734c9d", "8dfce16467c3a6ebb3e7242c9a551962",
        ],
    ]

    private static func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.count, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
    }

    @Test(arguments: published) func segmentsAreVectorCiphertextAndTag(vector: [String]) throws {
        let key = try #require(ContentKey(bytes: Self.bytes(vector[0])))
        let iv = try #require(Bytes16(hex: vector[1]))
        var encryptor = try SegmentEncryptor(key: key, cipher: .aes256GCM)
        var decryptor = try SegmentDecryptor(key: key, cipher: .aes256GCM)
        // Nothing of a segment is left over for the next.
        for _ in 0..<2 {
            var segment = ByteBuffer(bytes: Self.bytes(vector[2]))
            try encryptor.encrypt(&segment, iv: iv)
            #expect(segment.readableBytesView.hex == vector[1] + vector[3] + vector[4])
            let clear = try decryptor.decrypted(segment, iv: Bytes16(high: 0, low: 0))
            #expect(clear.readableBytesView.hex == vector[2])
        }
    }

    @Test func whatWasChangedIsNotDecrypted() throws {
        let key = try #require(ContentKey(bytes: Array(0..<32)))
        var encryptor = try SegmentEncryptor(key: key, cipher: .aes256GCM)
        var decryptor = try SegmentDecryptor(key: key, cipher: .aes256GCM)
        var segment = ByteBuffer(repeating: 7, count: 100)
        try encryptor.encrypt(&segment, iv: Bytes16(high: 1, low: 2))
        for position in [0, 15, 16, 60, 115, 116, 131] {
            var changed = segment
            changed.setInteger(segment.readableBytesView[position] ^ 1, at: position)
            #expect(throws: OpenSSLError.self) { try decryptor.decrypted(changed, iv: Bytes16(high: 0, low: 0)) }
        }
        for count in [0, 16, 31, 131] {
            let short = try #require(segment.getSlice(at: 0, length: count))
            #expect(throws: OpenSSLError.self) { try decryptor.decrypted(short, iv: Bytes16(high: 0, low: 0)) }
        }
        #expect(try decryptor.decrypted(segment, iv: Bytes16(high: 0, low: 0)) == ByteBuffer(repeating: 7, count: 100))
    }

    @Test func aVectorTellsWhatIsEncryptedFromAllElse() throws {
        let key = try #require(ContentKey(bytes: Array(0..<32)))
        let other = try #require(ContentKey(bytes: Array(0..<31) + [0]))
        let contents = ByteBuffer(string: "a segment")
        let vector = { (contents: ByteBuffer, number: Int64?, rendition: String, key: ContentKey) in
            let number = number.map(MediaSequenceNumber.init)
            return try SegmentVector.vector(of: contents, number: number, rendition: rendition, key: key)
        }
        let vectors = [
            try vector(contents, 1, "video", key), try vector(contents, 2, "video", key),
            try vector(contents, nil, "video", key), try vector(contents, 1, "audio", key),
            try vector(ByteBuffer(string: "another"), 1, "video", key), try vector(contents, 1, "video", other),
        ]
        #expect(Set(vectors).count == vectors.count)
        #expect(try vector(contents, 1, "video", key) == vectors[0])
    }

    @Test func keysAreSixteenBytesOr32() {
        for count in 0..<40 {
            let key = ContentKey(bytes: [UInt8](repeating: 1, count: count))
            #expect((key?.bytes.count ?? 0) == (count == 16 || count == 32 ? count : 0))
        }
    }
}
