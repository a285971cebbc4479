import NIOCore
import Testing

@testable import Publishing

@Suite struct ChunkReaderTests {
    private static func read(_ bytes: [UInt8]) throws -> [RTMPMessage] {
        var buffer = ByteBuffer(bytes: bytes)
        var reader = ChunkReader(mostBytes: 1 << 20)
        var messages: [RTMPMessage] = []
        while let message = try reader.read(&buffer) { messages.append(message) }
        return messages
    }

    /// RTMP 1.0 § 5.3.2.1: shorter headers say what is as it was before.
    @Test func headersReferToThoseBefore() throws {
        let messages = try Self.read(
            [3, 0, 3, 0xE8, 0, 0, 2, 8, 1, 0, 0, 0, 10, 11]
                + [0x83, 0, 0, 20, 12, 13] + [0xC3, 14, 15] + [0x43, 0, 0, 1, 0, 0, 1, 9, 16]
        )
        #expect(messages.map(\.timestamp) == [1000, 1020, 1040, 1041])
        #expect(messages.map(\.kind) == [.audio, .audio, .audio, .video])
        #expect(messages.map { Array($0.payload.readableBytesView) } == [[10, 11], [12, 13], [14, 15], [16]])
        #expect(messages.allSatisfy { $0.streamID == 1 })
    }

    /// § 5.3.1.3: each chunk of a message that has an extended timestamp repeats it.
    @Test func timestampsMayHave32Bits() throws {
        let time: [UInt8] = [0x01, 0x02, 0x03, 0x04]
        let bytes =
            [3, 0xFF, 0xFF, 0xFF, 0, 0, 130, 9, 1, 0, 0, 0] + time + Array(repeating: 5, count: 128) + [0xC3] + time
            + [6, 7]
        let message = try #require(try Self.read(bytes).first)
        #expect(message.timestamp == 0x0102_0304)
        #expect(Array(message.payload.readableBytesView) == Array(repeating: 5, count: 128) + [6, 7])
    }

    @Test func messagesOfSeveralStreamsAreInterleaved() throws {
        let half = Array(repeating: 1 as UInt8, count: 128)
        let bytes: [UInt8] =
            [4, 0, 0, 0, 0, 1, 0, 9, 1, 0, 0, 0] + half + [0, 0, 0, 0, 0, 0, 0, 1, 8, 1, 0, 0, 0, 9] + [0xC4] + half
        let messages = try Self.read(bytes)
        #expect(messages.map(\.kind) == [.audio, .video])
        #expect(messages.map(\.payload.readableBytes) == [1, 256])
    }

    /// RTMP 1.0 § 5.4.1, § 5.4.2.
    @Test func chunksHaveTheSizeThatWasSetAndMessagesAreGivenUp() throws {
        let bytes: [UInt8] =
            [2, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0, 0, 0, 0, 2] + [4, 0, 0, 0, 0, 0, 4, 9, 1, 0, 0, 0, 1, 2]
            + [2, 0, 0, 0, 0, 0, 4, 2, 0, 0, 0, 0, 0, 0, 0xC2, 0, 4]
        // Its payload has two chunks, too.
        #expect(try Self.read(bytes) == [])
        let again = bytes + [4, 0, 0, 9, 0, 0, 3, 9, 1, 0, 0, 0, 7, 8, 0xC4, 9]
        #expect(try Self.read(again).map { Array($0.payload.readableBytesView) } == [[7, 8, 9]])
    }

    @Test func aChunkThatRefersToNothingIsAnError() {
        #expect(throws: RTMPError.self) { try Self.read([0xC5, 1]) }
    }

    @Test func chunkStreamsAreLimited() {
        let bytes = (2..<63).flatMap { id -> [UInt8] in [id, 0, 0, 0, 0, 0, 2, 9, 1, 0, 0, 0, 1, 2] }
        #expect(throws: RTMPError.excessive("chunk streams")) { try Self.read(bytes) }
    }

    /// A picture costs its bytes, and not the square of them.
    @Test func aLongMessageInSmallChunksIsReadInOnePass() throws {
        let payload = (0..<500_000).map { UInt8(truncatingIfNeeded: $0) }
        var bytes = ByteBuffer()
        bytes.writeChunks(of: Encoder.media(.video, payload), chunkStream: 4)
        var reader = ChunkReader(mostBytes: 1 << 20)
        let message = try #require(try reader.read(&bytes))
        #expect(Array(message.payload.readableBytesView) == payload)
        #expect(bytes.readableBytes == 0)
    }

    /// The bound is that of a connection: it does not grow with its chunk streams.
    @Test func messagesThatAreNotWholeShareTheBound() throws {
        var reader = ChunkReader(mostBytes: 1_000)
        var bytes = ByteBuffer()
        // Each of 900 bytes, of which 128 have come.
        func begin(_ stream: UInt8) {
            bytes.writeBytes([stream, 0, 0, 0, 0, 3, 0x84, 9, 1, 0, 0, 0])
            bytes.writeRepeatingByte(1, count: 128)
        }
        for stream in 3..<10 as Range<UInt8> { begin(stream) }
        // One that begins anew gives up what had come.
        for _ in 0..<100 { begin(9) }
        #expect(try reader.read(&bytes) == nil)
        // So does one that is aborted.
        bytes.writeBytes([2, 0, 0, 0, 0, 0, 4, 2, 0, 0, 0, 0, 0, 0, 0, 9])
        begin(10)
        #expect(try reader.read(&bytes) == nil)
        begin(11)
        #expect(throws: RTMPError.excessive("bytes in messages that are not whole")) { try reader.read(&bytes) }
    }
}
