import MediaCore
import NIOCore
import Testing

@Suite struct OutputRawSpanTests {
    @Test func integersAreWrittenBigEndianFirst() {
        var buffer = ByteBuffer()
        buffer.writeWithOutputRawSpan(minimumWritableBytes: 64) { span in
            span.writeInteger(UInt8(0x01))
            span.writeInteger(UInt16(0x0203))
            span.writeUInt24(0xFF04_0506)
            span.writeInteger(UInt32(0x0708_090A))
            span.writeInteger(Int64(-2))
            span.write([0x0B, 0x0C])
            span.write(Bytes16(high: 0x1011_1213_1415_1617, low: 0x1819_1A1B_1C1D_1E1F))
        }
        #expect(
            buffer.readableBytesView.hex
                == "01" + "0203" + "040506" + "0708090a" + "fffffffffffffffe" + "0b0c"
                + "101112131415161718191a1b1c1d1e1f"
        )
    }
}
