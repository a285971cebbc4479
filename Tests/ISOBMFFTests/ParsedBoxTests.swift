import MediaCore
import NIOCore
import Testing

@testable import ISOBMFF
@testable import Inspection

@Suite struct ParsedBoxTests {
    @Test func sizesOf32And64BitsAndToTheEnd() throws {
        let boxes = try ParsedBox.boxes(
            in: ByteBuffer(hex: "00000009 61616161 01  00000001 62626262 0000000000000011 02  00000000 63636363 0304")
        )
        #expect(boxes.map(\.type) == ["aaaa", "bbbb", "cccc"])
        #expect(boxes.map(\.range) == [0..<9, 9..<26, 26..<36])
        #expect(boxes.map(\.contentBytes) == [[1], [2], [3, 4]])
    }

    @Test func userTypeBelongsToTheHeader() throws {
        let boxes = try ParsedBox.boxes(in: ByteBuffer(hex: "00000019 75756964 000102030405060708090a0b0c0d0e0f 07"))
        #expect(boxes.map(\.contentBytes) == [[7]])
    }

    @Test func offsetsCountFromTheReaderIndex() throws {
        var bytes = ByteBuffer(hex: "ffff 0000000a 61616161 0102")
        bytes.moveReaderIndex(forwardBy: 2)
        let box = try #require(try ParsedBox.boxes(in: bytes).first)
        #expect(box.range == 0..<10)
        #expect(box.contentBytes == [1, 2])
    }

    @Test(arguments: [
        ("000000", MalformedBoxError.Reason.truncated, 0),
        ("00000008 6161", .truncated, 4),
        ("00000007 61616161", .impossibleSize, 0),
        ("00000009 61616161", .impossibleSize, 0),
        ("00000008 61616161 00000001 62626262 ffffffffffffffff", .impossibleSize, 8),
        ("00000001 62626262 000000000000000f", .impossibleSize, 0),
        ("00000001 62626262 0000", .truncated, 8),
        ("00000010 75756964 0000000000000000", .truncated, 8),
    ])
    func impossibleHeadersAreErrors(hex: String, reason: MalformedBoxError.Reason, offset: Int) {
        #expect(throws: MalformedBoxError(reason, at: offset)) { try ParsedBox.boxes(in: ByteBuffer(hex: hex)) }
    }

    @Test func missingChildIsAnError() throws {
        let boxes = try ParsedBox.boxes(in: ByteBuffer(hex: "00000010 61616161 00000008 62626262"))
        let box = try #require(boxes.first)
        #expect(try box.child("bbbb").range == 8..<16)
        #expect(throws: MalformedBoxError(.missing("cccc"), at: 0)) { try box.child("cccc") }
    }

    @Test func aFileOfHeadersAloneIsRefused() {
        var bytes = ByteBuffer()
        for _ in 0...(1 << 16) { bytes.writeMultipleIntegers(UInt32(8), UInt32(0x6672_6565)) }
        #expect(throws: MalformedBoxError(.tooManyEntries, at: 8 << 16)) { try ParsedBox.boxes(in: bytes) }
    }
}
