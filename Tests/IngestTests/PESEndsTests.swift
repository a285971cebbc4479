import Foundation
import TestSupport
import Testing

@testable import Ingest

@Suite struct PESEndsTests {
    /// `#expect` calls nothing that is mutating.
    private final class Finder {
        private var ends = PESEnds()

        func pass(_ bytes: ArraySlice<UInt8>) -> Bool { ends.pass(Array(bytes).span.bytes) }
    }

    /// A packet of a transport stream, with stuffing in its adaptation field where the payload does not fill it.
    private static func packet(_ payload: [UInt8], pid: UInt16 = 256, isStart: Bool = false) -> [UInt8] {
        let head = [0x47, (isStart ? 0x40 : 0) | UInt8(pid >> 8), UInt8(pid & 0xFF)]
        if payload.count == 184 { return head + [0x10] + payload }
        let stuffing = 183 - payload.count
        let field = stuffing == 0 ? [] : [0] + [UInt8](repeating: 0xFF, count: stuffing - 1)
        return head + [0x30, UInt8(stuffing)] + field + payload
    }

    private static func start(length: Int, _ stream: UInt8 = 0xE0, count: Int = 184) -> [UInt8] {
        let head = [0, 0, 1, stream, UInt8(length >> 8), UInt8(length & 0xFF)]
        return head + [UInt8](repeating: 0x55, count: count - head.count)
    }

    private static let rest = [UInt8](repeating: 0x55, count: 184)

    @Test func aPacketThatSaysItsLengthEndsWithItsLastByte() {
        let ends = Finder()
        #expect(!ends.pass(Self.packet(Self.start(length: 184 * 2 - 6 + 10), isStart: true)[...]))
        #expect(!ends.pass(Self.packet(Self.rest)[...]))
        // Other streams are between its packets.
        #expect(!ends.pass(Self.packet(Self.rest, pid: 257)[...]))
        #expect(ends.pass(Self.packet([UInt8](repeating: 0x55, count: 10))[...]))
        #expect(!ends.pass(Self.packet(Self.rest)[...]), "it belongs to none")
        #expect(ends.pass(Self.packet(Self.start(length: 20, count: 26), isStart: true)[...]), "it is whole")
    }

    @Test func aPacketWithoutALengthEndsWhereTheNextBegins() {
        let ends = Finder()
        #expect(!ends.pass(Self.packet(Self.start(length: 0), isStart: true)[...]))
        for _ in 0..<10 { #expect(!ends.pass(Self.packet(Self.rest)[...])) }
        #expect(ends.pass(Self.packet(Self.start(length: 0), isStart: true)[...]))
    }

    /// A demuxer gives out what there is of it.
    @Test func aPacketThatIsCutShortEndsWhereTheNextBegins() {
        let ends = Finder()
        #expect(!ends.pass(Self.packet(Self.start(length: 1_000), isStart: true)[...]))
        #expect(ends.pass(Self.packet(Self.start(length: 1_000), isStart: true)[...]))
    }

    @Test func nothingEndsInTablesClocksAndStuffing() {
        let ends = Finder()
        let table = Self.packet([0, 0, 0xB0, 13] + [UInt8](repeating: 0xFF, count: 180), pid: 0, isStart: true)
        let clock = [0x47, 1, 0, 0x20, 183] + [UInt8](repeating: 0xFF, count: 183)
        let null = [0x47, 0x1F, 0xFF, 0x10] + Self.rest
        for _ in 0..<2 { #expect(!ends.pass((table + clock + null)[...])) }
        #expect(ends.pass((clock + Self.packet(Self.start(length: 20, count: 26), isStart: true) + null)[...]))
    }

    /// Nothing is known of them: a reader looks at them at once.
    @Test(arguments: [[], [0x47], [UInt8](repeating: 0, count: 188), [0x47] + [UInt8](repeating: 0xFF, count: 188)])
    func whatIsNoTransportStreamMayEndAnywhere(bytes: [UInt8]) {
        let ends = Finder()
        #expect(ends.pass(bytes[...]) == !bytes.isEmpty)
    }

    @Test func noBytesTrap() {
        var random = SeededGenerator(seed: 3)
        let ends = Finder()
        for _ in 0..<2_000 {
            var bytes = (0..<188).map { _ in UInt8.random(in: 0...255, using: &random) }
            bytes[0] = 0x47
            _ = ends.pass(bytes[...])
            _ = ends.pass(
                Self.packet(Self.start(length: Int.random(in: 0...0xFFFF, using: &random)), isStart: true)[...]
            )
        }
    }

    /// Every picture and every frame that FFmpeg has written is found where it ends, and nothing else is.
    @Test func everyUnitOfAStreamIsFoundAtItsEnd() throws {
        let feed = [UInt8](try Data(contentsOf: URL(filePath: Repository.feed)))
        let ends = Finder()
        // The units that were begun, by PID: the bytes that are missing, or nil where they do not say.
        var units: [UInt16: Int?] = [:]
        var (declared, open) = (0, 0)
        for start in stride(from: 0, to: feed.count - 187, by: 188) {
            let packet = feed[start..<start + 188]
            let pid = UInt16(packet[start + 1] & 0x1F) << 8 | UInt16(packet[start + 2])
            let unit = packet.dropFirst(packet[start + 3] & 0x20 == 0 ? 4 : 5 + Int(packet[start + 4]))
            var isEnd = false
            if packet[start + 1] & 0x40 != 0, unit.starts(with: [0, 0, 1]) {
                isEnd = units.keys.contains(pid)
                open += isEnd ? 1 : 0
                let length = unit.dropFirst(4).prefix(2).reduce(0) { $0 * 256 + Int($1) }
                units[pid] = .some(length == 0 ? nil : length + 6)
            }
            if case .some(.some(let count)) = units[pid] {
                units[pid] = .some(count - unit.count)
                if count <= unit.count {
                    units[pid] = nil
                    declared += 1
                    isEnd = true
                }
            }
            #expect(ends.pass(packet) == isEnd, "at \(start)")
        }
        #expect(declared > 30 && open > 100, "\(declared) and \(open)")
    }
}
