import Codecs
import MediaCore
import TestSupport
import Testing

@testable import Ingest

@Suite struct AccessUnitAssemblerTests {
    /// Access units of a delimiter and two slices, as long as they have to be to be cut anywhere.
    private static func accessUnit(_ number: UInt8, hasDelimiter: Bool = true) -> [UInt8] {
        let delimiter: [UInt8] = hasDelimiter ? [0, 0, 1, 0x09, 0xF0] : []
        return delimiter + [0, 0, 1, 0x41, 0x9A, number, 7, 7, 7, 0, 0, 1, 0x41, 0x5A, number, 7, 7]
    }

    private func info(_ timestamp: Int64?) -> PacketInfo {
        PacketInfo(trackIndex: 0, presentationTimestamp: timestamp.map { $0 + 7200 }, decodeTimestamp: timestamp)
    }

    /// Returns what is delivered for packets and at the end of the feed.
    private func delivered(_ packets: [(timestamp: Int64?, bytes: [UInt8])]) -> [(timestamp: Int64?, bytes: [UInt8])] {
        var assembler = AccessUnitAssembler(AVCAccessUnitReader.self)
        var result: [(timestamp: Int64?, bytes: [UInt8])] = []
        for packet in packets {
            let info = info(packet.timestamp)
            let assembled = assembler.packetRead(info, payload: packet.bytes.span.bytes)
            if let joined = assembled.joined { result.append((joined.info.decodeTimestamp, joined.bytes)) }
            if !assembled.whole.isEmpty { result.append((packet.timestamp, Array(packet.bytes[assembled.whole]))) }
        }
        if let held = assembler.finish() { result.append((held.info.decodeTimestamp, held.bytes)) }
        #expect(assembler.finish() == nil)
        return result
    }

    @Test func packetsThatBeginWithAnAccessUnitArePassedOnAtOnce() {
        var assembler = AccessUnitAssembler(AVCAccessUnitReader.self)
        for number in 0..<5 as Range<UInt8> {
            let bytes = Self.accessUnit(number, hasDelimiter: number < 3)
            let assembled = assembler.packetRead(info(Int64(number)), payload: bytes.span.bytes)
            #expect(assembled.joined == nil)
            #expect(assembled.whole == 0..<bytes.count)
        }
        #expect(assembler.finish() == nil)
    }

    @Test(arguments: [true, false], 1...16)
    func anAccessUnitOverTwoPacketsIsJoined(hasDelimiter: Bool, cut: Int) {
        let units = (0..<4).map { Self.accessUnit($0, hasDelimiter: hasDelimiter) }
        let packets = units.enumerated().flatMap { index, unit in
            [(Int64(index), Array(unit[..<cut])), (nil, Array(unit[cut...]))] as [(Int64?, [UInt8])]
        }
        let delivered = delivered(packets)
        // The first one was passed on before anything told that there is more of it.
        #expect(delivered.map(\.bytes) == [Array(units[0][..<cut]), units[1], units[2], units[3]])
        #expect(delivered.map(\.timestamp) == [0, 1, 2, 3])
    }

    @Test(arguments: [true, false])
    func aTimestampIsThatOfTheFirstAccessUnitThatBegins(hasDelimiter: Bool) {
        let units = (0..<4).map { Self.accessUnit($0, hasDelimiter: hasDelimiter) }
        let delivered = delivered([
            (0, Array(units[0].prefix(8))),
            (1, Array(units[0].dropFirst(8) + units[1].prefix(9))),
            (2, Array(units[1].dropFirst(9) + units[2])),
            (3, units[3]),
        ])
        #expect(delivered.map(\.bytes) == [Array(units[0].prefix(8)), units[1], units[2], units[3]])
        #expect(delivered.map(\.timestamp) == [0, 1, 2, 3])
    }

    @Test func damageToAPartIsDamageToTheWhole() {
        var assembler = AccessUnitAssembler(AVCAccessUnitReader.self)
        let unit = Self.accessUnit(0)
        _ = assembler.packetRead(info(nil), payload: unit.span.bytes)
        _ = assembler.packetRead(info(0), payload: unit.span.bytes)
        var rest = info(nil)
        rest.isCorrupt = true
        _ = assembler.packetRead(rest, payload: unit.span.bytes)
        let held = assembler.finish()
        #expect(held?.info.isCorrupt == true)
        #expect(held?.bytes == unit + unit)
    }

    @Test func damageHoldsNothingBack() {
        var assembler = AccessUnitAssembler(AVCAccessUnitReader.self)
        let unit = Self.accessUnit(0)
        for timestamp in [nil, 0] as [Int64?] {
            var damaged = info(timestamp)
            damaged.isCorrupt = true
            let rest = Array(unit.dropFirst(3))
            #expect(assembler.packetRead(damaged, payload: rest.span.bytes).whole == 0..<rest.count)
        }
        #expect(assembler.packetRead(info(1), payload: unit.span.bytes).whole == 0..<unit.count)
        #expect(assembler.finish() == nil)
    }

    @Test func whatNeverEndsIsCut() {
        var assembler = AccessUnitAssembler(AVCAccessUnitReader.self)
        let bytes = [UInt8](repeating: 7, count: 1 << 20)
        _ = assembler.packetRead(info(nil), payload: bytes.span.bytes)
        let unit = Self.accessUnit(0)
        _ = assembler.packetRead(info(0), payload: unit.span.bytes)
        for _ in 0..<20 { _ = assembler.packetRead(info(nil), payload: bytes.span.bytes) }
        #expect(assembler.finish()?.bytes.count == unit.count + (7 << 20))
    }
}
