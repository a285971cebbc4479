import Foundation
import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import Ingest

/// An encoder stays connected while one reader takes the place of another.
@Suite(.timeLimit(.minutes(5)))
struct PublisherHandoverTests {
    private static func reader(_ port: Int, _ recorder: Recorder, allowed: [String] = []) -> InputReader {
        InputReader(
            url: "rtmp://127.0.0.1:\(port)/live/key",
            options: .init(allowedPublishers: allowed.compactMap(AddressRange.init)),
            consumer: recorder
        )
    }

    /// The publishers at a port, whose connections are nobody's until they are expected somewhere.
    private static func part(_ port: Int) async -> [HandedPublisher] {
        await HandedPublishers.part { $0?.socket.port == port }.publishers
    }

    /// Makes of it what another process has.
    private static func moved(_ publisher: HandedPublisher) throws -> HandedPublisher {
        try HandedPublisher(publisher.state, descriptor: try #require(publisher.takeDescriptor()))
    }

    /// The last reader has all that was sent, from the key frame on with which the replay begins.
    @Test func nothingIsLostBetweenTwoReaders() async throws {
        let port = Ports.free()
        HandedPublishers.startBuffering()
        defer { HandedPublishers.stopBuffering() }
        let (first, second, third) = (Recorder(), Recorder(), Recorder())
        let one = Self.reader(port, first)
        one.start()
        try await Transport.tcp.bound(UInt16(port))
        // Longer than all that follows takes, also where one of the readers stands still for seconds.
        async let sent: Void = encode(12, as: "flv", to: "rtmp://127.0.0.1:\(port)/live/key")
        _ = await first.record { $0.packets(of: 0).count > 40 }
        let publisher = try #require(await Self.part(port).first)
        one.stop()
        await one.finished()
        #expect(first.record.losses.isEmpty)
        // It waits meanwhile.
        try await Task.sleep(for: .seconds(1))
        #expect(!HandedPublishers.isExpected(at: "rtmp://127.0.0.1:\(port)/live/key"))
        HandedPublishers.expect([try Self.moved(publisher)])
        #expect(HandedPublishers.isExpected(at: "rtmp://127.0.0.1:\(port)/live/key"))
        #expect(!HandedPublishers.isExpected(at: "rtmp://127.0.0.1:\(port)/live/other"))
        let two = Self.reader(port, second)
        two.start()
        _ = await second.record { $0.packets(of: 0).count > 80 }
        // Once more.
        let again = try #require(await Self.part(port).first)
        two.stop()
        await two.finished()
        HandedPublishers.expect([try Self.moved(again)])
        let three = Self.reader(port, third)
        three.start()
        let live = await third.record { !$0.losses.isEmpty }
        try await sent
        three.stop()
        await three.finished()
        #expect(second.record.losses.isEmpty)
        #expect(third.record.openings.map { $0.map(\.codec) } == [[.h264, .aac]])
        try await withTemporaryFolder { folder in
            try await encode(12, as: "flv", to: "\(folder)/x.flv", isPaced: false)
            let stored = await read("\(folder)/x.flv")
            for track in 0..<2 {
                let all = zip(stored.packets, stored.payloads).filter { $0.0.trackIndex.value == track }
                let got = zip(live.packets, live.payloads).filter { $0.0.trackIndex.value == track }
                #expect(got.count == all.count && got.map(\.1) == all.map(\.1), "track \(track)")
            }
            #expect(live.packets(of: 0).map(\.decodeTimestamp) == stored.packets(of: 0).map(\.decodeTimestamp))
        }
    }

    /// An encoder that may not publish any more does not, whichever process let it in.
    @Test func anAddressThatIsAllowedNoMoreIsCutOff() async throws {
        let port = Ports.free()
        let first = Recorder()
        let one = Self.reader(port, first)
        one.start()
        try await Transport.tcp.bound(UInt16(port))
        let encoder = Task { try await encode(600, as: "flv", to: "rtmp://127.0.0.1:\(port)/live/key") }
        _ = await first.record { $0.packets.count > 10 }
        let publisher = try #require(await Self.part(port).first)
        one.stop()
        await one.finished()
        HandedPublishers.expect([try Self.moved(publisher)])
        let second = Recorder()
        let two = Self.reader(port, second, allowed: ["192.0.2.0/24"])
        two.start()
        await #expect(throws: (any Error).self) { try await encoder.value }
        let record = await second.record { !$0.notices.isEmpty }
        two.stop()
        await two.finished()
        #expect(record.openings.isEmpty)
        guard case .publisherRefused(_, PublisherAdmission.wrongAddress) = record.notices.first else {
            Issue.record("\(record.notices)")
            return
        }
    }

    /// A waiting publisher keeps its place, and one that no reader waits for is not kept.
    @Test func whoWaitsIsFirst() async throws {
        let port = Ports.free()
        let first = Recorder()
        let one = Self.reader(port, first)
        one.start()
        try await Transport.tcp.bound(UInt16(port))
        let url = "rtmp://127.0.0.1:\(port)/live/key"
        let encoder = Task { try await encode(600, as: "flv", to: url) }
        _ = await first.record { $0.packets.count > 10 }
        let publisher = try #require(await Self.part(port).first)
        one.stop()
        await one.finished()
        HandedPublishers.expect([try Self.moved(publisher)])
        let second = Recorder()
        let two = Self.reader(port, second)
        two.start()
        try await Transport.tcp.bound(UInt16(port))
        await #expect(throws: (any Error).self) { try await encode(1, as: "flv", to: url) }
        let count = second.record.packets.count
        _ = await second.record { $0.packets.count > count + 20 }
        let again = try #require(await Self.part(port).first)
        two.stop()
        await two.finished()
        HandedPublishers.expect([try Self.moved(again)])
        #expect(HandedPublishers.closeUnclaimed().contains { $0.hasPrefix("127.0.0.1 port ") })
        await #expect(throws: (any Error).self) { try await encoder.value }
    }
}
