import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Ingest

/// Ports that cannot be opened, and datagrams that no encoder means to send.
@Suite(.timeLimit(.minutes(5))) struct BadDatagramTests {
    /// The second feed at a port waits until the first one gives it up.
    @Test func aPortInUseIsALossUntilItIsFree() async throws {
        let port = Transport.udp.freePort()
        let (first, _) = reading("udp://127.0.0.1:\(port)")
        try await Transport.udp.bound(port)
        let (second, recorder) = reading("udp://127.0.0.1:\(port)")
        let lost = await recorder.record { !$0.losses.isEmpty }
        let reason =
            "listen at 127.0.0.1:\(port) (give the input another port, or end the program that uses this one): "
            + "Address already in use"
        #expect(lost.losses.first == reason)
        first.stop()
        await first.finished()
        try await Transport.udp.bound(port)
        let sender = try DatagramSender(port)
        for datagram in try DatagramSender.datagrams() {
            sender.send(datagram)
            await Task.yield()
        }
        let record = await recorder.record { $0.packets(of: 0).count >= 50 }
        second.stop()
        await second.finished()
        #expect(Set(record.losses) == [reason])
    }

    @Test(arguments: [
        ("localaddr=192.0.2.1", "find the interface 192.0.2.1 (localaddr is "),
        ("localaddr=nosuch0", "find the interface nosuch0 (localaddr is "),
        // More than a socket may name (net.ipv4.igmp_max_msf).
        ("localaddr=127.0.0.1&sources=SENDERS", "join 232.255.7.7 of 10.0."),
    ])
    func aGroupThatCannotBeJoinedIsALoss(options: String, reason: String) async throws {
        let senders = (0..<2_000).map { "10.0.\($0 / 250).\($0 % 250)" }.joined(separator: ",")
        let query = options.replacing("SENDERS", with: senders)
        let (reader, recorder) = reading("udp://232.255.7.7:\(Transport.udp.freePort())?\(query)")
        let record = await recorder.record { !$0.losses.isEmpty }
        reader.stop()
        await reader.finished()
        #expect(record.losses.first?.hasPrefix(reason) == true, "\(record.losses)")
    }

    /// Empty datagrams, giant ones, and any between: the bytes are one feed, wherever they are parted.
    @Test func datagramsOfAnyLengthAreOneFeed() async throws {
        let port = Transport.udp.freePort()
        let (reader, recorder) = reading("udp://127.0.0.1:\(port)")
        try await Transport.udp.bound(port)
        let sender = try DatagramSender(port)
        for datagram in try DatagramSender.datagrams(of: [0, 1, 187, 188, 1_316, 1_473, 9_000, 65_507]) {
            sender.send(datagram)
            await Task.yield()
        }
        try await Self.expectWhole(reader, recorder)
    }

    /// Bytes that are no transport stream are a loss, and the feed is found when it comes.
    @Test func garbageIsALossAndTheFeedIsFoundAfterIt() async throws {
        let port = Transport.udp.freePort()
        let (reader, recorder) = reading("udp://127.0.0.1:\(port)")
        try await Transport.udp.bound(port)
        let sender = try DatagramSender(port)
        let garbage = sender.repeating([[UInt8](repeating: 0xA5, count: 1_316)[...]])
        let lost = await recorder.record { !$0.losses.isEmpty }
        garbage.cancel()
        await garbage.value
        #expect(lost.losses.first == "open: it is no MPEG-TS, or the address is wrong")
        #expect(lost.packets.isEmpty)
        // The port is closed for a moment until it is tried again: what comes meanwhile is for nobody.
        let feed = sender.repeating(try DatagramSender.datagrams())
        let record = await recorder.record { $0.packets(of: 0).count >= 50 }
        feed.cancel()
        await feed.value
        reader.stop()
        await reader.finished()
        // Its clock jumps back at its end: how much audio is found depends on where in it the port was opened.
        #expect(record.openings.last?.first?.codec == .h264)
    }

    /// A feed stops in the middle of a packet, and goes on with another one: only that packet is damaged.
    @Test func aFeedThatStopsInTheMiddleOfAPacketGoesOn() async throws {
        let port = Transport.udp.freePort()
        let (reader, recorder) = reading("udp://127.0.0.1:\(port)")
        try await Transport.udp.bound(port)
        let sender = try DatagramSender(port)
        for (index, datagram) in try DatagramSender.datagrams().enumerated() {
            sender.send(index == 60 ? datagram.prefix(500) : datagram)
            await Task.yield()
        }
        let record = await recorder.record { $0.packets(of: 0).count >= 140 }
        reader.stop()
        await reader.finished()
        #expect(record.losses.isEmpty)
        #expect(record.packets.count(where: \.isCorrupt) <= 6)
    }

    /// Datagrams of every length at one port, as many as a thread can send: another feed is whole.
    ///
    /// The socket of that feed holds less than half of it, so that it has to have its turns meanwhile.
    @Test func aFloodAtOnePortCostsAnotherFeedNothing() async throws {
        let (flooded, port) = (Transport.udp.freePort(), Transport.udp.freePort())
        let (victim, victimRecorder) = reading("udp://127.0.0.1:\(flooded)")
        let (reader, recorder) = reading("udp://127.0.0.1:\(port)?buffer_size=262144")
        try await Transport.udp.bound(flooded)
        try await Transport.udp.bound(port)
        let (garbage, sender) = (try DatagramSender(flooded), try DatagramSender(port))
        let datagrams = try DatagramSender.datagrams()
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            Thread.detachNewThread {
                // Packets that carry nothing: the feed stays open, and no track is found in it.
                let packet = [0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0xFF, count: 184)
                let bytes = (0..<349).flatMap { _ in packet }
                let lengths = [0, 1, 187, 188, 1_316, 1_473, 9_000, 65_507]
                for datagram in datagrams {
                    // 500,000 in all.
                    for index in 0..<500_000 / datagrams.count {
                        garbage.send(bytes[..<lengths[index % lengths.count]])
                    }
                    sender.send(datagram)
                }
                continuation.resume()
            }
        }
        try await Self.expectWhole(reader, recorder)
        let dropped = await victimRecorder.record {
            $0.notices.contains { if case .datagramsLost(let losses) = $0 { losses.socket > 0 } else { false } }
        }
        victim.stop()
        await victim.finished()
        #expect(dropped.losses.isEmpty && dropped.openings.allSatisfy(\.isEmpty), "\(dropped.losses)")
    }

    /// Expects the pictures of the sample, byte by byte, of a feed that was sent it.
    private static func expectWhole(_ reader: InputReader, _ recorder: Recorder) async throws {
        let count = 150
        let record = await recorder.record { $0.packets(of: 0).count >= count || !$0.losses.isEmpty }
        reader.stop()
        await reader.finished()
        let isWhole = record.payloads(of: 0).prefix(count) == (await read(sample)).payloads(of: 0).prefix(count)
        #expect(isWhole, "\(record.losses) \(record.notices)")
        #expect(record.losses.isEmpty && !record.packets.contains(where: \.isCorrupt))
    }
}
