import NIOCore

@testable import Publishing

/// The messages of an encoder, written by hand.
struct Encoder {
    /// C0, C1 and C2.
    static var greeting: ByteBuffer {
        var bytes = ByteBuffer(bytes: [3])
        bytes.writeRepeatingByte(7, count: 2 * 1_536)
        return bytes
    }

    static func command(_ values: AMF0Value..., stream: UInt32 = 0, size: Int = 128) -> ByteBuffer {
        var payload = ByteBuffer()
        for value in values { payload.writeAMF0(value) }
        return message(RTMPMessage(.command, streamID: stream, payload: payload), size: size)
    }

    static func message(_ message: RTMPMessage, size: Int = 128) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.writeChunks(of: message, chunkStream: 3, size: size)
        return bytes
    }

    /// All that comes before the answer to `publish`.
    static func asking(application: String, name: String) -> ByteBuffer {
        var bytes = greeting
        bytes.writeImmutableBuffer(command(.string("connect"), .number(1), .object(["app": .string(application)])))
        bytes.writeImmutableBuffer(command(.string("releaseStream"), .number(2), .null, .string(name)))
        bytes.writeImmutableBuffer(command(.string("createStream"), .number(3), .null))
        bytes.writeImmutableBuffer(
            command(.string("publish"), .number(4), .null, .string(name), .string("live"), stream: 1)
        )
        return bytes
    }

    static func media(_ kind: RTMPMessage.Kind, _ bytes: [UInt8], at time: UInt32 = 0) -> RTMPMessage {
        RTMPMessage(kind, timestamp: time, streamID: 1, payload: ByteBuffer(bytes: bytes))
    }
}

extension PublishSession {
    /// The actions that follow from the bytes; with an error there are none.
    mutating func read(_ bytes: ByteBuffer) throws(RTMPError) -> [Action] {
        var actions: [Action] = []
        try read(bytes, into: &actions)
        return actions
    }

    /// The actions that follow from a stream's being let in.
    mutating func accept() throws(RTMPError) -> [Action] {
        var actions: [Action] = []
        try accept(into: &actions)
        return actions
    }
}
