import MediaCore
import NIOCore
import TestSupport
import Testing

@Suite struct ContentHashTests {
    private static func hash(_ bytes: [UInt8]) -> ContentHash { ContentHash(of: bytes.span.bytes) }

    /// Values are the same in every process, on every machine.
    @Test(
        arguments: [
            ([], 0xF8BB_92C9_1B3F_5CC0),
            ([0], 0x243B_037F_5FD1_14AA),
            ([0x21, 0x10, 0x04, 0x60, 0x8C, 0x1C], 0x50E9_587D_CE2B_9E3F),
            ((0..<16).map(UInt8.init), 0xCCA4_3407_6AD9_365C),
            ((0..<255).map(UInt8.init) + Array(repeating: 7, count: 1000), 0x6AB6_58BB_468D_5E0D),
            ((0..<100_000).map { UInt8($0 % 251) }, 0x1766_7C2C_5132_9F97),
        ] as [([UInt8], UInt64)]
    )
    func theSameBytesGiveTheSameValueForEver(bytes: [UInt8], value: UInt64) {
        #expect(Self.hash(bytes).value == value)
    }

    @Test func namesHaveEveryByte() {
        #expect(ContentHash.everyByte(of: ByteBuffer(string: "ftyp")).value == 0x8DFF_9578_DF0B_208E)
        #expect(ContentHash.everyByte(of: ByteBuffer()).description == "cbf29ce484222325")
    }

    @Test func aBufferIsReadFromItsReaderIndexOn() {
        var buffer = ByteBuffer(bytes: [9, 1, 2, 3])
        buffer.moveReaderIndex(forwardBy: 1)
        #expect(ContentHash(of: buffer) == Self.hash([1, 2, 3]))
    }

    @Test func zerosOfEveryLengthDiffer() {
        let values = Set((0..<2000).map { Self.hash(Array(repeating: 0, count: $0)) })
        #expect(values.count == 2000)
    }

    @Test(arguments: [1, 7, 8, 9, 255, 511, 512, 575])
    func everyByteOfAShortOneCounts(count: Int) {
        var generator = SeededGenerator(seed: 7)
        let bytes = generator.bytes(count)
        let value = Self.hash(bytes)
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 1
            #expect(Self.hash(other) != value)
        }
    }

    @Test func ofALongOneBothEndsCountAndAChangeThatGoesOn() {
        var generator = SeededGenerator(seed: 8)
        let bytes = generator.bytes(125_000)
        let value = Self.hash(bytes)
        for index in stride(from: 0, to: 4096, by: 61).flatMap({ [$0, 124_999 - $0] }) {
            var other = bytes
            other[index] ^= 0x80
            #expect(Self.hash(other) != value)
        }
        for start in stride(from: 4096, to: 116_000, by: 3333) {
            // What an entropy coder does: all bytes from the first difference on.
            let other = bytes[..<start] + generator.bytes(4096) + bytes[(start + 4096)...]
            #expect(Self.hash(Array(other)) != value)
        }
    }

    /// A digit of one date range among a thousand.
    @Test func everyByteOfALongTextCounts() {
        var text = ByteBuffer(repeating: UInt8(ascii: "x"), count: 125_000)
        let (value, part) = (ContentHash.whole(of: text), ContentHash(of: text))
        text.setInteger(UInt8(ascii: "y"), at: 60_000)
        #expect(ContentHash.whole(of: text) != value)
        #expect(ContentHash(of: text) == part)
        let short = ByteBuffer(repeating: 7, count: 60_000)
        #expect(ContentHash.whole(of: short) == ContentHash(of: short))
    }

    @Test func countersDoNotCollide() {
        var values: Set<ContentHash> = []
        for counter in 0..<200_000 as Range<UInt32> {
            values.insert(Self.hash([0, 0, 0, 1] + withUnsafeBytes(of: counter.bigEndian, Array.init)))
        }
        #expect(values.count == 200_000)
    }

    @Test func theHashSeesEveryBitAndTheLength() {
        let bytes = [UInt8](repeating: 0, count: 29)
        var hashes: Set<ContentHash> = []
        for count in 0...bytes.count { hashes.insert(ContentHash(of: ByteBuffer(bytes: bytes.prefix(count)))) }
        for bit in 0..<bytes.count * 8 {
            var changed = bytes
            changed[bit / 8] ^= 1 << (bit % 8)
            hashes.insert(ContentHash(of: ByteBuffer(bytes: changed)))
        }
        #expect(hashes.count == 30 + 29 * 8)
        #expect(ContentHash(of: ByteBuffer()).description.count == 16)
    }
}
