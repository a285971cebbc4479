import ContentProtection
import MediaCore
import NIOCore
import TestSupport
import Testing

/// SAMPLE-AES of AAC, AC-3 and E-AC-3.
@Suite struct TransportAudioEncryptionTests {
    enum Codec: CaseIterable {
        case aac, ac3, eac3
    }

    private static let clear = [UInt8](repeating: 0xEE, count: 16)

    private func encrypt(
        _ codec: Codec,
        _ frame: [UInt8],
        header: Int = 7,
        key: [UInt8] = PublishedCBC.key,
        iv: [UInt8] = PublishedCBC.iv
    ) throws -> [UInt8] {
        var encryptor = try TransportSampleEncryptor(
            key: ContentKey(#require(Bytes16(key))),
            iv: #require(Bytes16(iv))
        )
        var buffer = ByteBuffer(bytes: [1, 2, 3] + frame + [4, 5])
        buffer.moveReaderIndex(forwardBy: 2)
        switch codec {
        case .aac: try encryptor.encryptAAC(&buffer, at: 3 + header, length: frame.count - header)
        case .ac3: try encryptor.encryptAC3(&buffer, at: 3, length: frame.count)
        case .eac3: try encryptor.encryptEAC3(&buffer, at: 3, length: frame.count)
        }
        let bytes = Array(buffer.readableBytesView)
        #expect(bytes.first == 3 && bytes.suffix(2) == [4, 5])
        return Array(bytes.dropFirst().dropLast(2))
    }

    /// An ADTS header in front of a raw data block.
    private func adts(_ block: [UInt8], hasChecksum: Bool) -> [UInt8] {
        let size = block.count + (hasChecksum ? 9 : 7)
        return [
            0xFF, hasChecksum ? 0xF0 : 0xF1, 0x4C, 0x80 | UInt8(size >> 11), UInt8(size >> 3 & 0xFF),
            UInt8(size & 7) << 5 | 0x1F, 0xFC,
        ] + (hasChecksum ? [0xAB, 0xCD] : []) + block
    }

    /// A header of 16 bytes that says how long the syncframe is, and the rest of it.
    private func syncframe(_ rest: [UInt8]) -> [UInt8] {
        let code = (16 + rest.count) / 2 - 1
        return [0x0B, 0x77, UInt8(code >> 8), UInt8(code & 0xFF)] + [UInt8](repeating: 0xEE, count: 12) + rest
    }

    @Test(arguments: [false, true], [0, 1, 15])
    func aacFramesAreClearForSixteenBytesBehindTheirHeader(hasChecksum: Bool, tail: Int) throws {
        let tail = [UInt8](repeating: 0xEE, count: tail)
        let frame = adts(Self.clear + PublishedCBC.plaintext + tail, hasChecksum: hasChecksum)
        let expected = adts(Self.clear + PublishedCBC.ciphertext + tail, hasChecksum: hasChecksum)
        #expect(try encrypt(.aac, frame, header: hasChecksum ? 9 : 7) == expected)
    }

    @Test(arguments: [0, 1, 16, 31]) func aacFramesOfLessThan32BytesStayClear(count: Int) throws {
        let frame = adts([UInt8](repeating: 0xEE, count: count), hasChecksum: false)
        #expect(try encrypt(.aac, frame) == frame)
        let shortest = adts(Self.clear + PublishedCBC.plaintext.prefix(16), hasChecksum: false)
        let expected = adts(Self.clear + PublishedCBC.ciphertext.prefix(16), hasChecksum: false)
        #expect(try encrypt(.aac, shortest) == expected)
    }

    @Test(arguments: [0, 14]) func ac3SyncframesAreClearForSixteenBytes(tail: Int) throws {
        let tail = [UInt8](repeating: 0xEE, count: tail)
        let expected = syncframe(PublishedCBC.ciphertext + tail)
        #expect(try encrypt(.ac3, syncframe(PublishedCBC.plaintext + tail)) == expected)
    }

    @Test func chainRunsFromSyncframeToSyncframeOfAnEAC3AccessUnit() throws {
        func unit(_ bytes: [UInt8]) -> [UInt8] {
            // Without a block, with one and a tail, with two, without the sixteenth byte of one, with one.
            syncframe([]) + syncframe(Array(bytes[0..<16]) + [7, 8]) + syncframe(Array(bytes[16..<48]))
                + syncframe([UInt8](repeating: 9, count: 14)) + syncframe(Array(bytes[48..<64]))
        }
        #expect(try encrypt(.eac3, unit(PublishedCBC.plaintext)) == unit(PublishedCBC.ciphertext))
    }

    @Test func everyFrameStartsFromTheIV() throws {
        var encryptor = try TransportSampleEncryptor(
            key: ContentKey(#require(Bytes16(PublishedCBC.key))),
            iv: #require(Bytes16(PublishedCBC.iv))
        )
        for _ in 0..<3 {
            var buffer = ByteBuffer(bytes: syncframe(PublishedCBC.plaintext))
            try encryptor.encryptEAC3(&buffer, at: 0, length: buffer.readableBytes)
            #expect(Array(buffer.readableBytesView) == syncframe(PublishedCBC.ciphertext))
            buffer = ByteBuffer(bytes: syncframe(PublishedCBC.plaintext))
            try encryptor.encryptAC3(&buffer, at: 0, length: buffer.readableBytes)
            #expect(Array(buffer.readableBytesView) == syncframe(PublishedCBC.ciphertext))
        }
    }

    @Test func framesOfEverySizeAreDecryptedByTheReference() throws {
        var random = SeededGenerator(seed: 3)
        let (key, iv) = (random.bytes(16), random.bytes(16))
        let reference = ReferenceTransportDecryptor(aes: ReferenceAES(key: key), iv: iv)
        for _ in 0..<100 {
            let hasChecksum = Bool.random(using: &random)
            let frame = adts(random.bytes(Int.random(in: 0...300, using: &random)), hasChecksum: hasChecksum)
            let encrypted = try encrypt(.aac, frame, header: hasChecksum ? 9 : 7, key: key, iv: iv)
            #expect(reference.audioFrame(encrypted, header: hasChecksum ? 9 : 7) == frame)

            let syncframes = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                syncframe(random.bytes(2 * Int.random(in: 0...100, using: &random)))
            }
            let unit = try encrypt(.eac3, Array(syncframes.joined()), key: key, iv: iv)
            #expect(reference.syncframes(unit, sizes: syncframes.map(\.count)) == Array(syncframes.joined()))
            let single = try encrypt(.ac3, syncframes[0], key: key, iv: iv)
            #expect(reference.audioFrame(single, header: 0) == syncframes[0])
        }
    }

    @Test func otherBytesAreRefusedAsTheyAre() throws {
        let unit = syncframe(PublishedCBC.plaintext)
        let units: [[UInt8]] = [
            [], [0x0B], [0x0B, 0x77, 0], unit + [0], unit + unit.dropLast(), unit + [0x0B, 0x78, 0, 0],
        ]
        for bytes in units {
            #expect(throws: SampleEncryptionError.malformed(.syncframes)) { try encrypt(.eac3, bytes) }
        }
        for bytes in [[], [0x0B], [0x0B, 0x76, 0, 0]] as [[UInt8]] {
            #expect(throws: SampleEncryptionError.malformed(.syncframes)) { try encrypt(.ac3, bytes) }
        }
    }

    /// A cut or damaged access unit is either refused as it is, or encrypted so that it can be decrypted.
    @Test func damagedFramesAreRefusedOrKeepTheirSize() throws {
        var random = SeededGenerator(seed: 4)
        var refused = 0
        for _ in 0..<2_000 {
            for codec in [Codec.ac3, .eac3] {
                var bytes = syncframe(random.bytes(40)) + syncframe(random.bytes(20))
                bytes.removeLast(Int.random(in: 0...3, using: &random))
                let index = Int.random(in: 0..<8, using: &random)
                bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
                var buffer = ByteBuffer(bytes: bytes)
                var encryptor = try TransportSampleEncryptor(
                    key: ContentKey(Bytes16(repeating: 1)),
                    iv: Bytes16(repeating: 2)
                )
                do {
                    if codec == .ac3 {
                        try encryptor.encryptAC3(&buffer, at: 0, length: bytes.count)
                    } else {
                        try encryptor.encryptEAC3(&buffer, at: 0, length: bytes.count)
                    }
                    #expect(buffer.readableBytes == bytes.count)
                } catch {
                    refused += 1
                    #expect(Array(buffer.readableBytesView) == bytes)
                }
            }
        }
        #expect(refused > 0)
    }

    @Test(arguments: Codec.allCases, [(-1, 2), (1, 64), (0, -1), (65, 0), (8, .max)])
    func frameOutsideTheBufferChangesNothing(codec: Codec, at place: (index: Int, length: Int)) throws {
        var encryptor = try TransportSampleEncryptor(
            key: ContentKey(Bytes16(repeating: 1)),
            iv: Bytes16(repeating: 2)
        )
        var buffer = ByteBuffer(bytes: PublishedCBC.plaintext)
        var error: SampleEncryptionError?
        do {
            switch codec {
            case .aac: try encryptor.encryptAAC(&buffer, at: place.index, length: place.length)
            case .ac3: try encryptor.encryptAC3(&buffer, at: place.index, length: place.length)
            case .eac3: try encryptor.encryptEAC3(&buffer, at: place.index, length: place.length)
            }
        } catch let caught {
            error = caught
        }
        #expect(error == .outsideBuffer(index: place.index, length: place.length))
        #expect(Array(buffer.readableBytesView) == PublishedCBC.plaintext)
    }
}
