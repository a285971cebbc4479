import Glibc
package import NIOCore
import Publishing
import Synchronization

/// The connection of a publisher on its way to another process, or back to this one.
///
/// It is not read meanwhile.
package final class HandedPublisher: Sendable {
    /// The socket that it came to, and the stream that it publishes.
    let address: PublishingAddress
    /// The encoder's own address.
    let peer: PublishingAddress.SocketEndpoint
    let session: PublishSession
    let replayBuffer: PublishReplayBuffer
    private let descriptor: Mutex<CInt?>

    /// The form of ``state``, which the other process has to be able to read.
    package static let version: UInt8 = 1
    /// Bytes of a host or an address.
    private static let longestHost = 255
    /// Bytes of application and stream key: all that a stranger may say.
    private static let longestPath = PublishSession.mostBytesOfStrangers
    /// The most bytes of the state: a replay buffer, partial messages, and a chunk.
    static let mostBytes = PublishReplayBuffer.mostBytes + 3 * PublishSession.mostBytes

    /// - Parameters:
    ///   - descriptor: Closed with the last reference to this, unless it was taken.
    ///   - address: The address and path that it publishes at.
    ///   - peer: The address that it comes from.
    ///   - session: The state of the conversation.
    ///   - replayBuffer: The messages that were kept.
    init(
        _ descriptor: CInt,
        address: PublishingAddress,
        peer: PublishingAddress.SocketEndpoint,
        session: PublishSession,
        replayBuffer: PublishReplayBuffer
    ) {
        self.descriptor = Mutex(descriptor)
        self.address = address
        self.peer = peer
        self.session = session
        self.replayBuffer = replayBuffer
    }

    deinit { close() }

    /// Leaves the connection to the process with another copy of its descriptor; without one it ends.
    package func close() {
        if let descriptor = takeDescriptor() { Glibc.close(descriptor) }
    }

    /// Hands the descriptor out, to be closed by the caller; nil the second time.
    func takeDescriptor() -> CInt? {
        descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
    }

    /// Shows the descriptor, which stays open here until this returns; nil if it was taken.
    package func withDescriptor<Failure: Error>(_ body: (CInt?) throws(Failure) -> Void) throws(Failure) {
        try descriptor.withLock { descriptor throws(Failure) in try body(descriptor) }
    }

    /// A name for the log, which has no key in it.
    package var description: String { "\(peer.host) port \(peer.port)" }

    // MARK: State

    /// The state that another process needs beside the descriptor.
    package var state: ByteBuffer {
        var bytes = ByteBuffer(integer: Self.version)
        Self.write(address.socket.host, to: &bytes)
        bytes.writeInteger(UInt16(clamping: address.socket.port))
        Self.write(address.path, to: &bytes)
        Self.write(peer.host, to: &bytes)
        bytes.writeInteger(UInt16(clamping: peer.port))
        session.writeState(to: &bytes)
        replayBuffer.writeState(to: &bytes)
        return bytes
    }

    private static func write(_ text: String, to bytes: inout ByteBuffer) {
        bytes.writeInteger(UInt32(text.utf8.count))
        bytes.writeString(text)
    }

    /// Reads the state of a connection from another process.
    ///
    /// - Parameters:
    ///   - state: Its ``state``.
    ///   - descriptor: The connection, which is closed here if the state cannot be read.
    /// - Throws: ``HandedPublisherError``.
    package convenience init(_ state: ByteBuffer, descriptor: CInt) throws(HandedPublisherError) {
        var isRead = false
        defer { if !isRead { Glibc.close(descriptor) } }
        guard state.readableBytes <= Self.mostBytes else { throw .tooLong }
        var bytes = state
        guard let version = bytes.readInteger(as: UInt8.self), version == Self.version else { throw .otherVersion }
        guard let host = Self.read(&bytes, most: Self.longestHost), let port = bytes.readInteger(as: UInt16.self),
            let path = Self.read(&bytes, most: Self.longestPath),
            let peerHost = Self.read(&bytes, most: Self.longestHost), let peerPort = bytes.readInteger(as: UInt16.self)
        else { throw .malformed("its owner is missing") }
        let (session, replayBuffer): (PublishSession, PublishReplayBuffer)
        do throws(RTMPError) {
            session = try PublishSession(readingState: &bytes)
            replayBuffer = try PublishReplayBuffer(readingState: &bytes)
        } catch {
            throw .malformed(error.description)
        }
        guard bytes.readableBytes == 0 else { throw .malformed("there are bytes after its end") }
        isRead = true
        self.init(
            descriptor,
            address: PublishingAddress(socket: .init(host: host, port: Int(port)), path: path),
            peer: .init(host: peerHost, port: Int(peerPort)),
            session: session,
            replayBuffer: replayBuffer
        )
    }

    private static func read(_ bytes: inout ByteBuffer, most: Int) -> String? {
        guard let count = bytes.readInteger(as: UInt32.self), count <= most,
            let slice = bytes.readSlice(length: Int(count))
        else { return nil }
        return String(validating: slice.readableBytesView, as: UTF8.self)
    }
}

/// A reason why a connection of another process cannot be resumed.
package enum HandedPublisherError: Error, Hashable, CustomStringConvertible {
    case otherVersion
    case tooLong
    /// The state is malformed, for the reason in the text.
    case malformed(String)

    package var description: String {
        switch self {
        case .otherVersion: "the connection of an RTMP encoder has a format that this version cannot read"
        case .tooLong: "the connection of an RTMP encoder has too much state"
        case .malformed(let what): "the state of an RTMP encoder's connection cannot be read: \(what)"
        }
    }
}
