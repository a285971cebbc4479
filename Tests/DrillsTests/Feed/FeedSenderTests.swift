import Foundation
import Ingest
import MediaCore
import TestSupport
import Testing

@testable import Drills

@Suite struct FeedSenderTests {
    /// The sample's key frames are at full seconds: of this drill, after 0.2 s, 1.2 s and so on.
    private func origin() -> FeedOrigin {
        FeedOrigin(instant: .now, utc: MediaTime(seconds: 1_763_726_400) + .seconds(0.8))
    }

    private func configuration(_ faults: [ScheduledFault] = []) throws -> FeedConfiguration {
        FeedConfiguration(sample: try Sample.feed(), schedule: FeedSchedule(faults))
    }

    @Test func sendsWhatIsGeneratedWhenItIsDue() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "sent-\(UUID().uuidString).ts")
        defer { try? FileManager.default.removeItem(at: file) }
        let configuration = try configuration([ScheduledFault(.encoderKilled, at: .seconds(1.6))])
        let origin = origin()
        let sender = Drills.FeedSender(configuration, to: file.path, origin: origin)
        sender.start()
        await sender.finished()
        #expect(origin.elapsed >= .seconds(1.6))
        let sent = try Array(Data(contentsOf: file))
        var generator = FeedGenerator(configuration, utc: origin.utc, from: sender.events.first?.time ?? .zero)
        var expected: [UInt8] = []
        while let item = generator.next() { if case .datagram(let datagram) = item { expected += datagram.bytes } }
        #expect(sent == expected)
        #expect(sender.counts.sent == sent.count / Datagram.size)
        #expect(sender.counts.undelivered == 0)
        let kinds = sender.events.map(\.kind)
        #expect(kinds == [.encoderStarted, .connected, .faultBegan(.encoderKilled), .encoderEnded])
    }

    @Test func nobodyListeningToDatagramsIsNoError() async throws {
        let url = "udp://127.0.0.1:\(Ports.free(datagram: true))?pkt_size=1316&connect=1"
        let configuration = try configuration([ScheduledFault(.encoderKilled, at: .seconds(1.6))])
        let sender = Drills.FeedSender(configuration, to: url, origin: origin())
        sender.start()
        await sender.finished()
        #expect(sender.counts.sent > 10)
        #expect(sender.counts.undelivered == 0)
        #expect(!sender.events.contains { if case .connectionLost = $0.kind { true } else { false } })
    }

    @Test func killedSenderStartsAgain() async throws {
        let url = "udp://127.0.0.1:\(Ports.free(datagram: true))?pkt_size=1316"
        let sender = Drills.FeedSender(try configuration(), to: url, origin: origin())
        await sender.finished()
        sender.start()
        sender.start()
        sender.kill()
        sender.start()
        sender.kill()
        await sender.finished()
        let kinds = sender.events.map(\.kind).filter { $0 != .connected }
        #expect(kinds.count { $0 == .encoderEnded } == 2)
        #expect(sender.counts.sent == 0)
    }

    @Test func connectionIsTriedUntilSomebodyListens() async throws {
        let port = Ports.free(datagram: true)
        let sender = Drills.FeedSender(
            try configuration(),
            to: "srt://127.0.0.1:\(port)?mode=caller&transtype=live&connect_timeout=200",
            origin: origin()
        )
        sender.start()
        _ = try await eventually(within: 60) {
            sender.events.contains { if case .connectionLost = $0.kind { true } else { false } } ? true : nil
        }
        let recorder = PacketRecorder()
        let reader = InputReader(url: "srt://127.0.0.1:\(port)?mode=listener&transtype=live", consumer: recorder)
        reader.start()
        _ = try await eventually(within: 60) { recorder.recorded.packets.count > 10 ? true : nil }
        sender.kill()
        await sender.finished()
        reader.stop()
        await reader.finished()
        #expect(recorder.recorded.tracks.count == 3)
        #expect(sender.counts.sent > 0)
        #expect(sender.counts.undelivered > 0)
        #expect(sender.events.last?.kind == .encoderEnded)
    }
}
