import MediaCore
import TestSupport
import Testing

@testable import MPEGTS

/// Sections in the bytes of a transport stream, whatever libavformat would say of it.
@Suite struct SpliceSectionReaderTests {
    /// A stream of two programs, of which the first registers nothing.
    private struct Stream {
        private(set) var bytes: [UInt8] = []
        private var counters: [UInt16: UInt8] = [:]
        /// The bytes that each packet has before its sync byte, and behind itself.
        var padding = (before: 0, behind: 0)

        static let pid: UInt16 = 500

        mutating func packet(_ pid: UInt16, isUnitStart: Bool, _ payload: [UInt8], flags: UInt8 = 0) {
            let counter = (counters[pid, default: 15] + 1) & 15
            counters[pid] = counter
            let head = [0x47, flags | (isUnitStart ? 0x40 : 0) | UInt8(pid >> 8), UInt8(pid & 0xFF)]
            let stuffing = 184 - payload.count
            var field: [UInt8] = []
            if stuffing > 0 { field = [UInt8(stuffing - 1)] }
            if stuffing > 1 { field += [0] + [UInt8](repeating: 0xFF, count: stuffing - 2) }
            bytes += [UInt8](repeating: 0, count: padding.before) + head
            bytes += [counter | (stuffing > 0 ? 0x30 : 0x10)] + field + payload
            bytes += [UInt8](repeating: 0, count: padding.behind)
        }

        mutating func section(_ section: [UInt8], pid: UInt16 = Self.pid) {
            var rest = ([0] + section)[...]
            var isFirst = true
            while !rest.isEmpty {
                packet(pid, isUnitStart: isFirst, Array(rest.prefix(184)))
                (rest, isFirst) = (rest.dropFirst(184), false)
            }
        }

        mutating func tables() {
            for (number, mapPID) in [(1, 0x100), (2, 0x200)] as [(UInt16, UInt16)] {
                let streams = [
                    ProgramMap.Stream(type: 0x1B, pid: mapPID + 1, descriptors: [0x0A, 4, 0x64, 0x65, 0x75, 0]),
                    ProgramMap.Stream(type: number == 1 ? 0x86 : 0x06, pid: number == 1 ? Self.pid : 501),
                ]
                let map = ProgramMap(clockPID: mapPID + 1, streams: streams)
                let tables = ProgramTables(programNumber: number, mapPID: mapPID, map: map)
                for (pid, table) in tables.sections(version: 0) { section(table.bytes, pid: pid) }
            }
        }

        mutating func media(_ count: Int) {
            for _ in 0..<count { packet(0x101, isUnitStart: false, [UInt8](repeating: 0x47, count: 184)) }
        }
    }

    /// A private section with so many bytes; only its length is looked at.
    private static func section(_ count: Int, _ value: UInt8 = 7) -> [UInt8] {
        [0xFC, 0x30 | UInt8((count - 3) >> 8), UInt8((count - 3) & 0xFF)] + [UInt8](repeating: value, count: count - 3)
    }

    private static func read(
        _ stream: Stream,
        _ pids: [SplicePID] = [.automatic],
        by count: Int = .max
    ) -> [SpliceSectionReader.Section] {
        var reader = SpliceSectionReader(pids)
        var found: [SpliceSectionReader.Section] = []
        for start in Swift.stride(from: 0, to: stream.bytes.count, by: min(count, stream.bytes.count)) {
            let part = Array(stream.bytes[start...].prefix(count))
            found += reader.read(part.span.bytes)
        }
        return found
    }

    @Test(arguments: [(0, 0), (4, 0), (0, 16)], [1, 100, 188, 1_316, .max])
    func sectionsAreFoundWithTheirPlace(padding: (Int, Int), by count: Int) {
        var stream = Stream()
        stream.padding = padding
        stream.tables()
        stream.media(3)
        stream.section(Self.section(40))
        stream.media(1)
        stream.section(Self.section(400, 8))
        stream.media(3)
        let found = Self.read(stream, by: count)
        #expect(found.map(\.bytes) == [Self.section(40), Self.section(400, 8)])
        #expect(found.map(\.program) == [1, 1])
        let packet = Int64(188 + padding.0 + padding.1)
        #expect(found.map(\.position) == [7 * packet + Int64(padding.0), 11 * packet + Int64(padding.0)])
    }

    @Test func aNumberIsReadWhateverItsTypeIs() {
        var stream = Stream()
        stream.tables()
        stream.section(Self.section(40))
        stream.section(Self.section(50), pid: 501)
        stream.section(Self.section(60), pid: 600)
        stream.media(3)
        #expect(Self.read(stream, [.number(501)]).map { [$0.bytes.count, $0.program ?? 0] } == [[50, 2]])
        #expect(Self.read(stream, [.number(600)]).map { [$0.bytes.count, $0.program ?? 0] } == [[60, 0]])
        #expect(Self.read(stream, [.automatic, .number(600)]).map(\.bytes.count) == [40, 60])
        #expect(Self.read(stream, [.number(700)]).isEmpty)
    }

