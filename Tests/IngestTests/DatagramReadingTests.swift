import MediaCore
import TestSupport
import Testing

@testable import Ingest

/// Datagrams that come to real sockets.
@Suite(.timeLimit(.minutes(5))) struct DatagramReadingTests {
    /// Packets of RTP that FFmpeg makes: the transport stream in them is read, and no session.
    @Test func aTransportStreamInRTPIsRead() async throws {
        let port = Transport.freePair()
        let (reader, recorder) = reading("rtp://127.0.0.1:\(port)")
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
        let (reader, recorder) = reading("udp://\(host):\(port)")
        try await Transport.udp.bound(port)
        let (stranger, encoder) = (try DatagramSender(port), try DatagramSender(to: isHeard ? "127.0.0.1" : host, port))
        let datagrams = try DatagramSender.datagrams()
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
        let (reader, recorder) = reading("udp://\(host):\(port)?localaddr=127.0.0.1")
        try await Transport.udp.bound(port)
        let (stray, group) = (try DatagramSender(port), try DatagramSender(to: host, port))
        for datagram in try DatagramSender.datagrams() {
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
        let (reader, recorder) = reading(url + "127.0.0.1")
        let (otherReader, otherRecorder) = reading(url + "192.0.2.1")
        try await Transport.udp.bound(port)
        let group = try DatagramSender(to: host, port)
        for datagram in try DatagramSender.datagrams() {
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

    /// Two encoders after each other: whoever runs the channel is told.
    @Test func anotherSenderIsTold() async throws {
        let port = Transport.udp.freePort()
        let (reader, recorder) = reading("udp://127.0.0.1:\(port)")
        try await Transport.udp.bound(port)
        let datagrams = try DatagramSender.datagrams()
        let first = try DatagramSender(port)
        for datagram in datagrams.prefix(20) { first.send(datagram) }
        let second = try DatagramSender(port)
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
        let sender = try DatagramSender(port)
        for datagram in try DatagramSender.datagrams().prefix(100) { sender.send(datagram) }
        let sent = ContinuousClock.now
        // Packets have to become old: that time goes by is what is waited for.
        try await Task.sleep(for: .milliseconds(500))
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
}
