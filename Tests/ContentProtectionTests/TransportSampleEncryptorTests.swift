import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import ContentProtection

@Suite struct TransportSampleEncryptorTests {
    private static let plaintext = PublishedCBC.plaintext
    private static let ciphertext = PublishedCBC.ciphertext

    private func makeEncryptor() throws -> TransportSampleEncryptor {
        try TransportSampleEncryptor(
            key: ContentKey(#require(Bytes16(PublishedCBC.key))),
            iv: #require(Bytes16(PublishedCBC.iv))
        )
    }

    private func encrypt(_ nalUnit: [UInt8]) throws -> [UInt8] {
        var encryptor = try makeEncryptor()
        var output = ByteBuffer()
        try encryptor.write(nalUnit: ByteBuffer(bytes: nalUnit), to: &output)
        #expect(output.readInteger(as: UInt32.self) == 1)
        return Array(output.readableBytesView)
    }

    private func lengthPrefixed(_ nalUnits: [[UInt8]]) -> ByteBuffer {
        var buffer = ByteBuffer()
        for nalUnit in nalUnits {
            buffer.writeInteger(UInt32(nalUnit.count))
            buffer.writeBytes(nalUnit)
        }
        return buffer
    }

    /// Header and 31 bytes, then blocks of the published vector, each with nine clear blocks behind it but the last.
    private func slice(_ blocks: [UInt8], count: Int, header: UInt8 = 0x65) -> [UInt8] {
        let clear = [UInt8](repeating: 0xEE, count: 144)
        let encrypted = (0..<count).map { blocks[($0 * 16)..<($0 * 16 + 16)] }
        return [header] + [UInt8](repeating: 0xDD, count: 31) + encrypted.joined(separator: clear)
    }

    @Test func referenceUndoesThePublishedVector() {
        let aes = ReferenceAES(key: PublishedCBC.key)
        let block = Array(Self.plaintext[..<16])
        #expect(aes.decrypt(aes.encrypt(block)) == block)
        let first = aes.decrypt(Array(Self.ciphertext[..<16]))
        #expect(zip(first, PublishedCBC.iv).map { $0 ^ $1 } == block)
    }

    @Test(arguments: [0x65, 0x41, 0x01, 0x21] as [UInt8], 1...4)
    func chainRunsThroughTheOneBlockInTen(header: UInt8, count: Int) throws {
        let nalUnit = slice(Self.plaintext, count: count, header: header)
        let encrypted = slice(Self.ciphertext, count: count, header: header)
        for tail in [1, 2, 15, 16, 143, 144] {
            let tail = [UInt8](repeating: 0xEE, count: tail)
            #expect(try encrypt(nalUnit + tail) == encrypted + tail)
        }
    }

    /// Unlike under `cbcs`, a block is encrypted only if more than 16 bytes are left.
    @Test(arguments: 1...4) func exactFinalBlockStaysClear(count: Int) throws {
        let expected =
            slice(Self.ciphertext, count: count).dropLast(16) + slice(Self.plaintext, count: count).suffix(16)
        #expect(try encrypt(slice(Self.plaintext, count: count)) == Array(expected))
    }

    @Test(arguments: [1, 31, 32, 33, 47, 48]) func slicesOfUpTo48BytesStayClear(count: Int) throws {
        let nalUnit = [0x65] + [UInt8](repeating: 0, count: count - 1)
        #expect(try encrypt(nalUnit) == nalUnit)
    }

    @Test func onlyTypes1And5AreEncrypted() throws {
        for type in 0...31 as ClosedRange<UInt8> {
            let nalUnit = slice(Self.plaintext, count: 2, header: 0x60 | type) + [0]
            #expect(try (encrypt(nalUnit) != nalUnit) == [1, 5].contains(type), "type \(type)")
        }
    }

    /// Its own emulation prevention bytes are data to the cipher, and what comes out has a layer around them.
    @Test(arguments: [
        ("ee 000003 00 ee", "ee 00000303 00 ee"),
        ("ee 000003 01 80", "ee 00000303 01 80"),
        ("ee 0000 00 80", "ee 000003 00 80"),
        ("ee 0000 01 80", "ee 000003 01 80"),
        ("ee 0000 02 80", "ee 000003 02 80"),
        ("ee 0000 04 80", "ee 0000 04 80"),
        ("ee 00 ee 00 01 80", "ee 00 ee 00 01 80"),
        ("ee 0000 0000 0000 80", "ee 000003 000003 0000 80"),
        ("ee 0000 0000 0001 80", "ee 000003 000003 0001 80"),
        ("ee 0000 0000 01 80", "ee 000003 000003 01 80"),
        ("ee 000003 000003", "ee 00000303 00000303"),
        ("ee 00", "ee 00 03"),
        ("ee 0000", "ee 000003"),
        ("ee 0000 00", "ee 000003 00 03"),
    ])
    func encryptedSlicesGetASecondLayerOfEmulationPrevention(tail: String, escaped: String) throws {
        // Wherever it lies among the eight places that are looked at together.
        for offset in 0..<20 {
            let clear = [UInt8](repeating: 0xEE, count: offset)
            let nalUnit = slice(Self.plaintext, count: 1) + clear + hex(tail)
            #expect(try encrypt(nalUnit) == slice(Self.ciphertext, count: 1) + clear + hex(escaped))
        }
    }

    @Test func clearBytesAtTheFrontAreEscapedToo() throws {
        var nalUnit = slice(Self.plaintext, count: 1) + [0x80]
        nalUnit.replaceSubrange(1..<4, with: [0, 0, 3])
        var expected = slice(Self.ciphertext, count: 1) + [0x80]
        expected.replaceSubrange(1..<4, with: [0, 0, 3, 3])
        #expect(try encrypt(nalUnit) == expected)
    }

    @Test func accessUnitsOfEveryShapeAreDecryptedByTheReference() throws {
        var random = SeededGenerator(seed: 2)
        var escaped = 0
        for _ in 0..<60 {
            let (key, iv) = (random.bytes(16), random.bytes(16))
            var encryptor = try TransportSampleEncryptor(
                key: ContentKey(#require(Bytes16(key))),
                iv: #require(Bytes16(iv))
            )
            let nalUnits = (0..<Int.random(in: 1...5, using: &random)).map { _ in
                nalUnit(length: max(1, Int.random(in: 0...12, using: &random) * 80 + 47), &random)
            }
            let margin = random.bytes(Int.random(in: 0...7, using: &random))
            var output = ByteBuffer(bytes: margin)
            try encryptor.write(accessUnit: lengthPrefixed(nalUnits), to: &output)
            #expect(output.readBytes(length: margin.count) == margin)
            escaped += output.readableBytes - nalUnits.reduce(0) { $0 + 4 + $1.count }
            let reference = ReferenceTransportDecryptor(aes: ReferenceAES(key: key), iv: iv)
            #expect(reference.nalUnits(ofAnnexB: Array(output.readableBytesView)) == nalUnits)
        }
        #expect(escaped > 0)
    }

    @Test func whatItHasEncryptedItDecrypts() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            let (key, iv) = (
                ContentKey(try #require(Bytes16(random.bytes(16)))), try #require(Bytes16(random.bytes(16)))
            )
            var encryptor = try TransportSampleEncryptor(key: key, iv: iv)
            var decryptor = try TransportSampleEncryptor(key: key, iv: iv, direction: .decrypting)
            let coded = ByteBuffer(bytes: nalUnit(length: Int.random(in: 1...400, using: &random), &random))
            var output = ByteBuffer()
            try encryptor.write(nalUnit: coded, to: &output)
            output.moveReaderIndex(forwardBy: 4)
            #expect(try decryptor.decrypted(nalUnit: output) == coded)
        }
    }

    /// A coded NAL unit: bytes of which many are small, with their emulation prevention bytes, and a last one that is not 0.
    private func nalUnit(length: Int, _ random: inout SeededGenerator) -> [UInt8] {
        let range: ClosedRange<UInt8> = Bool.random(using: &random) ? 0...3 : 0...255
        let length = length + Int.random(in: 0...4, using: &random)
        var result: [UInt8] = [[0x65, 0x41, 0x06, 0x01].randomElement(using: &random) ?? 0x65]
        while result.count < length {
            let byte = UInt8.random(in: range, using: &random)
            if byte <= 3, result.suffix(2) == [0, 0] { result.append(3) }
            result.append(byte)
        }
        return result + [0x80]
    }

    @Test func clearAccessUnitsKeepTheirBytesBehindStartCodes() throws {
        var pieces = [ByteBuffer(bytes: [9])]
        try lengthPrefixed([hex("06 0500"), hex("65 000003 0180"), hex("41")]).appendAnnexB(to: &pieces)
        let bytes = pieces.flatMap(\.readableBytesView)
        #expect(bytes == hex("09 00000001 060500 00000001 65000003 0180 00000001 41"))
    }

    @Test func inputSharedWithOthersStaysAsItIs() throws {
        let unit = lengthPrefixed([slice(Self.plaintext, count: 3) + [1]])
        let before = Array(unit.readableBytesView)
        var encrypted = ByteBuffer()
        var encryptor = try makeEncryptor()
        try encryptor.write(accessUnit: unit, to: &encrypted)
        #expect(Array(unit.readableBytesView) == before)
        #expect(unit != encrypted)
    }

    @Test(arguments: [
        "000000", "00000000", "00000002 65", "00000001 65 00", "00000001 65 00000000", "ffffffff 65", "80000000",
    ])
    func brokenLengthsWriteNothing(unit: String) throws {
        let unit = ByteBuffer(bytes: hex(unit))
        var encryptor = try makeEncryptor()
        var output = ByteBuffer(bytes: [1, 2])
        var pieces: [ByteBuffer] = []
        #expect(throws: SampleEncryptionError.malformed(.nalUnits)) { try unit.appendAnnexB(to: &pieces) }
        do {
            try encryptor.write(accessUnit: unit, to: &output)
            Issue.record("written")
        } catch {
            #expect(error == .malformed(.nalUnits))
        }
        #expect(Array(output.readableBytesView) == [1, 2])
    }
}
