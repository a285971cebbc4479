import Foundation
import Glibc
import MediaCore
import TestSupport
import Testing

@testable import Ingest
@testable import MPEGTS

/// Feeds of strangers, and of servers that mean ill: none of them chooses what is read, or how much of it.
@Suite(.timeLimit(.minutes(5))) struct HostileFeedTests {
    /// A playlist in place of media, whose one segment is a file of this machine.
    private static let playlist = """
        #EXTM3U
        #EXT-X-TARGETDURATION:12
        #EXTINF:10,
        file://\(sample)
        #EXT-X-ENDLIST

        """

    /// Text that libavformat reads to its end before it is open.
    private static let subtitles = "WEBVTT\n\n00:00.000 --> 00:01.000\nendless\n\n"

    private static func reading(
        _ url: String,
        options: InputReader.Options = .init()
    ) -> (InputReader, Recorder) {
        let recorder = Recorder()
        let reader = InputReader(url: url, options: options, consumer: recorder)
        reader.start()
        return (reader, recorder)
    }

    @Test(arguments: [playlist, subtitles])
    func onlyATransportStreamIsTakenFromAConnection(text: String) async throws {
        let port = Transport.tcp.freePort()
        let (reader, recorder) = Self.reading("tcp://127.0.0.1:\(port)?listen")
        try await Transport.tcp.bound(port)
        let caller = try #require(ClientSocket.connected(to: Int(port)))
        let bytes = [UInt8](text.utf8)
        _ = send(caller, bytes, bytes.count, 0)
        shutdown(caller, CInt(SHUT_WR))
        let record = await recorder.record { !$0.losses.isEmpty || !$0.openings.isEmpty }
        reader.stop()
        close(caller)
        await reader.finished()
        #expect(record.openings.isEmpty)
        #expect(record.losses.first?.contains("it is no MPEG-TS") == true, "\(record.losses)")
    }

    /// Text in datagrams has no end.
    @Test func onlyATransportStreamIsTakenFromDatagrams() async throws {
        let port = Transport.udp.freePort()
        let (reader, recorder) = Self.reading("udp://127.0.0.1:\(port)")
        try await Transport.udp.bound(port)
        let text = [UInt8](String(repeating: Self.subtitles, count: 20).utf8)
        let sending = try DatagramSender(port).repeating([text[...]])
        let record = await recorder.record { !$0.losses.isEmpty || !$0.openings.isEmpty }
        sending.cancel()
        await sending.value
        reader.stop()
        await reader.finished()
        #expect(record.openings.isEmpty)
        #expect(record.losses.first?.contains("it is no MPEG-TS") == true, "\(record.losses)")
    }

    /// A server of HTTP may send playlists, but none of files, whether its bytes are searched for SCTE-35 or not.
    @Test(arguments: [[], [SplicePID.automatic]])
    func aPlaylistFromAServerNamesNoFile(splicePIDs: [SplicePID]) async throws {
        try await withTemporaryFolder { folder in
            try Self.playlist.write(toFile: "\(folder)/index.m3u8", atomically: true, encoding: .utf8)
            let server = try await Server(of: folder)
            let options = InputReader.Options(splicePIDs: splicePIDs)
            let (reader, recorder) = Self.reading("\(server.origin)/index.m3u8", options: options)
            let record = await recorder.record { !$0.losses.isEmpty || !$0.packets.isEmpty }
            reader.stop()
            await reader.finished()
            await server.end()
            #expect(record.packets.isEmpty && !record.losses.isEmpty)
        }
    }

    @Test func aPlaylistThatNamesItselfIsLeft() async throws {
        try await withTemporaryFolder { folder in
            let text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nindex.m3u8\n"
            try text.write(toFile: "\(folder)/index.m3u8", atomically: true, encoding: .utf8)
            let server = try await Server(of: folder)
            let (reader, recorder) = Self.reading("\(server.origin)/index.m3u8")
            let record = await recorder.record { !$0.losses.isEmpty }
            reader.stop()
            await reader.finished()
            await server.end()
            #expect(record.openings.isEmpty)
            #expect(record.losses.first == "read: it names more than 512 addresses to begin with")
        }
    }

    /// Libavformat searches all programs that were ever listed, for each program of each table.
    @Test func aFloodOfProgramsHoldsUpTheFeedNoLonger() async throws {
        let port = Transport.udp.freePort()
        let (reader, recorder) = Self.reading("udp://127.0.0.1:\(port)")
        try await Transport.udp.bound(port)
        let sender = try DatagramSender(port)
        for datagram in Self.programs() { sender.send(datagram[...]) }
        let sending = sender.repeating(try DatagramSender.datagrams())
        let record = await recorder.record { $0.packets.count > 50 }
        sending.cancel()
        await sending.value
        reader.stop()
        await reader.finished()
        #expect(record.losses.contains("read: it lists more than 512 programs"), "\(record.losses)")
        #expect(record.openings.last?.first?.codec == .h264)
    }

    /// Multiplexers leave PES packets in a feed that no program map lists, and nobody knows of what codec they are.
    @Test func packetsThatNoProgramListsHoldUpNothing() async throws {
        let port = Transport.udp.freePort()
        let (reader, recorder) = Self.reading("udp://127.0.0.1:\(port)")
        try await Transport.udp.bound(port)
        var datagrams = try DatagramSender.datagrams().map { Array($0) }
        for (counter, place) in stride(from: 100, to: 160, by: 20).enumerated() {
            let payload: [UInt8] = [0, 0, 1, 0xBD, 0, 0, 0x80, 0, 0] + (0..<175 as Range<UInt8>).map { $0 &* 37 }
            datagrams[place] += TransportPacket.bytes(
                pid: 0x777,
                isUnitStart: true,
                counter: UInt8(counter),
                payload: payload[...]
            )
        }
        // All of it is less than libavformat would look at to find a codec.
        let sender = try DatagramSender(port)
        for datagram in datagrams {
            sender.send(datagram[...])
            try await Task.sleep(for: .milliseconds(1))
        }
        let record = await recorder.record { $0.packets(of: 0).count >= 100 }
        reader.stop()
        await reader.finished()
        #expect(record.losses.isEmpty && record.openings.count == 1)
    }

    /// 1,000 program association tables with 40 new programs each, in datagrams.
    private static func programs() -> [[UInt8]] {
        let packets = (0..<1_000 as Range<UInt16>).map { table in
            let body = (0..<40 as Range<UInt16>).flatMap { place in
                let number = 1 + table * 40 + place
                return number.bigEndianBytes + (0xE000 | (0x20 + number % 8_000)).bigEndianBytes
            }
            let section = TableSection(tableID: 0, idExtension: 1, version: UInt8(table & 31), body: body)
            return section.packets(pid: 0).flatMap { packet in
                TransportPacket.bytes(
                    pid: 0,
                    isUnitStart: packet.isUnitStart,
                    counter: UInt8(table & 15),
                    payload: packet.payload[...]
                )
            }
        }
        return stride(from: 0, to: packets.count, by: 7).map { start in
            packets[start..<min(start + 7, packets.count)].flatMap(\.self)
        }
    }

    /// A server of files, written by others.
    private struct Server {
        let origin: String
        private let program: Program

        init(of folder: String) async throws {
            let port = Ports.free()
            origin = "http://127.0.0.1:\(port)"
            program = try Program(
                "python3",
                ["-m", "http.server", "\(port)", "--bind", "127.0.0.1", "--directory", folder]
            )
            try await Transport.tcp.bound(UInt16(port))
        }

        func end() async {
            program.terminate()
            _ = await program.exitCode()
        }
    }
}
