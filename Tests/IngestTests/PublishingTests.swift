import Glibc
import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import Ingest
@testable import Publishing

/// Publishers that we did not write, let in and sent away.
@Suite(.timeLimit(.minutes(5)))
struct PublishingTests {
    /// A reader that waits for publishers, while `body` runs.
    private static func listening(
        on port: Int,
        key: String = "key",
        allowed: [String] = [],
        _ body: (Recorder) async throws -> Void
    ) async throws {
        let recorder = Recorder()
        let reader = InputReader(
            url: "rtmp://127.0.0.1:\(port)/live/\(key)",
            options: .init(allowedPublishers: allowed.compactMap(AddressRange.init)),
            consumer: recorder
        )
        reader.start()
        try await Transport.tcp.bound(UInt16(port))
        do { try await body(recorder) } catch { Issue.record(error) }
        reader.stop()
        await reader.finished()
    }

    /// FFmpeg as an encoder that publishes a second of the sample, or is sent away.
    private static func publish(to url: String, seconds: Double = 1) async throws {
        try await encode(seconds, as: "flv", to: url)
    }

    private static func refusals(_ record: Recorder.Record) -> [String] {
        record.notices.compactMap { notice in
            if case .publisherRefused(let peer, let reason) = notice, peer.hasPrefix("127.0.0.1 port ") {
                reason
            } else {
                nil
            }
        }
    }

    @Test(arguments: ["live/guess", "other/key", "live"])
    func anotherKeyOrApplicationIsRefused(path: String) async throws {
        let port = Ports.free()
        try await Self.listening(on: port) { recorder in
            await #expect(throws: (any Error).self) { try await Self.publish(to: "rtmp://127.0.0.1:\(port)/\(path)") }
            let record = await recorder.record { !Self.refusals($0).isEmpty }
            #expect(Self.refusals(record) == [PublisherAdmission.wrongKey])
            #expect(record.openings.isEmpty)
            // The right one is let in all the same.
            async let publisher: Void = Self.publish(to: "rtmp://127.0.0.1:\(port)/live/key")
            let right = await recorder.record { !$0.losses.isEmpty }
            try await publisher
            #expect(right.openings.first?.map(\.codec) == [.h264, .aac])
        }
    }

    @Test func anotherAddressIsRefused() async throws {
        let port = Ports.free()
        try await Self.listening(on: port, allowed: ["192.0.2.0/24", "::1"]) { recorder in
            await #expect(throws: (any Error).self) { try await Self.publish(to: "rtmp://127.0.0.1:\(port)/live/key") }
            let record = await recorder.record { !Self.refusals($0).isEmpty }
            #expect(Self.refusals(record) == [PublisherAdmission.wrongAddress])
            #expect(record.openings.isEmpty)
        }
    }

    @Test func nobodyTakesAPublisherOffTheAir() async throws {
        let port = Ports.free()
        let url = "rtmp://127.0.0.1:\(port)/live/key"
        try await Self.listening(on: port, allowed: ["127.0.0.0/8"]) { recorder in
            let publisher = Task { try await Self.publish(to: url, seconds: 600) }
            _ = await recorder.record { !$0.packets.isEmpty }
            await #expect(throws: (any Error).self) { try await Self.publish(to: url) }
            await #expect(throws: (any Error).self) { try await Self.publish(to: url + "2") }
            let during = recorder.record
            #expect(Self.refusals(during) == ["another encoder is publishing", PublisherAdmission.wrongKey])
            #expect(during.losses.isEmpty)
            let count = during.packets.count
            _ = await recorder.record { $0.packets.count > count + 50 }
            publisher.cancel()
            let record = await recorder.record { !$0.losses.isEmpty }
            #expect(record.openings.count == 1)
            // All of it has come: 25 pictures a second, of which FFmpeg loses two where it begins again.
            #expect(record.course(of: 0).steps.isSubset(of: [3600, 10_800]))
        }
    }

    @Test func inputsShareAPort() async throws {
        let port = Ports.free()
        try await Self.listening(on: port, key: "one") { one in
            try await Self.listening(on: port, key: "two") { two in
                async let first: Void = Self.publish(to: "rtmp://127.0.0.1:\(port)/live/one")
                async let second: Void = Self.publish(to: "rtmp://127.0.0.1:\(port)/live/two")
                _ = await one.record { !$0.losses.isEmpty }
                _ = await two.record { !$0.losses.isEmpty }
                _ = try await (first, second)
                #expect(one.record.openings.count == 1)
                #expect(two.record.openings.count == 1)
                #expect(Self.refusals(one.record).isEmpty)
            }
        }
    }