    @Test func severalShareAPacketAndOneMayBeginInAnothersLast() {
        var stream = Stream()
        stream.tables()
        stream.packet(Stream.pid, isUnitStart: true, [0] + Self.section(30) + Self.section(31))
        let long = Self.section(300)
        stream.packet(Stream.pid, isUnitStart: true, [0] + long.prefix(183))
        stream.packet(Stream.pid, isUnitStart: true, [117] + long.suffix(117) + Self.section(32))
        stream.media(3)
        #expect(Self.read(stream).map(\.bytes.count) == [30, 31, 300, 32])
    }

    @Test func whatLacksAPacketIsDropped() {
        var stream = Stream()
        stream.tables()
        let long = Self.section(500)
        stream.packet(Stream.pid, isUnitStart: true, [0] + long.prefix(183))
        var lost = stream
        lost.packet(Stream.pid, isUnitStart: false, Array(long.dropFirst(183).prefix(184)))
        lost.packet(Stream.pid, isUnitStart: false, Array(long.dropFirst(367)))
        let whole = lost
        // The same without its second packet, and with one that says of itself that it is damaged.
        lost = stream
        lost.packet(Stream.pid, isUnitStart: false, Array(long.dropFirst(183).prefix(184)), flags: 0x80)
        lost.packet(Stream.pid, isUnitStart: false, Array(long.dropFirst(367)))
        for (stream, counts) in [(whole, [500, 40]), (lost, [40])] {
            var stream = stream
            stream.section(Self.section(40))
            stream.media(3)
            #expect(Self.read(stream).map(\.bytes.count) == counts)
        }
    }

    /// One map may describe any number of programs: a packet with sections that all of them share must not cost gigabytes.
    @Test func asManyProgramsAsNobodyHasCostLittle() {
        var stream = Stream()
        stream.tables()
        let map = ProgramMap(clockPID: 0x101, streams: [ProgramMap.Stream(type: 0x86, pid: Stream.pid)])
        for number in 1...UInt16(2 * SpliceSectionReader.mostPrograms) {
            let tables = ProgramTables(programNumber: number, mapPID: 0x100, map: map)
            if let (pid, table) = tables.sections(version: 0).last { stream.section(table.bytes, pid: pid) }
        }
        let known = stream
        stream.section(Self.section(40))
        stream.media(3)
        #expect(Self.read(stream).count == SpliceSectionReader.mostPrograms)
        stream = known
        for _ in 0..<2 { stream.packet(Stream.pid, isUnitStart: true, [0] + (0..<60).flatMap { _ in Self.section(3) }) }
        stream.media(3)
        let found = Self.read(stream)
        #expect(found.count >= SpliceSectionReader.mostSections)
        #expect(found.count < SpliceSectionReader.mostSections + SpliceSectionReader.mostPrograms)
    }

    /// A program that comes in place of many others is known again with the next of its maps.
    @Test func programsMayChangeForEver() {
        var stream = Stream()
        let map = ProgramMap(clockPID: 0x101, streams: [ProgramMap.Stream(type: 0x86, pid: Stream.pid)])
        for number in 1...UInt16(SpliceSectionReader.mostPrograms + 1) {
            let tables = ProgramTables(programNumber: number, mapPID: 0x100, map: map)
            for (pid, table) in tables.sections(version: 0) { stream.section(table.bytes, pid: pid) }
        }
        stream.section(Self.section(40))
        stream.media(3)
        #expect(Self.read(stream).map(\.program) == [SpliceSectionReader.mostPrograms + 1])
    }

    /// Reading ends, whatever comes, and takes what is whole.
    @Test(arguments: 0..<20 as Range<UInt64>) func damageEndsNothing(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var stream = Stream()
        stream.tables()
        for _ in 0..<20 {
            stream.section(Self.section(Int.random(in: 12...600, using: &generator)))
            stream.media(2)
        }
        var bytes = stream.bytes
        for _ in 0..<30 {
            bytes[Int.random(in: 0..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
        }
        bytes.removeSubrange(5_000..<Int.random(in: 5_001...5_200, using: &generator))
        var reader = SpliceSectionReader([.automatic, .number(500)])
        let found = reader.read(bytes.span.bytes)
        #expect(found.count <= 25)
        reader.moved(to: 0)
        #expect(reader.read(stream.bytes.span.bytes).count == 20)
    }
}
