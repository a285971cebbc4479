import TestSupport
import Testing

@testable import Codecs

struct BitWriterTests {
    @Test func writesMostSignificantBitsFirst() {
        var writer = BitWriter()
        writer.write(true)
        writer.write(0b0100101, bits: 7)
        writer.write(0x12345, bits: 20)
        #expect(writer.bytes == [0xA5, 0x12, 0x34, 0x50])
        #expect(writer.bitCount == 28)
        writer.alignToByte()
        writer.write(0xFFFF_FFFF as UInt32, bits: 32)
        #expect(writer.bytes == [0xA5, 0x12, 0x34, 0x50, 0xFF, 0xFF, 0xFF, 0xFF])
    }

    @Test func whatIsWrittenIsRead() throws {
        var generator = SeededGenerator(seed: 1)
        var writer = BitWriter()
        var written: [(value: UInt32, bits: Int)] = []
        for _ in 0..<500 {
            let bits = Int.random(in: 0...32, using: &generator)
            let value = bits == 0 ? 0 : UInt32.random(in: 0...(.max), using: &generator) >> UInt32(32 - bits)
            writer.write(value, bits: bits)
            written.append((value, bits))
        }
        let bytes = writer.bytes
        var reader = BitReader(bytes.span.bytes)
        for (value, bits) in written { #expect(try reader.read(bits) == value) }
    }
}
