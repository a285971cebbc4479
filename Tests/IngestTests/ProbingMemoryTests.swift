import MediaCore
import TestSupport
import Testing

@testable import Ingest

/// The memory that libavformat takes to find the tracks of a transport stream.
@Suite(.timeLimit(.minutes(5))) struct ProbingMemoryTests {
    @Test func itIsGivenUpWithTheFirstBytesThatAreRead() async throws {
        let (port, signal) = (Transport.udp.freePort(), StopSignal())
        let address = FeedAddress(FeedLocation("udp://127.0.0.1:\(port)"))
        let source = try FeedSource(
            opening: address,
            besideOthers: false,
            isPrompt: false,
            signal: signal,
            replayBuffer: FeedReplayBuffer()
        )
        let sending = try DatagramSender(port).repeating(DatagramSender.datagrams())
        defer { sending.cancel() }
        var context = try FormatContext(opening: address, shared: source, signal: signal)
        let probing = context.bufferByteCount ?? 0
        #expect(probing > 4_000_000)
        var packet = try Packet()
        var byteCount = 0
        // The first packets are of bytes that were read to find the tracks.
        while byteCount < 400_000, case .packet = try context.read(into: &packet) {
            packet.withPayload { byteCount += $0.byteCount }
        }
        let rest = context.bufferByteCount ?? .max
        #expect(rest <= 65_536)
    }
}
