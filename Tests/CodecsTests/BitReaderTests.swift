import TestSupport
import Testing

@testable import Codecs

struct BitReaderTests {
    @Test func readsMostSignificantBitsFirst() throws {
        let bytes: [UInt8] = [0b1010_0101, 0xFF, 0x00, 0x12, 0x34, 0x56]
        var reader = BitReader(bytes.span.bytes)
        #expect(try reader.read(1) == 1)
        #expect(try reader.read(3) == 2)
        #expect(try reader.read(0) == 0)
        #expect(try reader.read(8) == 0x5F)
        #expect(reader.bitPosition == 12)
        #expect(reader.byteOffset == 2)
        #expect(try reader.read(32) == 0xF001_2345)
        #expect(reader.bitsLeft == 4)
    }

    @Test(arguments: [
        ("80", 0, 0), ("40", 1, 1), ("60", 2, -1), ("20", 3, 2), ("28", 4, -2), ("3800", 6, -3),
        ("00000001fffffffe", 0xFFFF_FFFE, -0x7FFF_FFFF), ("00000001fffffffc", 0xFFFF_FFFD, 0x7FFF_FFFF),
    ])
    func readsExpGolombNumbers(hex: String, unsigned: UInt32, signed: Int32) throws {
        let bytes = [UInt8](hex: hex)
        var reader = BitReader(bytes.span.bytes)
        #expect(try reader.readUnsignedGolomb() == unsigned)
        reader = BitReader(bytes.span.bytes)
        #expect(try reader.readSignedGolomb() == signed)
    }

    @Test func expGolombNumbersBeyond32BitsAreInvalid() {
        let bytes = [UInt8](repeating: 0, count: 9)
        var reader = BitReader(bytes.span.bytes)
        #expect(throws: CodecError.invalid("Exp-Golomb number")) { _ = try reader.readUnsignedGolomb() }
    }

    private enum Outcome: Equatable {
        case number(UInt32, bitPosition: Int, byteOffset: Int)
        case failure(CodecError)
    }

    /// Reads an Exp-Golomb number behind some bits, as it is read or bit by bit.
    private static func outcome(
        _ bytes: [UInt8],
        behind count: Int,
        hasEmulationPrevention: Bool,
        isBitByBit: Bool
    ) -> Outcome {
        var reader = BitReader(bytes.span.bytes, hasEmulationPrevention: hasEmulationPrevention)
        do throws(CodecError) {
            try reader.skip(count)
            let number: UInt32
            if isBitByBit {
                var zeroBits = 0
                while try reader.read(1) == 0 {
                    zeroBits += 1
                    guard zeroBits < 32 else { throw CodecError.invalid("Exp-Golomb number") }
                }
                number = try (1 << UInt32(zeroBits)) - 1 + reader.read(zeroBits)
            } else {
                number = try reader.readUnsignedGolomb()
            }
            return .number(number, bitPosition: reader.bitPosition, byteOffset: reader.byteOffset)
        } catch {
            return .failure(error)
        }
    }

    /// Property: wherever a number begins, and wherever the bytes end.
    @Test(arguments: [false, true]) func expGolombNumbersAreThoseOfTheirBits(hasEmulationPrevention: Bool) {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            // Mostly zeros, with emulation prevention among them.
            let bytes = (0..<Int.random(in: 0...12, using: &generator)).map { _ -> UInt8 in
                let other = UInt8.random(in: 0...255, using: &generator)
                return [0, 0, 0, 3, other].randomElement(using: &generator) ?? 0
            }
            for count in 0..<8 {
                let (found, expected) = (
                    Self.outcome(
                        bytes,
                        behind: count,
                        hasEmulationPrevention: hasEmulationPrevention,
                        isBitByBit: false
                    ),
                    Self.outcome(bytes, behind: count, hasEmulationPrevention: hasEmulationPrevention, isBitByBit: true)
                )
                if found != expected { Issue.record("\(bytes) behind \(count): \(found), not \(expected)") }
            }
        }
    }

    @Test(arguments: [0, 1, 7, 8, 9, 32])
    func readingBeyondTheEndIsAnError(count: Int) throws {
        let bytes: [UInt8] = [0xFF]
        var reader = BitReader(bytes.span.bytes)
        try reader.skip(8)
        if count > 0 {
            #expect(throws: CodecError.truncated) { _ = try reader.read(count) }
        } else {
            #expect(try reader.read(count) == 0)
        }
    }

    @Test func emulationPreventionBytesAreSteppedOver() throws {
        let bytes = [UInt8](hex: "0000 03 0000 03 01 0003")
        var reader = BitReader(bytes.span.bytes, hasEmulationPrevention: true)
        var values: [UInt32] = []
        for _ in 0..<7 { values.append(try reader.read(8)) }
        #expect(values == [0, 0, 0, 0, 1, 0, 3])
        #expect(reader.bitPosition == 56)
        #expect(reader.byteOffset == 9)
    }

    /// A read that ends ahead of an emulation prevention byte does not take it along.
    @Test func byteOffsetStopsAheadOfAnEmulationPreventionByteNotYetReached() throws {
        let bytes = [UInt8](hex: "0000 03 01")
        var reader = BitReader(bytes.span.bytes, hasEmulationPrevention: true)
        try reader.skip(16)
        #expect(reader.byteOffset == 2)
        try reader.skip(1)
        #expect(reader.byteOffset == 4)
    }

    @Test func bytesOutsideNALUnitsHaveNoEmulationPrevention() throws {
        let bytes = [UInt8](hex: "0000 03 01")
        var reader = BitReader(bytes.span.bytes)
        #expect(try reader.read(32) == 0x0000_0301)
    }

    @Test func anEmulationPreventionByteAtTheEndIsNotData() throws {
        let bytes = [UInt8](hex: "0000 03")
        var reader = BitReader(bytes.span.bytes, hasEmulationPrevention: true)
        try reader.skip(16)
        #expect(throws: CodecError.truncated) { _ = try reader.read(1) }
    }

    @Test func skipsToTheNextByte() throws {
        let bytes: [UInt8] = [0x80, 0x7F]
        var reader = BitReader(bytes.span.bytes)
        reader.skipToByteBoundary()
        #expect(try reader.readFlag())
        reader.skipToByteBoundary()
        #expect(try reader.read(8) == 0x7F)
    }
}
