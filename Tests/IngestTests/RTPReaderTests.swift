import MediaCore
import TestSupport
import Testing

@testable import Ingest

/// Packets of RTP become the bytes of the feed again.
@Suite struct RTPReaderTests {
    /// A packet of RFC 3550 § 5.1.
    private struct Packet {
        var number: Int
        var payload: [UInt8]
        var type: UInt8 = 33
        var source: UInt8 = 7
        var flags: UInt8 = 0x80
        /// Behind the fixed header: contributing sources, a header extension.
        var more: [UInt8] = []
        var padding: [UInt8] = []

        var bytes: [UInt8] {
            let number = UInt16(truncatingIfNeeded: number)
            return [flags, type, UInt8(number >> 8), UInt8(number & 0xFF), 0, 0, 0, 0, 1, 2, 3, source] + more + payload
                + padding
        }
    }

    private static func packet(_ number: Int) -> Packet {
        Packet(number: number, payload: [UInt8(truncatingIfNeeded: number), 0x47])
    }

    /// The payloads of packets, each of which comes 1 ms after the one before it, unless it says when.
    private static func read(
        _ packets: [Packet],
        at times: [Int64] = [],
        waiting: Int = 16
    ) -> (bytes: [UInt8], reader: RTPReader) {
        var reader = RTPReader(mostWaiting: waiting)
        var batch = DatagramBatch()
        for (index, packet) in packets.enumerated() {
            let bytes = packet.bytes
            let time = times.indices.contains(index) ? times[index] : Int64(index)
            reader.read(bytes.span.bytes, at: time * 1_000_000, into: &batch)
        }
        return (batch.bytes, reader)
    }

    private static func payloads(_ numbers: [Int]) -> [UInt8] { numbers.flatMap { packet($0).payload } }

    @Test(arguments: [0, 65_530])
    func packetsAreJoinedInTheirOrder(first: Int) {
        let order = [0, 1, 3, 2, 4, 7, 6, 5, 8, 9].map { $0 + first }
        let (bytes, reader) = Self.read(order.map(Self.packet))
        #expect(bytes == Self.payloads((first..<first + 10).map { $0 }))
        #expect(reader.counts == RTPReader.Counts(lost: 0, reordered: 3, behind: 0, foreign: 0))
        #expect(reader.payloadType == RTPReader.transportStream)
    }

    /// SMPTE ST 2022-7: both ways bring the same packets, and each loses others.
    @Test func aFeedThatComesTwiceIsReadOnce() {
        let one = (0..<20).filter { $0 % 5 != 3 }
        let other = (0..<20).filter { $0 % 7 != 2 }
        let both = (one.map { ($0, 0) } + other.map { ($0, 1) }).sorted { ($0.0, $0.1) < ($1.0, $1.1) }
        let (bytes, reader) = Self.read(both.map { Self.packet($0.0) })
        #expect(bytes == Self.payloads(Array(0..<20)))
        #expect(reader.counts.lost == 0)
        #expect(reader.counts.behind == both.count - 20)
    }

    @Test func aMissingPacketIsWaitedForAndThenGivenUp() {
        let numbers = [0, 1, 3, 4]
        #expect(Self.read(numbers.map(Self.packet)).bytes == Self.payloads([0, 1]))
        // 101 ms after the first that waits.
        let late = Self.read((numbers + [5]).map(Self.packet), at: [0, 1, 2, 3, 104])
        #expect(late.bytes == Self.payloads([0, 1, 3, 4, 5]))
        #expect(late.reader.counts.lost == 1)
        let many = Self.read(([0] + Array(3..<20)).map(Self.packet), waiting: 8)
        #expect(many.bytes == Self.payloads([0] + Array(3..<20)))
        #expect(many.reader.counts.lost == 2)
    }

    /// What comes after those behind it were passed on cannot be put in its place any more.
    @Test func aPacketThatIsTooLateIsLeftOut() {
        let (bytes, reader) = Self.read([0, 2, 1].map(Self.packet), waiting: 0)
        #expect(bytes == Self.payloads([0, 2]))
        #expect(reader.counts == RTPReader.Counts(lost: 1, reordered: 0, behind: 1, foreign: 0))
    }

