import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import Ingest

/// Examination beside reading, on its own thread.
@Suite(.timeLimit(.minutes(5)))
struct ContentExaminerTests {
    /// Collects what is found, and lets nothing be found while it is held.
    private final class Findings: InputConsumer {
        let found = Mutex<[ContentFinding]>([])
        let gate = Mutex(())

        func inputOpened(tracks: [InputTrack], timestampModulus: Int64?) {}
        func inputReceived(_ packet: PacketInfo, payload: RawSpan) {}
        func inputLost(reason: String) {}
        func inputEnded() {}
        func inputExamined(_ finding: ContentFinding) {
            gate.withLock { _ in found.withLock { $0.append(finding) } }
        }
    }

    @Test func aReaderFindsWhatItIsAskedForWhileItReads() async throws {
        let findings = Findings()
        let reader = InputReader(
            url: sample,
            options: .init(isLooping: true, isPaced: true, checks: ContentChecks(pictures: true, audio: true)),
            consumer: findings
        )
        reader.start()
        let found = try await eventually(within: 60, "pictures and audio are examined") {
            let found = findings.found.withLock { $0 }
            return Set(found.map(\.trackIndex)).count == 3 && found.count > 30 ? found : nil
        }
        reader.stop()
        await reader.finished()
        #expect(found.contains { $0.content == .picture(.moved) })
        #expect(found.contains { if case .audio(let level) = $0.content { (-40...0).contains(level) } else { false } })
    }

    @Test func aConsumerThatIsHeldUpHoldsUpNobodyAndHearsOfTheFeedAgainLater() async throws {
        let record = await read(sample)
        let findings = Findings()
        let examiner = ContentExaminer(ContentChecks(pictures: true), consumer: findings, mostBytes: 1 << 20)
        defer { examiner.finish() }
        examiner.tracksNamed(try #require(record.openings.last))
        let track = try #require(record.openings.last?.first { $0.kind == .video }?.index)
        let length = (record.packets(of: track).last?.presentationTimestamp ?? 0) + 3_600
        func send(round: Int) {
            for (packet, payload) in zip(record.packets, record.payloads) {
                var packet = packet
                packet.presentationTimestamp = packet.presentationTimestamp.map { $0 + Int64(round) * length }
                examiner.packetRead(packet, payload: payload.span.bytes)
            }
        }
        let clock = ContinuousClock()
        let elapsed = findings.gate.withLock { _ in
            clock.measure { for round in 0..<40 { send(round: round) } }
        }
        // 320 s of feed: it is copied while there is room. A reader that waited for the consumer would never end.
        #expect(elapsed < .seconds(60), "\(elapsed)")
        #expect(examiner.waitingBytes <= 1 << 20)
        let before = try await eventually(within: 60, "what waited is examined") {
            examiner.waitingBytes == 0 ? findings.found.withLock { $0.count } : nil
        }
        send(round: 41)
        _ = try await eventually(within: 20, "the feed is examined again") {
            findings.found.withLock { $0.count } > before ? true : nil
        }
    }
}
