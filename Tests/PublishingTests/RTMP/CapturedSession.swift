import NIOCore

@testable import Publishing

/// The bytes of an encoder whose stream was let in, with every form of header that there is.
struct CapturedSession {
    private(set) var bytes = ByteBuffer()

    /// Bytes of a chunk, once it has said so.
    private static let chunkSize = 200

    init() {
        write(2, kind: 1, [0, 0, 0, UInt8(Self.chunkSize)])
        write(2, kind: 5, [0, 0, 2, 0])
        write(4, kind: 18, Array(Self.metadata.readableBytesView), stream: 1)
        write(6, kind: 9, [0x17, 0, 0, 0, 0, 1, 2, 3], stream: 1)
        write(5, kind: 8, [0xAF, 0, 0x12, 0x10], stream: 1)
        let picture: [UInt8] = [0x17, 1, 0, 0, 0] + (0..<495).map { UInt8(truncatingIfNeeded: $0) }
        // A picture, with a sound between its chunks (RTMP 1.0 § 5.3.1).
        header(6, 0, time: 40, length: picture.count, kind: 9)
        bytes.writeBytes(picture[..<200])
        header(5, 1, time: 20, length: 6, kind: 8)
        bytes.writeBytes([0xAF, 1, 5, 6, 7, 8])
        bytes.writeInteger(0xC6 as UInt8)
        bytes.writeBytes(picture[200..<400])
        header(5, 2, time: 23)
        bytes.writeBytes([0xAF, 1, 9, 9, 9, 9])
        bytes.writeInteger(0xC6 as UInt8)
        bytes.writeBytes(picture[400...])
        // One like the one before it.
        bytes.writeInteger(0xC5 as UInt8)
        bytes.writeBytes([0xAF, 1, 3, 3, 3, 3])
        // A ping, and a time that does not fit into three bytes (§ 5.3.1.3), on a chunk stream that does not fit into six bits.
        write(2, kind: 4, [0, 6, 0, 0, 0, 9])
        bytes.writeBytes([0, 36])
        bytes.writeBytes([0xFF, 0xFF, 0xFF, 0, 1, 4, 9, 1, 0, 0, 0, 2, 0, 0, 0])
        bytes.writeBytes([0x27, 1] + Array(repeating: 4, count: 198))
        bytes.writeBytes([0xC0, 36, 2, 0, 0, 0])
        bytes.writeBytes(Array(repeating: 4, count: 60))
        var end = ByteBuffer()
        end.writeAMF0(.string("deleteStream"), .number(0), .null, .number(1))
        write(3, kind: 20, Array(end.readableBytesView))
    }

    static var metadata: ByteBuffer {
        var payload = ByteBuffer()
        payload.writeAMF0(.string("@setDataFrame"), .string("onMetaData"), .object(["width": .number(640)]))
        return payload
    }

    /// A session whose stream was let in.
    static var accepted: PublishSession {
        get throws {
            var session = PublishSession()
            _ = try session.read(Encoder.asking(application: "live", name: "key"))
            _ = try session.accept()
            return session
        }
    }

    private mutating func write(_ id: UInt8, kind: UInt8, _ payload: [UInt8], stream: UInt32 = 0) {
        let message = RTMPMessage(.init(rawValue: kind), streamID: stream, payload: ByteBuffer(bytes: payload))
        bytes.writeChunks(of: message, chunkStream: id, size: kind == 1 ? 128 : Self.chunkSize)
    }

    private mutating func header(_ id: UInt8, _ format: UInt8, time: UInt32, length: Int = 0, kind: UInt8 = 0) {
        bytes.writeInteger(format << 6 | id)
        bytes.writeUInt24(time)
        if format < 2 {
            bytes.writeUInt24(UInt32(length))
            bytes.writeInteger(kind)
        }
        if format == 0 { bytes.writeInteger(1 as UInt32, endianness: .little) }
    }
}
