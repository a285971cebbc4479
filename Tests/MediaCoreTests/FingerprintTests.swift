import MediaCore
import NIOCore
import TestSupport
import Testing

@Suite struct FingerprintTests {
    private static func fingerprint(_ bytes: [UInt8]) -> Fingerprint { Fingerprint(of: bytes.span.bytes) }

    /// Values are the same in every process, on every machine.
    @Test(
        arguments: [
            ([], 0xF8BB_92C9_1B3F_5CC0),
            ([0], 0x243B_037F_5FD1_14AA),
            ([0x21, 0x10, 0x04, 0x60, 0x8C, 0x1C], 0x50E9_587D_CE2B_9E3F),
            ((0..<16).map(UInt8.init), 0xCCA4_3407_6AD9_365C),
            ((0..<255).map(UInt8.init) + Array(repeating: 7, count: 1000), 0x0AD2_207B_D26D_F415),
        ] as [([UInt8], UInt64)]
    )
    func theSameBytesGiveTheSameValueForEver(bytes: [UInt8], value: UInt64) {
        #expect(Self.fingerprint(bytes).value == value)
    }

    @Test func aBufferIsReadFromItsReaderIndexOn() {
        var buffer = ByteBuffer(bytes: [9, 1, 2, 3])
        buffer.moveReaderIndex(forwardBy: 1)
        #expect(Fingerprint(of: buffer) == Self.fingerprint([1, 2, 3]))
    }

    @Test func zerosOfEveryLengthDiffer() {
        let values = Set((0..<2000).map { Self.fingerprint(Array(repeating: 0, count: $0)) })
        #expect(values.count == 2000)
    }

    @Test(arguments: [1, 7, 8, 9, 255, 511, 512, 575])
    func everyByteOfAShortOneCounts(count: Int) {
        var generator = SeededGenerator(seed: 7)
        let bytes = generator.bytes(count)
        let value = Self.fingerprint(bytes)
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 1
            #expect(Self.fingerprint(other) != value)
        }
    }

    @Test func ofALongOneBothEndsCountAndAChangeThatGoesOn() {
        var generator = SeededGenerator(seed: 8)
        let bytes = generator.bytes(25_000)
        let value = Self.fingerprint(bytes)
        for index in Array(0..<256) + Array(24_744..<25_000) {
            var other = bytes
            other[index] ^= 0x80
            #expect(Self.fingerprint(other) != value)
        }
        for start in stride(from: 256, to: 24_800, by: 333) {
            // What an entropy coder does: all bytes from the first difference on.
            let other = bytes[..<start] + generator.bytes(64) + bytes[(start + 64)...]
            #expect(Self.fingerprint(Array(other)) != value)
        }
    }

    @Test func countersDoNotCollide() {
        var values: Set<Fingerprint> = []
        for counter in 0..<200_000 as Range<UInt32> {
            values.insert(Self.fingerprint([0, 0, 0, 1] + withUnsafeBytes(of: counter.bigEndian, Array.init)))
        }
        #expect(values.count == 200_000)
    }
}
