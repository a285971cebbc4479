import Foundation
import Glibc
import MediaCore
import TestSupport
import Testing

@testable import Ingest

@Suite(.timeLimit(.minutes(5)))
struct InputReaderNetworkTests {
    @Test(arguments: [
        (Transport.udp, "udp://127.0.0.1:%"), (.udp, "rtp://127.0.0.1:%"), (.udp, "srt://127.0.0.1:%?mode=listener"),
        (.tcp, "rtmp://127.0.0.1:%/live/feed"),
    ])
    func stopEndsAWaitForAFeedThatNeverComes(transport: Transport, url: String) async throws {
        let port = url.hasPrefix("rtp:") ? Transport.freePair() : transport.freePort()
        let recorder = Recorder()
        let reader = InputReader(url: url.replacing("%", with: "\(port)"), consumer: recorder)
        #expect(!reader.isFinite)
        reader.start()
        try await transport.bound(port)
        reader.stop()
        await reader.finished()
        #expect(recorder.record.losses.isEmpty)
        #expect(!recorder.record.isEnded)
    }

    @Test func datagramsAreRead() async throws {
        let port = Transport.udp.freePort()
        let recorder = Recorder()
        let reader = InputReader(url: "udp://127.0.0.1:\(port)", consumer: recorder)
        reader.start()
        try await Transport.udp.bound(port)
        let feed = try [UInt8](Data(contentsOf: URL(filePath: sample)))
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var address = Transport.address(port: port)
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        for start in stride(from: 0, to: feed.count, by: 7 * 188) {
            let datagram = feed[start..<min(start + 7 * 188, feed.count)]
            _ = datagram.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
            await Task.yield()
        }
        // The last frame of a feed that has no end is never complete.
        let record = await recorder.record { $0.packets(of: 0).count >= 150 }
        reader.stop()
        await reader.finished()
        #expect(record.openings.map { $0.map(\.language) } == [[nil, "en", "de"]])
        #expect(record.losses.isEmpty)
    }

    /// An encoder of radio goes on with television, whose first track has the PID of the audio before, and back.
    @Test func aFeedWhoseAudioBecomesVideoIsOpenedAnew() async throws {
        try await withTemporaryFolder { folder in
            let radio = "\(folder)/radio.ts"
            let arguments = ["-nostdin", "-v", "error", "-i", sample, "-map", "0:a:0", "-c", "copy", radio]
            try await Program.run("ffmpeg", arguments)
            let port = Transport.udp.freePort()
            let (reader, recorder) = reading("udp://127.0.0.1:\(port)")
            try await Transport.udp.bound(port)
            let sender = try DatagramSender(port)
            for (turn, file) in [radio, sample, radio].enumerated() {
                let sending = sender.repeating(try DatagramSender.datagrams(from: file))
                let isVideo = turn == 1
                let count = recorder.record.packets.count
                let record = await recorder.record { record in
                    let kind = record.openings.last?.first?.kind
                    return kind == (isVideo ? .video : .audio) && record.packets.count > count + 50
                }
                sending.cancel()
                await sending.value
                #expect(record.openings.last?.first?.codec == (isVideo ? .h264 : .aac))
                #expect(record.losses.count == turn)
            }
            reader.stop()
            await reader.finished()
            let reasons = recorder.record.losses.map { $0.prefix { $0 != ":" } }
            #expect(reasons == ["track 0 changed from audio to video", "track 0 changed from video to audio"])
        }
    }

    @Test(arguments: [
        (Transport.tcp, "rtmp://127.0.0.1:%/live/feed", "rtmp://127.0.0.1:%/live/feed", "flv"),
        (.udp, "srt://127.0.0.1:%?mode=listener", "srt://127.0.0.1:%", "mpegts"),
        (.tcp, "tcp://127.0.0.1:%?listen", "tcp://127.0.0.1:%", "mpegts"),
    ])
    func aListenerTakesOneCallerAfterTheOther(
        transport: Transport,
        input: String,
        output: String,
        format: String
    ) async throws {
        let port = transport.freePort()
        let recorder = Recorder()
        let reader = InputReader(url: input.replacing("%", with: "\(port)"), consumer: recorder)
        reader.start()
        for call in 1...2 {
            try await transport.bound(port)
            let before = recorder.record.packets(of: 0).count
            let publisher = try encoder(as: format, to: output.replacing("%", with: "\(port)"))
            _ = await recorder.record { $0.openings.count >= call && $0.packets(of: 0).count > before + 5 }
            publisher.terminate()
            let record = await recorder.record { $0.losses.count == call }
            // Some protocols report that the listener hung up first: what counts is what was received.
            _ = await publisher.exitCode()
            #expect(record.openings.count == call)
            #expect(record.openings.last?.map(\.codec) == [.h264, .aac])
            #expect(record.packets(of: 0).count > call * 5)
        }
        reader.stop()
        await reader.finished()
        #expect(!recorder.record.isEnded)
    }

    /// RFC 3550 § 6.4.1: a sender report ties RTP's timestamps to the sender's clock.
    @Test func rtpTellsItsProducersTime() async throws {
        let port = Transport.freePair()
        let url = "rtp://127.0.0.1:\(port)"
        try await withTemporaryFolder { folder in
            let session = """
                v=0
                o=- 0 0 IN IP4 127.0.0.1
                s=-
                c=IN IP4 127.0.0.1
                t=0 0
                m=video \(port) RTP/AVP 96
                a=rtpmap:96 H264/90000
                a=fmtp:96 packetization-mode=1

                """
            try session.write(toFile: "\(folder)/feed.sdp", atomically: true, encoding: .utf8)
            let recorder = Recorder()
            let reader = InputReader(url: "\(folder)/feed.sdp", consumer: recorder)
            reader.start()
            try await Transport.udp.bound(port)
            // It sends for longer than a busy machine may keep the reader from its first picture.
            let sender = try Program(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-re", "-stream_loop", "-1", "-i", sample, "-t", "60", "-map", "0:v"]
                    + ["-c", "copy", "-f", "rtp", url]
            )
            let record = await recorder.record { $0.packets.count >= 25 }
            reader.stop()
            await reader.finished()
            sender.kill()
            _ = await sender.exitCode()
            let times = record.packets.compactMap(\.producerReferenceTime)
            #expect(times.count == record.packets.count - 1)
            #expect(times.allSatisfy { abs($0.seconds - Date.now.timeIntervalSince1970) < 30 })
            // Pictures are presented in another order than they come in: each has its own time, not a neighbour's.
            let offsets = record.packets.compactMap { packet in
                packet.producerReferenceTime.flatMap { time in packet.presentationTimestamp.map { time.ticks - $0 } }
            }
            #expect(offsets.count >= 20)
            #expect(offsets.allSatisfy { abs($0 - offsets[0]) <= 90 })
        }
    }
}
