import MediaCore
import TestSupport
import Testing

@testable import Ingest

/// Callers of SRT that we did not write, let in and sent away.
@Suite(.timeLimit(.minutes(5)))
struct CallingTests {
    /// A reader that waits for callers, while `body` runs.
    private static func listening(
        _ query: String,
        allowed: [String] = [],
        _ body: (_ port: Int, Recorder) async throws -> Void
    ) async throws {
        let port = Ports.free(datagram: true)
        let recorder = Recorder()
        let reader = InputReader(
            url: "srt://127.0.0.1:\(port)?mode=listener\(query)",
            options: .init(allowedPublishers: allowed.compactMap(AddressRange.init)),
            consumer: recorder
        )
        reader.start()
        try await Transport.udp.bound(UInt16(port))
        do { try await body(port, recorder) } catch { Issue.record(error) }
        reader.stop()
        await reader.finished()
    }

    private static func call(_ url: String, seconds: Double = 2) async throws {
        try await encode(seconds, as: "mpegts", to: url)
    }

    private static func refusals(_ record: Recorder.Record) -> [String] {
        record.notices.compactMap { if case .publisherRefused(_, let reason) = $0 { reason } else { nil } }
    }

    private static let rules = "&streamid=%23key%2B1&passphrase=0123456789abc"

    @Test(arguments: [
        ("streamid=other&passphrase=0123456789abc", "its stream identifier is wrong"),
        ("passphrase=0123456789abc", "its stream identifier is wrong"),
        ("streamid=%23key%2B1&passphrase=another-secret", "its passphrase is wrong"),
        ("streamid=%23key%2B1", "it has no passphrase"),
    ])
    func anotherStreamOrPassphraseIsRefused(query: String, reason: String) async throws {
        try await Self.listening(Self.rules) { port, recorder in
            await #expect(throws: (any Error).self) { try await Self.call("srt://127.0.0.1:\(port)?\(query)") }
            let record = await recorder.record { !Self.refusals($0).isEmpty }
            #expect(Self.refusals(record) == [reason])
            #expect(record.openings.isEmpty)
            // The right one is let in all the same.
            let url = "srt://127.0.0.1:\(port)?\(Self.rules.dropFirst())"
            let caller = Task { try await Self.call(url, seconds: 600) }
            let right = await recorder.record { !$0.openings.isEmpty && $0.packets.count > 20 }
            caller.cancel()
            _ = await caller.result
            #expect(right.openings.first?.map(\.codec) == [.h264, .aac])
        }
    }

    @Test func anotherAddressIsRefused() async throws {
        try await Self.listening("", allowed: ["192.0.2.0/24"]) { port, recorder in
            await #expect(throws: (any Error).self) { try await Self.call("srt://127.0.0.1:\(port)") }
            let record = await recorder.record { !Self.refusals($0).isEmpty }
            #expect(Self.refusals(record) == ["its address is not in allowed-publishers"])
            #expect(record.openings.isEmpty)
        }
    }

    /// One sends pictures from an address that may not, another one audio from one that may: only the audio is there.
    @Test func datagramsFromElsewhereAreNotRead() async throws {
        let port = Ports.free(datagram: true)
        let recorder = Recorder()
        let reader = InputReader(
            url: "udp://127.0.0.1:\(port)",
            options: .init(allowedPublishers: ["127.0.0.2"].compactMap(AddressRange.init)),
            consumer: recorder
        )
        reader.start()
        try await Transport.udp.bound(UInt16(port))
        @Sendable func send(_ map: String, from address: String, seconds: Int) async throws {
            let url = "udp://127.0.0.1:\(port)?pkt_size=1316&localaddr=\(address)"
            let length = ["-t", "\(seconds)", "-map", map, "-c", "copy", "-f", "mpegts", url]
            try await Program.run(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-re", "-stream_loop", "-1", "-i", sample] + length
            )
        }
        // However long the reader stands still, the one that may sends on.
        let known = Task { try await send("0:a:0", from: "127.0.0.2", seconds: 600) }
        try await send("0:v", from: "127.0.0.1", seconds: 2)
        let record = await recorder.record { !$0.packets.isEmpty }
        known.cancel()
        _ = await known.result
        reader.stop()
        await reader.finished()
        #expect(record.openings.map { $0.map(\.codec) } == [[.aac]])
    }

    @Test func nobodyTakesACallerOffTheAir() async throws {
        try await Self.listening("&streamid=key") { port, recorder in
            let url = "srt://127.0.0.1:\(port)?streamid=key"
            let caller = Task { try await Self.call(url, seconds: 600) }
            _ = await recorder.record { !$0.packets.isEmpty }
            await #expect(throws: (any Error).self) { try await Self.call(url) }
            let during = recorder.record
            #expect(Self.refusals(during) == ["another encoder is publishing"])
            #expect(during.losses.isEmpty)
            let count = during.packets.count
            _ = await recorder.record { $0.packets.count > count + 50 }
            caller.cancel()
            let record = await recorder.record { !$0.losses.isEmpty }
            #expect(record.openings.count == 1)
            // And the next one is let in.
            let next = Task { try await Self.call(url, seconds: 600) }
            _ = await recorder.record { $0.openings.count == 2 }
            next.cancel()
            _ = await next.result
        }
    }
}
