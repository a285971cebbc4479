import MediaCore
import TestSupport
import Testing

@Suite struct Bytes16Tests {
    static let text = "000102030405060708090a0b0c0d0eff"
    static let value = Bytes16(high: 0x0001_0203_0405_0607, low: 0x0809_0A0B_0C0D_0EFF)

    @Test func bytesCountFromTheMostSignificant() {
        let bytes: [UInt8] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255]
        #expect(Bytes16(bytes) == Self.value)
        #expect(Self.value.bytes == bytes)
    }

    @Test func slicesOfLongerArraysAreTakenAsTheyAre() {
        let bytes: [UInt8] = [9, 9] + Self.value.bytes + [9]
        #expect(Bytes16(bytes[2..<18]) == Self.value)
    }

    @Test(arguments: [0, 1, 15, 17, 32])
    func otherCountsOfBytesAreRefused(count: Int) {
        #expect(Bytes16([UInt8](repeating: 1, count: count)) == nil)
    }

    @Test func hexadecimalIsReadInBothCasesAndWrittenInLower() {
        #expect(Bytes16(hex: Self.text) == Self.value)
        #expect(Bytes16(hex: Self.text.uppercased()) == Self.value)
        #expect(Self.value.hex == Self.text)
        #expect(Bytes16(hex: String(repeating: "f", count: 32)) == Bytes16(high: .max, low: .max))
    }

    @Test(arguments: [
        "", "0", "000102030405060708090a0b0c0d0e", "000102030405060708090a0b0c0d0eff00",
        "000102030405060708090a0b0c0d0efg", "0x0102030405060708090a0b0c0d0eff", "+00102030405060708090a0b0c0d0eff",
        "00010203040506+708090a0b0c0d0eff", "0001020304050607-8090a0b0c0d0eff", "000102030405060708090a0b0c0d0ef ",
        "٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠٠", "０００００００００００００00",
    ])
    func anythingElseIsNotHexadecimal(text: String) {
        #expect(Bytes16(hex: text) == nil)
    }

    @Test func anyValueComesBack() {
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<200 {
            let value = Bytes16(high: generator.next(), low: generator.next())
            #expect(Bytes16(value.bytes) == value)
            #expect(Bytes16(hex: value.hex) == value)
        }
    }

    @Test func anySequenceOfBytesHasItsHexadecimal() {
        #expect([0, 0x0F, 0xA0].hex == "000fa0")
        #expect([UInt8]().hex == "")
    }
}
