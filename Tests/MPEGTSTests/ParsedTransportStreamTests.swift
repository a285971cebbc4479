import NIOCore
import TestSupport
import Testing

@testable import Inspection
@testable import MPEGTS

/// Each rule is seen to be broken where it is.
@Suite struct ParsedTransportStreamTests {
    private static let segment = try? TransportStreamSegment(
        Fixture.program(.h264, .aac),
        units: [Fixture.pictures(25), Fixture.frames(47)]
    ).encode().bytes

    /// The packets of a segment that breaks no rule.
    private func packets() throws -> [[UInt8]] {
        let bytes = try #require(Self.segment)
        #expect(ParsedTransportStream(bytes).violations == [])
        let all = Array(bytes.readableBytesView)
        return stride(from: 0, to: all.count, by: 188).map { Array(all[$0..<($0 + 188)]) }
    }

    private func rules(
        _ packets: [[UInt8]],
        after state: TransportStreamState? = nil
    ) -> Set<TransportStreamViolation.Rule> {
        Set(ParsedTransportStream(ByteBuffer(bytes: packets.joined()), after: state).violations.map(\.rule))
    }

    /// Packets with payload of a PID.
    private func places(_ packets: [[UInt8]], _ pid: UInt16, isUnitStart: Bool? = nil) -> [Int] {
        packets.indices.filter { index in
            let packet = packets[index]
            return UInt16(packet[1] & 0x1F) << 8 | UInt16(packet[2]) == pid && packet[3] & 0x10 != 0
                && (isUnitStart.map { $0 == (packet[1] & 0x40 != 0) } ?? true)
        }
    }

