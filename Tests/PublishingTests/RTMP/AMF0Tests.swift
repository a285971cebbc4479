import NIOCore
import Testing

@testable import Publishing

@Suite struct AMF0Tests {
    @Test func whatIsWrittenIsRead() {
        let values: [AMF0Value] = [
            .string("connect"), .number(1), .null, .undefined, .boolean(true), .date(1_700_000_000_000),
            .object(["app": .string("live"), "nested": .object(["x": .number(-0.5)])]),
            .array([.number(2), .string("")]),
            .string(String(repeating: "x", count: 70_000)),
        ]
        var bytes = ByteBuffer()
        for value in values { bytes.writeAMF0(value) }
        #expect(bytes.readAMF0Values() == values)
    }

    /// Such as FFmpeg and OBS send it: an ECMA array whose count is wrong.
    @Test func theCountOfAnECMAArrayIsAHint() {
        var bytes = ByteBuffer(bytes: [8, 0, 0, 0, 99, 0, 1, 0x61, 1, 1, 0, 0, 9])
        #expect(bytes.readAMF0Values() == [.object(["a": .boolean(true)])])
    }

    @Test(
        arguments: [
            [0, 1], [2, 0, 5, 0x61], [3, 0, 1, 0x61, 0], [10, 0xFF, 0xFF, 0xFF, 0xFF, 5], [99],
            Array(repeating: [3, 0, 1, 0x61] as [UInt8], count: 1000).flatMap(\.self),
        ] as [[UInt8]]
    )
    func whatIsCutOffOrTooDeepIsLeftOut(bytes: [UInt8]) {
        var buffer = ByteBuffer(bytes: bytes)
        #expect(buffer.readAMF0Values() == [])
    }

    /// A byte of a message may be a value of its own, which costs more than a byte.
    @Test func valuesAreLimited() {
        var flat = ByteBuffer(repeating: 5, count: 1 << 20)
        #expect(flat.readAMF0Values().count == 1_024)
        var array = ByteBuffer(bytes: [10, 0, 1, 0, 0])
        array.writeRepeatingByte(5, count: 65_536)
        #expect(array.readAMF0Values() == [])
        var properties = ByteBuffer(bytes: [3])
        for index in 0..<5_000 { properties.writeBytes([0, 2, UInt8(index >> 8), UInt8(index & 0xFF), 5]) }
        properties.writeBytes([0, 0, 9])
        #expect(properties.readAMF0Values() == [])
    }
}
