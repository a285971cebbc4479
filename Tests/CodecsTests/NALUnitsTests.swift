import Codecs
import MediaCore
import TestSupport
import Testing

struct NALUnitsTests {
    private func split(_ bytes: [UInt8], _ framing: NALUnits.Framing) throws -> [String] {
        var nalUnits = NALUnits(bytes.span.bytes, framing: framing)
        var result: [String] = []
        while let nalUnit = try nalUnits.next() { result.append(nalUnit.withUnsafeBytes { Array($0) }.hex) }
        return result
    }

    @Test(arguments: [
        ("000001 65aa", ["65aa"]),
        ("00000001 65aa", ["65aa"]),
        ("000001 65aa 000001 41bb", ["65aa", "41bb"]),
        ("00000001 65aa 00000001 41bb", ["65aa", "41bb"]),
        ("ff00ff 000001 65aa", ["65aa"]),
        ("00000000000001 65aa 000000000000000001 41bb 00000000", ["65aa", "41bb"]),
        ("000001 000001 65aa 000001", ["65aa"]),
        ("000001 01 000001 0101 000001 010001", ["01", "0101", "010001"]),
        ("000001 65000003 000001 41", ["65000003", "41"]),
        ("", []), ("01", []), ("0001", []), ("65aa", []), ("000001", []), ("0000", []),
    ])
    func startCodesDivideNALUnits(hex: String, expected: [String]) throws {
        #expect(try split([UInt8](hex: hex), .startCodes) == expected)
    }

    @Test(arguments: [
        (1, "02 65aa 01 41", ["65aa", "41"]),
        (2, "0002 65aa 0001 41", ["65aa", "41"]),
        (4, "00000002 65aa 00000000 00000001 41", ["65aa", "41"]),
        (4, "", []),
    ])
    func lengthsDivideNALUnits(size: Int, hex: String, expected: [String]) throws {
        #expect(try split([UInt8](hex: hex), .lengths(size: size)) == expected)
    }

    @Test(arguments: [
        (1, "02 65"), (2, "0002 65"), (2, "00"), (4, "00000003 65aa"), (4, "00000002 65aa 000000"), (4, "ffffffff 65"),
    ])
    func aLengthBeyondTheEndIsAnError(size: Int, hex: String) {
        #expect(throws: CodecError.truncated) { try split([UInt8](hex: hex), .lengths(size: size)) }
    }

    @Test func whateverIsJoinedIsDividedAgain() throws {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<300 {
            var stream: [UInt8] = []
            var expected: [String] = []
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                // Of few values, so that near-misses of start codes abound.
                let body = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                    UInt8.random(in: 0...3, using: &generator)
                }
                let nalUnit = ([0x65] + body + [0x80]).escaped
                expected.append(nalUnit.hex)
                stream += [UInt8](repeating: 0, count: Int.random(in: 2...5, using: &generator)) + [1] + nalUnit
            }
            stream += [UInt8](repeating: 0, count: Int.random(in: 0...3, using: &generator))
            #expect(try split(stream, .startCodes) == expected)
        }
    }
}
