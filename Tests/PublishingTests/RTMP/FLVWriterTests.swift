import NIOCore
import Testing

@testable import Publishing

@Suite struct FLVWriterTests {
    @Test func messagesBecomeTagsBehindAHeader() {
        var writer = FLVWriter()
        var bytes = ByteBuffer()
        writer.write(Encoder.media(.audio, [0xAF, 0], at: 0x0102_0304), to: &bytes)
        let header: [UInt8] = Array("FLV".utf8) + [1, 4, 0, 0, 0, 9, 0, 0, 0, 0]
        let tag: [UInt8] = [8, 0, 0, 2, 0x02, 0x03, 0x04, 0x01, 0, 0, 0, 0xAF, 0, 0, 0, 0, 13]
        #expect(Array(bytes.readableBytesView) == header + tag)
        bytes.clear()
        writer.write(Encoder.media(.video, [1]), to: &bytes)
        #expect(Array(bytes.readableBytesView.prefix(4)) == [9, 0, 0, 1])
    }

    /// Instructions to servers are left out, and the metadata says what is to come.
    @Test func metadataSaysWhatThereIs() {
        var payload = ByteBuffer()
        payload.writeAMF0(
            .string("@setDataFrame"),
            .string("onMetaData"),
            .object(["audiocodecid": .number(10), "videocodecid": .number(7)])
        )
        var writer = FLVWriter()
        var bytes = ByteBuffer()
        writer.write(RTMPMessage(.data, payload: payload), to: &bytes)
        #expect(bytes.getInteger(at: 4, as: UInt8.self) == 5)
        var tag = bytes.getSlice(at: 13 + 11, length: bytes.readableBytes - 13 - 11 - 4) ?? ByteBuffer()
        #expect(tag.readAMF0Values().first == .string("onMetaData"))
    }

    @Test func whatIsNoMediaHasNoTag() {
        var writer = FLVWriter()
        var bytes = ByteBuffer()
        writer.write(Encoder.media(.userControl, [1]), to: &bytes)
        writer.write(Encoder.media(.video, []), to: &bytes)
        #expect(bytes.readableBytes == 0)
    }

    /// RTMP 1.0 § 7.1.6: times inside count from that of the message.
    @Test func aggregateMessagesHaveParts() throws {
        let tags: [UInt8] =
            [8, 0, 0, 1, 0, 0, 100, 0, 0, 0, 0, 1, 0, 0, 0, 12] + [9, 0, 0, 1, 0, 0, 140, 0, 0, 0, 0, 2, 0, 0, 0, 12]
        let parts = try Encoder.media(.aggregate, tags + [9, 0, 0], at: 5000).parts()
        #expect(parts.map(\.kind) == [.audio, .video])
        #expect(parts.map(\.timestamp) == [5000, 5040])
    }

    @Test func partsOfAnAggregateAreLimited() {
        let tag: [UInt8] = [8, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 12]
        let message = Encoder.media(.aggregate, Array(repeating: tag, count: 5_000).flatMap(\.self))
        #expect(throws: RTMPError.excessive("messages in an aggregate")) { try message.parts() }
    }
}
