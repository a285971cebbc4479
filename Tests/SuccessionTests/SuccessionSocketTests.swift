import Foundation
import Glibc
import Testing

@testable import Succession

@Suite(.timeLimit(.minutes(5))) struct SuccessionSocketTests {
    private static func ends() throws -> (SuccessionSocket, SuccessionSocket) {
        let (own, other) = try SuccessionSocket.pair()
        return (own, SuccessionSocket(other))
    }

    @Test func messagesArriveInTheirOrderWithTheirBytes() throws {
        let (one, other) = try Self.ends()
        // More than the system holds for a socket.
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        Thread.detachNewThread {
            try? one.send(SuccessionMessage(.feedBytes, name: "udp://0.0.0.0:5000", bytes: bytes))
            try? one.send(SuccessionMessage(.yours))
            one.shutDown()
        }
        let first = try #require(other.receive())
        #expect(first.kind == .feedBytes && first.name == "udp://0.0.0.0:5000" && first.bytes == bytes)
        #expect(other.receive()?.kind == .yours)
        #expect(other.receive() == nil)
    }

    /// Bytes that are written to one's copy are read from the other's.
    @Test func descriptorsAreHandedOver() throws {
        let (one, other) = try Self.ends()
        var pipe: [CInt] = [-1, -1]
        try #require(Glibc.pipe(&pipe) == 0)
        try one.send(SuccessionMessage(.connection, name: "origin", bytes: [1, 2], descriptor: pipe[1]))
        close(pipe[1])
        try one.send(SuccessionMessage(.retired))
        let message = try #require(other.receive())
        let copy = try #require(message.descriptor)
        #expect(message.bytes == [1, 2])
        #expect(write(copy, [42], 1) == 1)
        close(copy)
        var bytes: [UInt8] = [0, 0]
        #expect(read(pipe[0], &bytes, 2) == 1 && bytes[0] == 42)
        close(pipe[0])
        #expect(other.receive()?.descriptor == nil)
    }

    @Test func whoIsGoneIsToldOf() throws {
        let (one, other) = try Self.ends()
        other.shutDown()
        #expect(throws: SuccessionError.self) {
            // The first may still find room.
            for _ in 0..<2 { try one.send(SuccessionMessage(.prepared)) }
        }
        #expect(one.receive() == nil)
    }

    @Test func whatIsNoMessageEndsTheConversation() throws {
        var ends: [CInt] = [-1, -1]
        try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let socket = SuccessionSocket(ends[0])
        let header: [UInt8] = [7] + [UInt8](repeating: 0xFF, count: 16)
        #expect(write(ends[1], header, header.count) == header.count)
        #expect(socket.receive() == nil)
        close(ends[1])
    }

    /// A name is looked for where shells look for it, and a path is taken as it is.
    @Test func theProgramIsFoundAsItWasStarted() {
        let programs: Set = ["/opt/new/bin/packager", "./packager"]
        func path(_ name: String) -> String? {
            SuccessorProcess.path(of: name, searchPath: "/bin::/opt/new/bin") { programs.contains($0) }
        }
        #expect(path("packager") == "/opt/new/bin/packager")
        #expect(path("./packager") == "./packager")
        #expect(path("/bin/packager") == nil && path("other") == nil)
    }
}