    /// All that an encoder sends until it is on air.
    private static func publication(of key: String) -> ByteBuffer {
        var bytes = ByteBuffer(bytes: [3])
        bytes.writeRepeatingByte(7, count: 2 * 1536)
        func command(_ values: [AMF0Value], stream: UInt32 = 0) {
            var payload = ByteBuffer()
            for value in values { payload.writeAMF0(value) }
            bytes.writeChunks(of: RTMPMessage(.command, streamID: stream, payload: payload), chunkStream: 3)
        }
        command([.string("connect"), .number(1), .object(["app": .string("live")])])
        command([.string("createStream"), .number(2), .null])
        command([.string("publish"), .number(3), .null, .string(key), .string("live")], stream: 1)
        return bytes
    }

    /// An encoder on air that sends something unreadable is not a stranger: only its own input is told, and of its fault.
    @Test func aBrokenPublisherIsReportedToItsOwnInput() async throws {
        let port = Ports.free()
        try await Self.listening(on: port, key: "one") { one in
            try await Self.listening(on: port, key: "two") { two in
                let client = try #require(ClientSocket.connected(to: port))
                defer { close(client) }
                var bytes = Self.publication(of: "one")
                // The header of a message of 16 MB.
                bytes.writeBytes([3, 0, 0, 0, 0xFF, 0xFF, 0xFF, 9, 1, 0, 0, 0])
                let count = bytes.withUnsafeReadableBytes { send(client, $0.baseAddress, $0.count, 0) }
                #expect(count == bytes.readableBytes)
                let record = await one.record { !$0.notices.isEmpty && !$0.losses.isEmpty }
                let reasons = record.notices.map { notice in
                    if case .publisherCutOff(_, let reason) = notice { reason } else { "\(notice)" }
                }
                #expect(reasons == ["limit of RTMP exceeded: bytes in a message"])
                #expect(two.record.notices.isEmpty)
            }
        }
    }

    @Test func oneStreamIsWaitedForOnce() async throws {
        let port = Ports.free()
        try await Self.listening(on: port) { _ in
            let record = await read("rtmp://127.0.0.1:\(port)/live/key")
            #expect(record.losses == ["open: Address already in use"])
        }
    }

    @Test func whatIsReadIsWhatWasSent() async throws {
        let port = Ports.free()
        try await Self.listening(on: port) { recorder in
            try await Self.publish(to: "rtmp://127.0.0.1:\(port)/live/key", seconds: 2)
            let live = await recorder.record { !$0.losses.isEmpty }
            try await withTemporaryFolder { folder in
                try await Self.publish(to: "\(folder)/x.flv", seconds: 2)
                let stored = await read("\(folder)/x.flv")
                #expect(live.payloads == stored.payloads)
                #expect(live.packets.map(\.decodeTimestamp) == stored.packets.map(\.decodeTimestamp))
            }
        }
    }

    /// GStreamer's own RTMP, which asks in other words than FFmpeg's.
    @Test(arguments: [("key", true), ("guess", false)])
    func gstreamerPublishes(key: String, isLetIn: Bool) async throws {
        let port = Ports.free()
        try await Self.listening(on: port) { recorder in
            let script = """
                import sys, gi
                gi.require_version("Gst", "1.0")
                from gi.repository import Gst
                Gst.init(None)
                pipeline = Gst.parse_launch(sys.argv[1])
                pipeline.set_state(Gst.State.PLAYING)
                message = pipeline.get_bus().timed_pop_filtered(120 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
                pipeline.set_state(Gst.State.NULL)
                sys.exit(0 if message and message.type == Gst.MessageType.EOS else 1)
                """
            let pipeline = """
                videotestsrc is-live=true num-buffers=50 ! video/x-raw,width=320,height=240 ! openh264enc ! h264parse
                ! flvmux streamable=true ! rtmp2sink location=rtmp://127.0.0.1:\(port)/live/\(key)
                """
            // The tests' own environment has no GStreamer.
            let publisher = Task { try await Program.run("/usr/bin/python3", ["-c", script, pipeline]) }
            let record = await recorder.record { !$0.losses.isEmpty || !Self.refusals($0).isEmpty }
            let isDone = (try? await publisher.value) != nil
            #expect(isDone == isLetIn)
            #expect(record.openings.isEmpty != isLetIn)
            if isLetIn { #expect(record.packets(of: 0).count == 50) }
        }
    }
}
