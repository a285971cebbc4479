import Foundation
import Glibc
import MediaCore
import TestSupport
import Testing

@testable import Ingest

/// Datagrams that come to real sockets.
@Suite(.timeLimit(.minutes(5))) struct DatagramReadingTests {
    private static let feed = Result { try [UInt8](Data(contentsOf: URL(filePath: sample))) }

    /// Sends datagrams to a port of this machine, or to a group on it.
    private final class Sender: Sendable {
        private let descriptor: CInt

        init(to host: String = "127.0.0.1", _ port: UInt16) throws {
            descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
            // Groups are reached over the loopback interface.
            var interface = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
            setsockopt(descriptor, CInt(IPPROTO_IP), IP_MULTICAST_IF, &interface, socklen_t(MemoryLayout<in_addr>.size))
            let code = try SocketPlace(host, port: Int(port)).withAddress { connect(descriptor, $0, $1) }
            try #require(code == 0)
        }

        deinit { close(descriptor) }

        func send(_ bytes: ArraySlice<UInt8>) {
            _ = bytes.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, 0) }
        }
    }

    /// The feed in datagrams as encoders make them.
    private static func datagrams() throws -> [ArraySlice<UInt8>] {
        let feed = try feed.get()
        return stride(from: 0, to: feed.count, by: 7 * 188).map { feed[$0..<min($0 + 7 * 188, feed.count)] }
    }

    private static func reading(_ url: String, _ options: InputReader.Options = .init()) -> (InputReader, Recorder) {
        let recorder = Recorder()
        let reader = InputReader(url: url, options: options, consumer: recorder)
        reader.start()
        return (reader, recorder)
    }

    /// Packets of RTP that FFmpeg makes: the transport stream in them is read, and no session.
    @Test func aTransportStreamInRTPIsRead() async throws {
        let port = Transport.freePair()
        let (reader, recorder) = Self.reading("rtp://127.0.0.1:\(port)")
        try await Transport.udp.bound(port)
        let sender = try Program(
            "ffmpeg",
            [
                "-nostdin", "-v", "error", "-re", "-stream_loop", "-1", "-i", sample, "-t", "600", "-map", "0", "-c",
                "copy",
            ]
                + ["-f", "rtp_mpegts", "rtp://127.0.0.1:\(port)"]
        )
        let record = await recorder.record { $0.packets(of: 0).count >= 50 }
        reader.stop()
        await reader.finished()
        sender.kill()
        _ = await sender.exitCode()
        #expect(record.openings.map { $0.map(\.codec) } == [[.h264, .aac, .aac]])
        #expect(record.losses.isEmpty && !record.packets.contains(where: \.isCorrupt))
        #expect(record.modulus == 1 << 33)
    }

    /// Only what is sent to the address of the URL is the feed, if it is this machine's; else all that is sent to the port.
    @Test(arguments: [("127.0.0.2", false), ("127.0.0.1", true), ("0.0.0.0", true), ("192.0.2.1", true)])
    func theAddressOfTheURLIsListenedAt(host: String, isHeard: Bool) async throws {
        let port = Transport.udp.freePort()
        let (reader, recorder) = Self.reading("udp://\(host):\(port)")
        try await Transport.udp.bound(port)
        let (stranger, encoder) = (try Sender(port), try Sender(to: isHeard ? "127.0.0.1" : host, port))
        let datagrams = try Self.datagrams()
        // What makes no packet, where it is heard, is passed over by the demuxer.
        if !isHeard { for datagram in datagrams.prefix(40) { stranger.send(datagram) } }
        for datagram in datagrams.dropFirst(isHeard ? 0 : 40) {
            encoder.send(datagram)
            await Task.yield()
        }
        let record = await recorder.record { $0.packets(of: 0).count >= 50 }
        reader.stop()
        await reader.finished()
        #expect(record.losses.isEmpty)
        let first = await read(sample).packets(of: 0).first?.decodeTimestamp
        #expect((record.packets(of: 0).first?.decodeTimestamp == first) == isHeard)
    }

    /// What others send to the port of a group is not of the group.
    @Test func aGroupIsJoined() async throws {
        let port = Transport.udp.freePort()
        let host = "239.255.7.\(port % 250 + 1)"
        let (reader, recorder) = Self.reading("udp://\(host):\(port)?localaddr=127.0.0.1")
        try await Transport.udp.bound(port)
        let (stray, group) = (try Sender(port), try Sender(to: host, port))
        for datagram in try Self.datagrams() {
            stray.send([UInt8](repeating: 0x47, count: 1_316)[...])
            group.send(datagram)
            await Task.yield()
        }
        let record = await recorder.record { $0.packets(of: 0).count >= 150 }
        reader.stop()
        await reader.finished()
        #expect(record.losses.isEmpty && !record.packets.contains(where: \.isCorrupt))
    }

    /// RFC 4607: a group is joined for a sender, and another sender is not heard.
    @Test func aGroupIsJoinedForItsSource() async throws {
        let port = Transport.udp.freePort()
        let host = "232.255.7.\(port % 250 + 1)"
        let url = "udp://\(host):\(port)?localaddr=127.0.0.1&sources="
        let (reader, recorder) = Self.reading(url + "127.0.0.1")
        let (otherReader, otherRecorder) = Self.reading(url + "192.0.2.1")
        try await Transport.udp.bound(port)
        let group = try Sender(to: host, port)
        for datagram in try Self.datagrams() {
            group.send(datagram)
            await Task.yield()
        }
        let record = await recorder.record { $0.packets(of: 0).count >= 150 }
        for reader in [reader, otherReader] {
            reader.stop()
            await reader.finished()
        }
        #expect(record.losses.isEmpty)
        #expect(otherRecorder.record.openings.isEmpty)
    }

    @Test(arguments: ["udp://239.255.7.7:%?localaddr=192.0.2.1", "udp://239.255.7.7:%?localaddr=nosuch0"])
    func aGroupThatCannotBeJoinedIsALoss(url: String) async throws {
        let (reader, recorder) = Self.reading(url.replacing("%", with: "\(Transport.udp.freePort())"))
        let record = await recorder.record { !$0.losses.isEmpty }
        reader.stop()
        await reader.finished()
        #expect(record.losses.first?.hasPrefix("find the interface") == true, "\(record.losses)")
    }

    /// Two encoders after each other: whoever runs the channel is told.
    @Test func anotherSenderIsTold() async throws {
        let port = Transport.udp.freePort()
        let (reader, recorder) = Self.reading("udp://127.0.0.1:\(port)")
        try await Transport.udp.bound(port)
        let datagrams = try Self.datagrams()
        let first = try Sender(port)
        for datagram in datagrams.prefix(20) { first.send(datagram) }
        let second = try Sender(port)
        let sending = Task {
            while !Task.isCancelled {
                second.send(datagrams[20])
                try? await Task.sleep(for: .milliseconds(5))
            }
        }
        let record = await recorder.record {
            $0.notices.contains { if case .senderChanged = $0 { true } else { false } }
        }
        sending.cancel()
        await sending.value
        reader.stop()
        await reader.finished()
        #expect(record.losses.isEmpty)
    }

    /// The age of a packet is that of its last datagram, whenever the reader comes to read it.
    @Test func eachPacketHasTheTimeOfItsArrival() async throws {
        let port = Transport.udp.freePort()
        let open = try #require(try OpenFeed(opening: "udp://127.0.0.1:\(port)"))
        let sender = try Sender(port)
        for datagram in try Self.datagrams().prefix(100) { sender.send(datagram) }
        let sent = ContinuousClock.now
        while sent.duration(to: .now) < .milliseconds(500) { await Task.yield() }
        let recorder = Recorder()
        let reader = InputReader(url: "udp://127.0.0.1:\(port)", open: open, consumer: recorder)
        reader.start()
        let record = await recorder.record { $0.packets.count >= 20 }
        let passed = MediaTime(sent.duration(to: .now)).ticks
        reader.stop()
        await reader.finished()
        // The kernel may begin a moment late to note the time of datagrams.
        for packet in record.packets { #expect((18_000...passed + 90_000).contains(packet.age), "\(packet.age)") }
    }

    /// Datagrams of every length at one port, more than anybody can read: another feed is whole.
    @Test func aFloodAtOnePortCostsAnotherFeedNothing() async throws {
        let (flooded, port) = (Transport.udp.freePort(), Transport.udp.freePort())
        let (victim, _) = Self.reading("udp://127.0.0.1:\(flooded)")
        let (reader, recorder) = Self.reading("udp://127.0.0.1:\(port)")
        try await Transport.udp.bound(flooded)
        try await Transport.udp.bound(port)
        let isOver = StopSignal()
        let (garbage, sender) = (try Sender(flooded), try Sender(port))
        async let flood: Int = withCheckedContinuation { continuation in
            Thread.detachNewThread {
                var generator = SeededGenerator(seed: 7)
                let bytes = (0..<65_507).map { _ in UInt8.random(in: 0...255, using: &generator) }
                let lengths = [0, 1, 187, 188, 1_316, 1_473, 9_000, 65_507]
                var count = 0
                while !isOver.isRaised {
                    garbage.send(bytes[..<lengths[count % lengths.count]])
                    count += 1
                }
                continuation.resume(returning: count)
            }
        }
        defer { isOver.raise() }
        // As an encoder of 5 Mbit/s sends it; a burst would be lost in a socket of 200 kB.
        for datagram in try Self.datagrams() {
            sender.send(datagram)
            try await Task.sleep(for: .milliseconds(2))
        }
        let record = await recorder.record { $0.packets(of: 0).count >= 150 }
        isOver.raise()
        let count = await flood
        reader.stop()
        victim.stop()
        await reader.finished()
        await victim.finished()
        #expect(count > 1_000)
        #expect(record.losses.isEmpty && !record.packets.contains(where: \.isCorrupt), "\(count) \(record.notices)")
    }

    /// A feed stops in the middle of a packet, and goes on with another one: only that packet is damaged.
    @Test func aFeedThatStopsInTheMiddleOfAPacketGoesOn() async throws {
        let port = Transport.udp.freePort()
        let (reader, recorder) = Self.reading("udp://127.0.0.1:\(port)")
        try await Transport.udp.bound(port)
        let sender = try Sender(port)
        let datagrams = try Self.datagrams()
        for (index, datagram) in datagrams.enumerated() {
            sender.send(index == 60 ? datagram.prefix(500) : datagram)
            await Task.yield()
        }
        let record = await recorder.record { $0.packets(of: 0).count >= 140 }
        reader.stop()
        await reader.finished()
        #expect(record.losses.isEmpty)
        #expect(record.packets.count(where: \.isCorrupt) <= 6)
    }
}