    @Test func wrongSyncByteIsOnePacketLost() throws {
        var packets = try packets()
        packets[4][0] = 0x48
        let violations = ParsedTransportStream(ByteBuffer(bytes: packets.joined())).violations
        // The first picture is lost with it, and the next is not a key frame.
        #expect(
            violations.map(\.description) == [
                "byte 376, PID 256: a PES packet is not as long as it says (ISO/IEC 13818-1 § 2.4.3.7)",
                "byte 752: no packet starts here (ISO/IEC 13818-1 § 2.4.3.3)",
                "byte 940, PID 256: the continuity counter jumps (ISO/IEC 13818-1 § 2.4.3.3)",
                "byte 10716, PID 256: decoding cannot start with the first picture (RFC 8216bis § 3.1.1)",
            ]
        )
    }

    @Test func lostPacketIsAContinuityJump() throws {
        var packets = try packets()
        let place = places(packets, 0x200, isUnitStart: false)[0]
        packets.remove(at: place)
        let violations = ParsedTransportStream(ByteBuffer(bytes: packets.joined())).violations
        #expect(violations.contains { $0.rule == .continuityJump && $0.pid == 0x200 })
        #expect(violations.contains { $0.rule == .wrongUnitLength && $0.pid == 0x200 })
        #expect(violations.count == 2)
    }

    @Test func segmentsInWrongOrderJump() throws {
        let packets = try packets()
        let whole = ParsedTransportStream(ByteBuffer(bytes: packets.joined()))
        #expect(rules(packets, after: whole.state) == [.decodeTimesNotRising, .clockBackwards])
        let half = ParsedTransportStream(ByteBuffer(bytes: packets.prefix(60).joined()))
        #expect(rules(packets, after: half.state).contains(.continuityJump))
    }

    @Test func flagsOfDamageAndScramblingAreSeen() throws {
        var packets = try packets()
        packets[10][1] |= 0x80
        #expect(rules(packets).contains(.transportError))
        packets = try self.packets()
        packets[10][3] |= 0x80
        #expect(rules(packets).contains(.scrambled))
        packets = try self.packets()
        packets[2][4] = 184
        #expect(rules(packets).contains(.malformedAdaptationField))
        packets = try self.packets()
        packets[packets.count - 1].removeLast()
        #expect(rules(packets).contains(.truncatedPacket))
    }

    @Test func tablesMustBeFirstAndWhole() throws {
        var packets = try packets()
        packets.swapAt(0, 2)
        #expect(rules(packets).contains(.tablesNotFirst))
        packets = try self.packets()
        packets.swapAt(1, 2)
        #expect(rules(packets).contains(.tablesNotFirst))
        packets = try self.packets()
        packets[1][20] ^= 1
        #expect(rules(packets).isSuperset(of: [.wrongChecksum]))
        #expect(rules([]) == [.noClock, .tablesNotFirst])
    }

    @Test func changedMapNeedsAnotherVersion() throws {
        let units = [Fixture.pictures(25)]
        let clear = TransportStreamSegment(try Fixture.program(.h264), units: units).encode().bytes
        let encrypted = TransportStreamSegment(
            try TransportProgram([.init(.h264, isEncrypted: true)]),
            units: [Fixture.pictures(25, from: 990_000)]
        ).encode().bytes
        let state = ParsedTransportStream(clear).state
        #expect(ParsedTransportStream(encrypted, after: state).violations == [])
        var both = clear
        both.writeImmutableBuffer(encrypted)
        #expect(Set(ParsedTransportStream(both).violations.map(\.rule)) == [.tableChanged])
    }

    @Test func unitsStartAndEndInTheSegment() throws {
        var packets = try packets()
        let start = places(packets, 0x100, isUnitStart: true)[0]
        packets[start][1] &= ~0x40
        #expect(rules(packets).contains(.unitNotAtStart))
        packets = try self.packets()
        let last = try #require(places(packets, 0x100).last)
        packets.remove(at: last)
        #expect(rules(packets) == [.wrongUnitLength])
        packets = try self.packets()
        // The start code of the second picture.
        packets[places(packets, 0x100, isUnitStart: true)[1]][12 + 2] = 2
        #expect(rules(packets) == [.malformedUnit])
    }

    @Test func unknownPIDIsSeen() throws {
        var packets = try packets()
        packets.append([0x47, 0x01, 0x55, 0x10] + [UInt8](repeating: 0, count: 184))
        #expect(rules(packets) == [.unannouncedPID])
        packets = try self.packets()
        packets.append([0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0, count: 184))
        #expect(rules(packets) == [])
        // A table that no map announces, which FFmpeg writes ahead of all others: that of services (DVB).
        packets = try self.packets()
        packets.insert([0x47, 0x40, 0x11, 0x10] + [UInt8](repeating: 0xFF, count: 184), at: 0)
        #expect(rules(packets) == [])
    }

    @Test func clockIsJudged() throws {
        func rules(_ change: (inout [UInt8]) -> Void) throws -> Set<TransportStreamViolation.Rule> {
            var packets = try self.packets()
            change(&packets[places(packets, 0x100, isUnitStart: true)[3]])
            return self.rules(packets)
        }
        // 182 ms later, 23 s later, and not at all.
        #expect(try rules { $0[8] &+= 0x20 } == [.clockTooRare, .clockBackwards])
        #expect(try rules { $0[7] = 0x16 } == [.clockTooRare, .clockBackwards, .clockAfterDecoding])
        #expect(try rules { $0[5] &= ~0x10 } == [])
        var packets = try self.packets()
        for place in places(packets, 0x100, isUnitStart: true) { packets[place][5] &= ~0x10 }
        #expect(self.rules(packets) == [.noClock])
    }

    @Test func timesAreJudged() throws {
        let program = try Fixture.program(.h264)
        func rules(_ times: [(Int64, Int64)]) -> [TransportStreamViolation.Rule] {
            let units = times.enumerated().map { index, time in
                TransportAccessUnit(
                    decodeTime: time.0,
                    presentationTime: time.1,
                    duration: 3600,
                    isRandomAccess: index == 0,
                    pieces: [ByteBuffer(repeating: 1, count: 10)]
                )
            }
            return TransportStreamSegment(program, units: [units]).parsed.violations.map(\.rule)
        }
        #expect(rules([(90_000, 90_000), (93_600, 93_600)]) == [])
        #expect(rules([(90_000, 90_000), (93_600, 93_599)]) == [.presentationBeforeDecoding])
        #expect(rules([(90_000, 90_000), (90_000, 93_600)]) == [.decodeTimesNotRising])
    }

    @Test func unitWithoutTimestampAtTheStartIsSeen() throws {
        var packets = try packets()
        let place = places(packets, 0x200, isUnitStart: true)[0]
        // Behind header and an adaptation field of two bytes: flags, and the timestamp becomes stuffing.
        let flags = 4 + 1 + Int(packets[place][4]) + 7
        packets[place][flags] = 0
        #expect(rules(packets) == [.missingTimestamp])
    }
}
