import Glibc
import NIOCore
import Testing

@testable import Ingest
@testable import Publishing

/// The words of one process to another about a publisher's connection.
@Suite struct HandedPublisherTests {
    /// Two ends of a connection, of which one is handed over.
    private static func ends() throws -> (own: CInt, other: CInt) {
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        return (ends[0], ends[1])
    }

    /// Tells whether the other end of a connection is closed, or will be: a program that another test starts has it as well
    /// until it is executed.
    private static func isOver(_ descriptor: CInt) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 20_000) == 1 && read(descriptor) == 0
    }

    private static func isOpen(_ descriptor: CInt) -> Bool { read(descriptor) == -1 }

    private static func read(_ descriptor: CInt) -> Int {
        var byte: UInt8 = 0
        return recv(descriptor, &byte, 1, CInt(MSG_DONTWAIT))
    }

    private static let address = PublishingAddress(socket: .init(host: "0.0.0.0", port: 1935), path: "live/kéy?a=b")
    private static let peer = PublishingAddress.SocketEndpoint(host: "2001:db8::1", port: 4711)

    private static func publisher(_ descriptor: CInt) throws -> HandedPublisher {
        var bytes = ByteBuffer()
        for word: UInt32 in [1, 5_000, 4_000, 2_500_000, 4_096] { bytes.writeInteger(word) }
        bytes.writeInteger(0 as UInt8)
        bytes.writeInteger(2 as UInt32)
        bytes.writeBytes([3, 0])
        let session = try PublishSession(readingState: &bytes)
        var replayBuffer = PublishReplayBuffer()
        replayBuffer.start()
        replayBuffer.note(RTMPMessage(.video, timestamp: 40, payload: ByteBuffer(bytes: [0x17, 0, 0, 0, 0])))
        replayBuffer.note(RTMPMessage(.video, timestamp: 40, payload: ByteBuffer(bytes: [0x17, 1, 0, 0, 0, 9])))
        return HandedPublisher(descriptor, address: address, peer: peer, session: session, replayBuffer: replayBuffer)
    }

    private static var state: ByteBuffer {
        get throws { try publisher(-1).state }
    }

    @Test func itIsReadAsItWasWritten() throws {
        let (own, other) = try Self.ends()
        defer { close(other) }
        do {
            let publisher = try HandedPublisher(try Self.state, descriptor: own)
            #expect(publisher.address == Self.address && publisher.peer == Self.peer)
            #expect(publisher.state == (try Self.state))
            #expect(publisher.replayBuffer.playback.count == 2)
            #expect(publisher.description == "2001:db8::1 port 4711")
            #expect(Self.isOpen(other))
        }
        #expect(Self.isOver(other))
    }

    @Test func whoTakesTheDescriptorHasIt() throws {
        let (own, other) = try Self.ends()
        defer { close(other) }
        do {
            let publisher = try Self.publisher(own)
            #expect(publisher.takeDescriptor() == own)
            #expect(publisher.takeDescriptor() == nil)
            publisher.close()
        }
        #expect(Self.isOpen(other))
        close(own)
    }

    private static func expectRefused(
        _ state: ByteBuffer,
        _ what: String,
        _ expected: HandedPublisherError? = nil
    ) throws {
        let (own, other) = try ends()
        defer { close(other) }
        do throws(HandedPublisherError) {
            _ = try HandedPublisher(state, descriptor: own)
            Issue.record("it was taken: \(what)")
        } catch {
            #expect(expected == nil || error == expected, "\(what)")
        }
        // Nobody keeps a connection that cannot be read.
        #expect(isOver(other), "\(what)")
    }

    @Test func whatIsMalformedIsRefused() throws {
        let whole = try Self.state
        for count in 0..<whole.readableBytes {
            try Self.expectRefused(whole.getSlice(at: 0, length: count) ?? ByteBuffer(), "\(count) bytes")
        }
        for version: UInt8 in [0, HandedPublisher.version + 1, .max] {
            var other = whole
            other.setInteger(version, at: 0)
            try Self.expectRefused(other, "version \(version)", .otherVersion)
        }
        var longer = whole
        longer.writeInteger(0 as UInt8)
        try Self.expectRefused(longer, "bytes after its end")
        // The host is at 5, the path at 18.
        for (place, count): (Int, UInt32) in [(1, 256), (1, .max), (14, 65_537), (14, .max)] {
            var other = whole
            other.setInteger(count, at: place)
            other.writeRepeatingByte(0x61, count: 70_000)
            try Self.expectRefused(other, "a text of \(count) bytes")
        }
        var text = whole
        text.setInteger(0xFF as UInt8, at: 20)
        try Self.expectRefused(text, "no UTF-8")
        let large = ByteBuffer(repeating: HandedPublisher.version, count: HandedPublisher.mostBytes + 1)
        try Self.expectRefused(large, "too long", .tooLong)
    }
}
