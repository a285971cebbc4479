package import NIOCore

/// The server's side of a connection with one publishing encoder (RTMP 1.0).
///
/// It has no I/O: it takes bytes, and returns actions. Nothing is taken for media before the stream's name was
/// accepted.
package struct PublishSession: Sendable {
    package enum Action: Hashable, Sendable {
        case send(ByteBuffer)
        /// A request to be answered by ``accept()`` or ``refuse(_:)``.
        case requested(PublishRequest)
        /// Audio, video or data of the stream.
        case media(RTMPMessage)
        /// The encoder has ended the stream.
        case ended
    }

    enum Phase: Sendable {
        case greeting, echo, commands, asked, publishing, over
    }

    var phase = Phase.greeting
    var chunks = ChunkReader(mostBytes: Self.mostBytesOfStrangers)
    var unread = ByteBuffer()
    private var application = ""
    var stream: UInt32 = 0
    var received: UInt32 = 0
    var acknowledged: UInt32 = 0
    /// The number of bytes after which the encoder wants an acknowledgement (§ 5.4.4).
    var window: UInt32 = Self.window
    /// Bytes and messages before the request to publish.
    private var heardBytes = 0
    private var heardMessages = 0
    /// The number of steps towards publishing: the greeting, its answer, and `connect`.
    package internal(set) var progress = 0

    /// The most bytes before the request to publish; encoders need some 4,000.
    package static let mostBytesOfStrangers = 65_536
    /// The most messages before the request to publish; encoders need some eight.
    static let mostMessagesOfStrangers = 64
    /// Bytes of a message, and of all that are not whole yet: more than any picture has.
    package static let mostBytes = 8 << 20
    /// Bytes that the encoder may send ahead of acknowledgements.
    private static let window: UInt32 = 2_500_000
    private static let helloSize = 1_536
    private static let streamID: UInt32 = 1

    package init() {}

    /// Reads the bytes that have come next.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - actions: Gets the actions to carry out, in order, also those before an error.
    /// - Throws: An error if the session can be read no further: the connection is to be closed.
    package mutating func read(_ bytes: ByteBuffer, into actions: inout [Action]) throws(RTMPError) {
        // Messages after the end are dropped.
        if phase == .over { return }
        received &+= UInt32(truncatingIfNeeded: bytes.readableBytes)
        unread.writeImmutableBuffer(bytes)
        while try advance(&actions) {}
        if isStranger {
            heardBytes += bytes.readableBytes
            guard heardBytes <= Self.mostBytesOfStrangers else {
                throw .excessive("bytes before a stream was asked for")
            }
        }
        // Free the bytes that were read.
        if phase == .over { unread.clear() } else { unread.discardReadBytes() }
        if received &- acknowledged >= window, phase != .greeting, phase != .echo {
            acknowledged = received
            actions.append(.send(Self.control(.acknowledgement, received)))
        }
    }

    /// True before the request to publish.
    private var isStranger: Bool {
        switch phase {
        case .greeting, .echo, .commands: true
        case .asked, .publishing, .over: false
        }
    }

    /// - Returns: True if there may be more to read.
    private mutating func advance(_ actions: inout [Action]) throws(RTMPError) -> Bool {
        switch phase {
        case .greeting:
            // C0 and C1 (§ 5.2.2, § 5.2.3).
            if let version = unread.getInteger(at: unread.readerIndex, as: UInt8.self), version != 3 { throw .notRTMP }
            guard unread.readableBytes > Self.helloSize else { return false }
            unread.moveReaderIndex(forwardBy: 1)
            guard let hello = unread.readSlice(length: Self.helloSize) else { return false }
            actions.append(.send(Self.greeting(answering: hello)))
            phase = .echo
            progress = 1
        case .echo:
            guard unread.readSlice(length: Self.helloSize) != nil else { return false }
            phase = .commands
            progress = 2
        case .commands, .publishing:
            guard let message = try chunks.read(&unread) else { return false }
            if isStranger {
                heardMessages += 1
                guard heardMessages <= Self.mostMessagesOfStrangers else {
                    throw .excessive("messages before a stream was asked for")
                }
            }
            try heard(message, &actions)
        case .asked, .over:
            return false
        }
        return true
    }

    /// Accepts the stream.
    ///
    /// - Parameter actions: Gets the answer to the encoder, and the media that it has sent meanwhile.
    /// - Throws: As ``read(_:into:)``.
    package mutating func accept(into actions: inout [Action]) throws(RTMPError) {
        guard phase == .asked else { return }
        phase = .publishing
        chunks.mostBytes = Self.mostBytes
        var bytes = ByteBuffer()
        // StreamBegin (§ 7.1.7)
        var begin = ByteBuffer()
        begin.writeInteger(0 as UInt16)
        begin.writeInteger(stream)
        bytes.writeChunks(of: RTMPMessage(.userControl, payload: begin), chunkStream: 2)
        bytes.writeImmutableBuffer(status("status", "NetStream.Publish.Start", "it is being published"))
        actions.append(.send(bytes))
        try read(ByteBuffer(), into: &actions)
    }

    /// The stream may not be published; the connection is to be closed once this is sent.
    ///
    /// - Returns: The answer to the encoder.
    package mutating func refuse(_ refusal: PublishRefusal) -> ByteBuffer {
        phase = .over
        return status("error", "NetStream.Publish.BadName", refusal.rawValue)
    }

    // MARK: Messages

    private mutating func heard(_ message: RTMPMessage, _ actions: inout [Action]) throws(RTMPError) {
        var payload = message.payload
        switch message.kind {
        case .windowAcknowledgementSize:
            if let size = payload.readInteger(as: UInt32.self), size > 0 { window = size }
        case .userControl:
            // PingRequest is answered by PingResponse (§ 7.1.7).
            guard payload.readInteger(as: UInt16.self) == 6, let time = payload.readInteger(as: UInt32.self) else {
                return
            }
            var pong = ByteBuffer()
            pong.writeInteger(7 as UInt16)
            pong.writeInteger(time)
            var bytes = ByteBuffer()
            bytes.writeChunks(of: RTMPMessage(.userControl, payload: pong), chunkStream: 2)
            actions.append(.send(bytes))
        case .command:
            try commanded(payload.readAMF0Values(), on: message.streamID, &actions)
        case .commandAMF3:
            // AMF 0 behind a byte that says so.
            payload.moveReaderIndex(forwardBy: min(1, payload.readableBytes))
            try commanded(payload.readAMF0Values(), on: message.streamID, &actions)
        case .audio, .video, .data:
            if phase == .publishing { actions.append(.media(message)) }
        case .dataAMF3:
            guard phase == .publishing else { return }
            payload.moveReaderIndex(forwardBy: min(1, payload.readableBytes))
            actions.append(
                .media(RTMPMessage(.data, timestamp: message.timestamp, streamID: message.streamID, payload: payload))
            )
        case .aggregate:
            if phase == .publishing { actions += try message.parts().map(Action.media) }
        default:
            break
        }
    }

    private mutating func commanded(
        _ values: [AMF0Value],
        on stream: UInt32,
        _ actions: inout [Action]
    ) throws(RTMPError) {
        guard let name = values.first?.text else { throw .malformed("a command without a name") }
        let transaction = values.count > 1 ? values[1].number ?? 0 : 0
        let argument = values.count > 3 ? values[3].text : nil
        switch name {
        case "connect":
            guard phase == .commands else { return }
            progress = 3
            let properties = values.count > 2 ? values[2].properties ?? [:] : [:]
            application = properties["app"]?.text ?? ""
            actions.append(.send(Self.connected(transaction)))
        case "createStream":
            guard phase == .commands else { return }
            actions.append(.send(result(transaction, .null, .number(Double(Self.streamID)))))
        case "releaseStream", "FCPublish", "_checkbw", "getStreamLength":
            guard phase == .commands else { return }
            actions.append(.send(result(transaction, .null, .undefined)))
        case "publish":
            guard phase == .commands else { return }
            (phase, self.stream) = (.asked, stream)
            actions.append(.requested(PublishRequest(application: application, name: argument ?? "")))
        case "play", "play2":
            // Players are always refused.
            phase = .over
            actions += [.send(status("error", "NetStream.Play.Failed", "streams are not played from here")), .ended]
        case "FCUnpublish", "deleteStream", "closeStream":
            guard phase == .publishing else { return }
            phase = .over
            actions.append(.ended)
        default:
            break
        }
    }

    // MARK: Answers

    /// S0, S1 and S2 (§ 5.2).
    ///
    /// The last one repeats the encoder's bytes.
    private static func greeting(answering hello: ByteBuffer) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.writeInteger(3 as UInt8)
        bytes.writeRepeatingByte(0, count: 8)
        // The rest is filled with bytes that need not be secret (§ 5.2.3).
        bytes.writeBytes((8..<helloSize).map { UInt8(truncatingIfNeeded: $0 &* 167) })
        bytes.writeImmutableBuffer(hello)
        return bytes
    }

    private static func connected(_ transaction: Double) -> ByteBuffer {
        var bytes = control(.windowAcknowledgementSize, window)
        var bandwidth = ByteBuffer()
        bandwidth.writeInteger(window)
        // Dynamic (§ 5.4.5)
        bandwidth.writeInteger(2 as UInt8)
        bytes.writeChunks(of: RTMPMessage(.setPeerBandwidth, payload: bandwidth), chunkStream: 2)
        bytes.writeImmutableBuffer(
            command(
                .string("_result"),
                .number(transaction),
                .object(["fmsVer": .string("FMS/3,0,1,123"), "capabilities": .number(31)]),
                .object([
                    "level": .string("status"), "code": .string("NetConnection.Connect.Success"),
                    "description": .string("connected"), "objectEncoding": .number(0),
                ])
            )
        )
        return bytes
    }

    private func status(_ level: String, _ code: String, _ description: String) -> ByteBuffer {
        let information: [String: AMF0Value] = [
            "level": .string(level), "code": .string(code), "description": .string(description),
        ]
        return Self.command(.string("onStatus"), .number(0), .null, .object(information), stream: stream)
    }

    private func result(_ transaction: Double, _ values: AMF0Value...) -> ByteBuffer {
        Self.command(.string("_result"), .number(transaction), values[0], values[1])
    }

    private static func command(
        _ name: AMF0Value,
        _ transaction: AMF0Value,
        _ object: AMF0Value,
        _ argument: AMF0Value,
        stream: UInt32 = 0
    ) -> ByteBuffer {
        var payload = ByteBuffer()
        payload.writeAMF0(name, transaction, object, argument)
        var bytes = ByteBuffer()
        bytes.writeChunks(of: RTMPMessage(.command, streamID: stream, payload: payload), chunkStream: 3)
        return bytes
    }

    private static func control(_ kind: RTMPMessage.Kind, _ value: UInt32) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.writeChunks(of: RTMPMessage(kind, payload: ByteBuffer(integer: value)), chunkStream: 2)
        return bytes
    }
}
