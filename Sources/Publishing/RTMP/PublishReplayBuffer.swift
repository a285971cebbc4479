package import NIOCore

/// Keeps the published messages on request, and always the headers that are needed to begin with them.
package struct PublishReplayBuffer: Sendable {
    /// Metadata and codec headers that hold where the messages begin, in the order in which they came.
    private var headings: [(heading: RTMPMessage.Heading, message: RTMPMessage)] = []
    private var messages: [RTMPMessage] = []
    private var cost = 0
    /// True while messages are kept.
    package private(set) var isRunning = false
    private let mostBytes: Int

    /// A quarter of a minute at 25 Mbit/s; beyond it, the older half is dropped.
    package static let mostBytes = 48 << 20
    /// Metadata and headers that are kept.
    static let mostHeadings = 16
    /// The most bytes of a header, more than any codec needs.
    static let longestHeading = 65_536
    /// Bytes that a message costs beside its own.
    private static let overhead = 128

    /// - Parameter mostBytes: The most bytes of its messages.
    package init(mostBytes: Int = Self.mostBytes) {
        self.mostBytes = mostBytes
    }

    /// Keeps messages from now on, and none of those before.
    package mutating func start() {
        stop()
        isRunning = true
    }

    /// Keeps messages from now on, and those that it has.
    package mutating func resume() { isRunning = true }

    /// Keeps no messages any more, and forgets those that it has.
    package mutating func stop() {
        for message in messages { noteHeading(message) }
        (messages, cost, isRunning) = ([], 0, false)
    }

    /// Notes the next message.
    package mutating func note(_ message: RTMPMessage) {
        guard isRunning else { return noteHeading(message) }
        messages.append(message)
        cost += Self.cost(of: message)
        // The newer half may hold most of the bytes: small messages come before large pictures.
        while cost > mostBytes { forgetOlderHalf() }
    }

    private mutating func forgetOlderHalf() {
        let count = (messages.count + 1) / 2
        for message in messages.prefix(count) {
            noteHeading(message)
            cost -= Self.cost(of: message)
        }
        messages.removeFirst(count)
    }

    private mutating func noteHeading(_ message: RTMPMessage) {
        guard message.payload.readableBytes <= Self.longestHeading, let heading = message.heading else { return }
        var message = message
        // A slice would keep its larger buffer alive.
        message.payload = ByteBuffer(bytes: message.payload.readableBytesView)
        if let place = headings.firstIndex(where: { $0.heading == heading }) {
            headings[place].message = message
        } else if headings.count < Self.mostHeadings {
            headings.append((heading, message))
        }
    }

    private static func cost(of message: RTMPMessage) -> Int { message.payload.readableBytes + overhead }

    /// The messages to begin with: metadata and headers, and the kept messages from the first key frame on.
    ///
    /// Before a key frame no picture can be decoded, and earlier audio is not heard.
    package var playback: [RTMPMessage] {
        var kept = messages[...]
        if let start = messages.firstIndex(where: \.isKeyFrame) {
            let time = messages[start].timestamp
            let before = messages[..<start].filter { message in
                let isLater = Int32(bitPattern: message.timestamp &- time) >= 0
                return message.heading != nil || message.kind != .video && isLater
            }
            kept = before + messages[start...]
        }
        return headings.map(\.message) + kept
    }

    // MARK: State

    /// Writes the whole state, for ``init(readingState:)``.
    package func writeState(to bytes: inout ByteBuffer) {
        bytes.writeInteger(UInt8(headings.count))
        for (_, message) in headings { Self.write(message, to: &bytes) }
        bytes.writeInteger(UInt32(messages.count))
        for message in messages { Self.write(message, to: &bytes) }
    }

    private static func write(_ message: RTMPMessage, to bytes: inout ByteBuffer) {
        bytes.writeInteger(message.kind.rawValue)
        bytes.writeInteger(message.timestamp)
        bytes.writeInteger(message.streamID)
        bytes.writeInteger(UInt32(message.payload.readableBytes))
        bytes.writeImmutableBuffer(message.payload)
    }

    /// Reads a buffer, which does not run.
    ///
    /// - Parameter bytes: The buffer; bytes behind it stay there.
    /// - Throws: ``RTMPError/malformed(_:)`` if it is not a state, or too large.
    package init(readingState bytes: inout ByteBuffer) throws(RTMPError) {
        self.init()
        guard let count = bytes.readInteger(as: UInt8.self), count <= Self.mostHeadings else {
            throw .malformed("a replay buffer with too many headers")
        }
        for _ in 0..<count {
            let message = try Self.readMessage(&bytes)
            guard let heading = message.heading, message.payload.readableBytes <= Self.longestHeading,
                !headings.contains(where: { $0.heading == heading })
            else { throw .malformed("a replay buffer with a header that is none") }
            headings.append((heading, message))
        }
        guard let count = bytes.readInteger(as: UInt32.self), Int(count) <= mostBytes / Self.overhead else {
            throw .malformed("a replay buffer with too many messages")
        }
        for _ in 0..<count {
            let message = try Self.readMessage(&bytes)
            cost += Self.cost(of: message)
            guard cost <= mostBytes else { throw .malformed("a replay buffer that is too long") }
            messages.append(message)
        }
    }

    private static func readMessage(_ bytes: inout ByteBuffer) throws(RTMPError) -> RTMPMessage {
        guard let kind = bytes.readInteger(as: UInt8.self).map(RTMPMessage.Kind.init),
            [.audio, .video, .data].contains(kind),
            let timestamp = bytes.readInteger(as: UInt32.self), let streamID = bytes.readInteger(as: UInt32.self),
            let count = bytes.readInteger(as: UInt32.self), count <= PublishSession.mostBytes,
            let payload = bytes.readSlice(length: Int(count))
        else { throw .malformed("a replay buffer with a message that is none") }
        return RTMPMessage(kind, timestamp: timestamp, streamID: streamID, payload: payload)
    }
}
