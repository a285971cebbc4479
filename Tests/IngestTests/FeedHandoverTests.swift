import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import Ingest

/// A reader of datagrams continues where another one leaves off.
@Suite(.timeLimit(.minutes(5))) struct FeedHandoverTests {
    private static let packet = 188

    private static func packets(_ numbers: Range<Int>) -> [UInt8] {
        numbers.flatMap { number in
            [0x47] + (0..<packet - 1).map { (index: Int) -> UInt8 in UInt8(truncatingIfNeeded: number * (31 + index)) }
        }
    }

    /// Either may begin or end anywhere in a packet.
    @Test(arguments: [0, 1, 30, 100], [0, 7])
    func theJunctionIsFoundWhereTheFirstLeftOff(common: Int, cut: Int) {
        let earlier = Array(Self.packets(0..<200).dropLast(cut))
        let head = Array(Self.packets(200 - common..<260).prefix(FeedJunction.enough))
        // Less than a packet is no evidence.
        let expected = common == 1 && cut > 0 ? 0 : max(common * Self.packet - cut, 0)
        #expect(FeedJunction.overlap(of: head, with: earlier) == expected)
        #expect(FeedJunction.overlap(of: [], with: earlier) == 0)
        #expect(FeedJunction.overlap(of: head, with: []) == 0)
        #expect(FeedJunction.isTransportStream(Array(earlier.dropFirst(cut))))
        #expect(!FeedJunction.isTransportStream([UInt8](repeating: 0x46, count: 4_000)))
        #expect(!FeedJunction.isTransportStream([0x47]))
    }

    /// Null packets are all alike.
    @Test(arguments: [2, 40], [1, 3, 30])
    func stuffingIsNoJunction(common: Int, stuffing: Int) {
        let null = [0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0xFF, count: Self.packet - 4)
        let stuffed = (0..<stuffing).flatMap { _ in null }
        let shared = stuffed + Self.packets(200 - common..<200) + stuffed
        let earlier = Self.packets(0..<200 - common) + shared
        let head = Array((shared + Self.packets(200..<260)).prefix(FeedJunction.enough))
        // Where there is no evidence, all is read: a null packet twice costs nothing.
        #expect(FeedJunction.overlap(of: head, with: earlier) == (stuffing == 30 ? 0 : shared.count))
        let next = Array((stuffed + Self.packets(200..<260)).prefix(FeedJunction.enough))
        #expect(FeedJunction.overlap(of: next, with: stuffed + Self.packets(0..<200) + stuffed) == 0)
    }

    /// Both read a feed that is pulled for a while.
    @Test func whatBothHaveReadIsReadOnce() async throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        let port = Transport.tcp.freePort()
        var address = Transport.address(port: port)
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try #require(code == 0 && listen(listener, 2) == 0)
        let feed = try [UInt8](Data(contentsOf: URL(filePath: sample)))
        @Sendable func send(_ part: Range<Int>, to clients: [CInt]) {
            for start in stride(from: part.lowerBound, to: part.upperBound, by: 1_000) {
                let bytes = feed[start..<min(start + 1_000, part.upperBound)]
                for client in clients {
                    _ = bytes.withUnsafeBytes { Glibc.send(client, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
                }
            }
        }
        let url = "tcp://127.0.0.1:\(port)"
        let first = Recorder()
        let one = InputReader(url: url, consumer: first)
        one.replayBuffer.start()
        one.start()
        let (begin, end) = (feed.count / 3, feed.count / 2)
        let client = accept(listener, nil, nil)
        send(0..<begin, to: [client])
        let open = try #require(try OpenFeed(opening: url))
        let other = accept(listener, nil, nil)
        send(begin..<end, to: [client, other])
        _ = try await eventually(within: 60, "half of it is read") { one.replayBuffer.bytes.count >= end ? true : nil }
        one.stop()
        await one.finished()
        close(client)
        open.resume(after: one.replayBuffer.bytes)
        let second = Recorder()
        let reader = InputReader(url: url, open: open, consumer: second)
        reader.start()
        send(end..<feed.count, to: [other])
        let whole = await read(sample)
        let sent = whole.packets(of: 0)
        let record = await second.record { $0.packets(of: 0).count >= sent.count - 1 }
        reader.stop()
        await reader.finished()
        close(other)
        let got = record.packets(of: 0)
        #expect(got.map(\.presentationTimestamp) == sent.prefix(got.count).map(\.presentationTimestamp))
        #expect(!got.contains { $0.isCorrupt })
    }

    private static func sender(_ port: UInt16) -> CInt {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        var address = Transport.address(port: port)
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        return descriptor
    }

    private static func send(_ bytes: ArraySlice<UInt8>, _ descriptor: CInt) async {
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: 7 * packet) {
            let datagram = bytes[start..<min(start + 7 * packet, bytes.endIndex)]
            _ = datagram.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, 0) }
            await Task.yield()
        }
    }

    /// A consumer that does not return from its first packet before it is let go.
    private final class HeldConsumer: InputConsumer {
        let gate = DispatchSemaphore(value: 0)
        private let isHeld = Atomic(false)

        var isBusy: Bool { isHeld.load(ordering: .acquiring) }

        func inputOpened(tracks: [InputTrack], timestampModulus: Int64?) {}

        func inputReceived(_ packet: PacketInfo, payload: RawSpan) {
            guard !isHeld.exchange(true, ordering: .acquiringAndReleasing) else { return }
            gate.wait()
        }

        func inputLost(reason: String) {}
        func inputEnded() {}
    }

    /// A reader that a busy machine holds up has not read everything that was sent to it.
    @Test func captureIsIncompleteWhileItsReaderIsHeldUp() async throws {
        let port = Transport.udp.freePort()
        let consumer = HeldConsumer()
        let reader = InputReader(url: "udp://127.0.0.1:\(port)", consumer: consumer)
        #expect(reader.replayBuffer.isComplete, "nothing is to be kept")
        reader.replayBuffer.start()
        reader.start()
        try await Transport.udp.bound(port)
        let feed = try [UInt8](Data(contentsOf: URL(filePath: sample)))
        let descriptor = Self.sender(port)
        defer { close(descriptor) }
        await Self.send(feed[...], descriptor)
        _ = try await eventually(within: 60, "its reader is held up") { consumer.isBusy ? true : nil }
        #expect(!reader.replayBuffer.isComplete)
        #expect(reader.replayBuffer.bytes.count < feed.count)
        consumer.gate.signal()
        _ = try await eventually(within: 60, "all is read") {
            reader.replayBuffer.bytes.count >= feed.count ? true : nil
        }
        _ = try await eventually(within: 60, "capture is complete") { reader.replayBuffer.isComplete ? true : nil }
        reader.stop()
        await reader.finished()
        #expect(reader.replayBuffer.bytes.elementsEqual(feed))
    }

    /// What was read before is not kept, and its reader may still be busy with it.
    @Test func captureIsSettledOnceItsReaderReadsOn() {
        let buffer = FeedReplayBuffer()
        #expect(buffer.isSettled, "nothing is to be kept")
        buffer.start()
        #expect(!buffer.isSettled)
        let bytes: [UInt8] = [0x47]
        buffer.passed(bytes.span.bytes)
        #expect(buffer.isSettled)
        buffer.waits()
        buffer.start()
        #expect(buffer.isSettled, "it has read all that there was")
    }

    /// Not a packet is lost between the two, nor is one read that nobody has sent.
    @Test func nothingIsLostBetweenTwoReaders() async throws {
        let port = Transport.udp.freePort()
        let url = "udp://127.0.0.1:\(port)"
        let first = Recorder()
        let one = InputReader(url: url, consumer: first)
        one.replayBuffer.start()
        one.start()
        try await Transport.udp.bound(port)
        let feed = try [UInt8](Data(contentsOf: URL(filePath: sample)))
        let descriptor = Self.sender(port)
        defer { close(descriptor) }
        let half = feed.count / 2 / Self.packet * Self.packet
        await Self.send(feed[..<half], descriptor)
        _ = await first.record { $0.packets(of: 0).count >= 60 }
        // From here on all is sent to the one that was opened last.
        let open = try #require(try OpenFeed(opening: url))
        await Self.send(feed[half...], descriptor)
        _ = try await eventually(within: 60, "the first half is read") {
            one.replayBuffer.bytes.count >= half ? true : nil
        }
        one.stop()
        await one.finished()
        #expect(one.replayBuffer.bytes.elementsEqual(feed[..<half]))
        open.resume(after: one.replayBuffer.bytes)
        let second = Recorder()
        let other = InputReader(url: url, open: open, consumer: second)
        other.replayBuffer.start()
        other.start()
        let whole = await read(sample)
        let record = await second.record { $0.packets(of: 0).count >= whole.packets(of: 0).count - 1 }
        // The pictures are all there before the last of the sound is.
        _ = try await eventually(within: 60, "all is read") {
            other.replayBuffer.bytes.count >= feed.count ? true : nil
        }
        other.stop()
        await other.finished()
        // A third one gets what the first has read as well.
        #expect(other.replayBuffer.bytes.elementsEqual(feed))
        let (sent, got) = (whole.packets(of: 0), record.packets(of: 0))
        #expect(got.map(\.presentationTimestamp) == sent.prefix(got.count).map(\.presentationTimestamp))
        #expect(!got.contains { $0.isCorrupt })
        #expect(first.record.losses.isEmpty && record.losses.isEmpty)
    }

    /// A socket that can be shared does not let anybody take the feed by mistake.
    @Test func aPortThatAnotherReaderHasIsRefused() async throws {
        let port = Transport.udp.freePort()
        let url = "udp://127.0.0.1:\(port)"
        let one = InputReader(url: url, consumer: Recorder())
        one.start()
        try await Transport.udp.bound(port)
        let record = await read(url)
        #expect(record.losses.first?.contains("in use") == true, "\(record.losses)")
        one.stop()
        await one.finished()
    }

    @Test(arguments: [
        ("udp://239.0.0.1:5000", true), ("udp://0.0.0.0:5000?fifo_size=9", true), ("rtp://0.0.0.0:5000", true),
        ("srt://0.0.0.0:9000?mode=listener", false), ("srt://h:9000", true), ("tcp://h:9000", true),
        ("tcp://0.0.0.0:9000?listen", false), ("http://h/x.ts", false), ("rtmp://0.0.0.0/live/x", false),
        ("feed.ts", false), ("-", false),
    ])
    func whatIsSentInDatagramsCanBeGoneOnWith(url: String, can: Bool) {
        #expect(FeedAddress(FeedLocation(url)).canResume == can)
    }
}