    @Test func anEncoderThatStartsAnewIsFollowedAtOnce() {
        var restarted = [50_000, 50_001].map(Self.packet)
        for index in restarted.indices { restarted[index].source = 9 }
        let numbers = [0, 1, 3].map(Self.packet)
        // Of another source after a silence, with what still waited before it.
        let (bytes, reader) = Self.read(numbers + restarted, at: [0, 1, 2, 600, 601])
        #expect(bytes == Self.payloads([0, 1, 3, 50_000, 50_001]))
        #expect(reader.counts.lost == 1)
        // Of the same source, with other numbers, once the former ones have stopped.
        let anew = [0, 1, 40_000, 40_001].map(Self.packet)
        #expect(Self.read(anew, at: [0, 1, 102, 103]).bytes == Self.payloads([0, 1, 40_000, 40_001]))
    }

    /// SMPTE ST 2022-7 allows 450 ms between the ways: more than a thousand packets at 25 Mbit/s.
    @Test(arguments: [900, 1_200, 4_000]) func theWaysMayBeFarApart(skew: Int) {
        var both: [Packet] = []
        for number in 0..<12_000 {
            both.append(Self.packet(number))
            if number >= skew { both.append(Self.packet(number - skew)) }
        }
        let (bytes, reader) = Self.read(both, at: both.indices.map { Int64($0 / 20) })
        #expect(bytes == Self.payloads(Array(0..<12_000)))
        #expect(reader.counts.lost == 0 && reader.counts.behind == 12_000 - skew)
    }

    @Test func aSecondEncoderDoesNotDisturbTheFirst() {
        var packets: [Packet] = []
        for number in 0..<20 {
            packets.append(Self.packet(number))
            packets.append(Packet(number: number + 900, payload: [0xFF], source: 8))
        }
        let (bytes, reader) = Self.read(packets)
        #expect(bytes == Self.payloads(Array(0..<20)))
        #expect(reader.counts.ofOthers == 20 && reader.counts.foreign == 0)
    }

    /// Contributing sources, a header extension and padding (RFC 3550 § 5.1, § 5.3.1).
    @Test func onlyThePayloadIsRead() {
        let sources = [UInt8](repeating: 5, count: 8)
        let `extension`: [UInt8] = [0xBE, 0xDE, 0, 1, 1, 2, 3, 4]
        let packets = [
            Packet(number: 0, payload: [1], flags: 0x82, more: sources),
            Packet(number: 1, payload: [2], flags: 0x90, more: `extension`),
            Packet(number: 2, payload: [3], flags: 0xA0, padding: [0, 0, 3]),
            Packet(number: 3, payload: [4], flags: 0xB2, more: sources + `extension`, padding: [1]),
        ]
        #expect(Self.read(packets).bytes == [1, 2, 3, 4])
    }

    @Test(
        arguments: [
            [], [0x80], [UInt8](repeating: 0x80, count: 12), [UInt8](repeating: 0x47, count: 188),
            // A header extension and padding that are longer than the packet; version 1; a receiver report.
            [0x90, 33, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], [0xA0, 33, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255],
            [0x40, 33, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], [0x81, 201, 0, 7, 0, 0, 0, 0, 0, 0, 0, 0, 1],
        ] as [[UInt8]]
    )
    func anythingElseIsNoPacket(bytes: [UInt8]) {
        #expect(RTPPacket(bytes.span.bytes) == nil)
    }

    /// As many giant packets as may wait would take 270 MB.
    @Test func giantPacketsAreBoundedInTheirBytes() {
        var reader = RTPReader(mostWaiting: 4_096)
        var batch = DatagramBatch()
        let payload = [UInt8](repeating: 0x47, count: 65_000)
        for number in 0..<400 where number % 200 != 1 {
            let packet = Packet(number: number, payload: payload).bytes
            reader.read(packet.span.bytes, at: 0, into: &batch)
            #expect(reader.waitingCount * payload.count <= 6 << 20)
            if number % 50 == 0 { batch.clear() }
        }
        #expect(reader.counts.lost == 2 && reader.waitingCount == 0)
    }

    /// Whatever comes, no more waits than may.
    @Test func aFloodOfNumbersTakesNoMemory() {
        var generator = SeededGenerator(seed: 7)
        var reader = RTPReader(mostWaiting: 16)
        var batch = DatagramBatch()
        for index in 0..<20_000 {
            let packet = Packet(number: Int.random(in: 0...65_535, using: &generator), payload: [1, 2, 3]).bytes
            reader.read(packet.span.bytes, at: Int64(index) * 1_000, into: &batch)
            #expect(reader.waitingCount <= 16)
        }
        #expect(batch.bytes.count <= 60_000)
    }
}
