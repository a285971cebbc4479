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

    /// The bytes that are sent from when there was a connection, and the number of datagrams that were due before that, of
    /// which a machine that is busy makes some.
    private func due(
        _ configuration: FeedConfiguration,
        _ sender: Drills.FeedSender,
        _ origin: FeedOrigin
    ) throws -> (bytes: [UInt8], before: Int) {
        let began = try #require(sender.events.first { $0.kind == .encoderStarted }).time
        let connected = try #require(sender.events.first { $0.kind == .connected }).time
        var generator = FeedGenerator(configuration, utc: origin.utc, from: began)
        var (bytes, before): ([UInt8], Int) = ([], 0)
        while let item = generator.next() {
            guard case .datagram(let datagram) = item else { continue }
            if datagram.time < connected { before += 1 } else { bytes += datagram.bytes }
        }
        return (bytes, before)
    }

    private func configuration(_ faults: [ScheduledFault] = []) throws -> FeedConfiguration {
        FeedConfiguration(sample: try Sample.feed(), schedule: FeedSchedule(faults))
    }

    @Test func sendsWhatIsGeneratedWhenItIsDue() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "sent-\(UUID().uuidString).ts")
        defer { try? FileManager.default.removeItem(at: file) }
        // Late enough that a thread which stands still for seconds has something to send.
        let configuration = try configuration([ScheduledFault(.encoderKilled, at: .seconds(4.6))])
        let origin = origin()
        let sender = Drills.FeedSender(configuration, to: file.path, origin: origin)
        sender.start()
        await sender.finished()
        #expect(origin.elapsed >= .seconds(4.6))
        let sent = try Array(Data(contentsOf: file))
        let due = try due(configuration, sender, origin)
        #expect(sent == due.bytes && !sent.isEmpty)
        #expect(sender.counts.sent == sent.count / Datagram.size)
        #expect(sender.counts.undelivered == due.before)
        let kinds = sender.events.map(\.kind)
        #expect(kinds == [.encoderStarted, .connected, .faultBegan(.encoderKilled), .encoderEnded])
    }

    @Test func nobodyListeningToDatagramsIsNoError() async throws {
        let url = "udp://127.0.0.1:\(Ports.free(datagram: true))?pkt_size=1316&connect=1"
        let configuration = try configuration([ScheduledFault(.encoderKilled, at: .seconds(4.6))])
        let origin = origin()
        let sender = Drills.FeedSender(configuration, to: url, origin: origin)
        sender.start()
        await sender.finished()
        #expect(sender.counts.sent > 10)
        let due = try due(configuration, sender, origin)
        #expect(sender.counts.undelivered == due.before)
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
        _ = try await eventually(within: 60, "something was to be sent") { sender.isUnheard ? true : nil }
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
        #expect(sender.counts.undelivered > 0 && !sender.isUnheard)
        #expect(sender.events.last?.kind == .encoderEnded)
    }
}
