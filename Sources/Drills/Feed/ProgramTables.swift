/// PAT and PMT of a stream with one program, and their sections (ISO/IEC 13818-1 § 2.4.4).
struct ProgramTables: Hashable, Sendable {
    var transportStreamID: UInt16 = 1
    var programNumber: UInt16
    var mapPID: UInt16
    var map: ProgramMap

    struct ProgramMap: Hashable, Sendable {
        /// Where the program clock reference is.
        var clockPID: UInt16
        var descriptors: [UInt8] = []
        var streams: [Stream]
    }

    struct Stream: Hashable, Sendable {
        var type: UInt8
        var pid: UInt16
        var descriptors: [UInt8] = []
    }

    /// The first program in `units`, those of each PID.
    ///
    /// - Throws: ``TransportStreamError/noTable(pid:)``.
    init(_ units: [UInt16: [TransportUnitCollector.Unit]]) throws(TransportStreamError) {
        guard let association = Self.section(units[0]?.first?.bytes, tableID: 0) else { throw .noTable(pid: 0) }
        let programs = stride(from: 0, to: association.body.count / 4 * 4, by: 4).map {
            (number: association.body.integer(at: $0), pid: association.body.integer(at: $0 + 2) & 0x1FFF)
        }
        // Program 0 is the network information table.
        guard let program = programs.first(where: { $0.number != 0 }) else { throw .noTable(pid: 0) }
        guard let section = Self.section(units[program.pid]?.first?.bytes, tableID: 2),
            let map = ProgramMap(section.body)
        else { throw .noTable(pid: program.pid) }
        transportStreamID = association.idExtension
        programNumber = program.number
        mapPID = program.pid
        self.map = map
    }

    /// The section that a unit starts with, without head and CRC; nil if it is malformed or another table's.
    private static func section(_ unit: [UInt8]?, tableID: UInt8) -> (idExtension: UInt16, body: [UInt8])? {
        guard let unit, let pointer = unit.first, unit.count > 1 + Int(pointer) + 3 else { return nil }
        let section = Array(unit[(1 + Int(pointer))...])
        let length = 3 + Int(section.integer(at: 1) & 0x0FFF)
        // Five bytes follow the length before the body, and four of CRC after it.
        guard section[0] == tableID, length >= 12, length <= section.count, CRC32.value(section[..<length]) == 0
        else { return nil }
        return (section.integer(at: 3), Array(section[8..<(length - 4)]))
    }

    /// The sections of PAT and PMT, each with its PID.
    ///
    /// - Parameter version: version_number of the PMT, modulo 32: another one for each change.
    /// - Returns: The PAT's first.
    func sections(version: UInt8) -> [(pid: UInt16, section: [UInt8])] {
        let association = programNumber.bigEndianBytes + (0xE000 | mapPID).bigEndianBytes
        return [
            (0, Self.section(tableID: 0, idExtension: transportStreamID, version: 0, body: association)),
            (mapPID, Self.section(tableID: 2, idExtension: programNumber, version: version, body: map.bytes)),
        ]
    }

    private static func section(tableID: UInt8, idExtension: UInt16, version: UInt8, body: [UInt8]) -> [UInt8] {
        var bytes = [tableID] + (0xB000 | UInt16(body.count + 9)).bigEndianBytes + idExtension.bigEndianBytes
        // Version, current_next_indicator; section 0 of 0.
        bytes += [0xC1 | (version & 31) << 1, 0, 0] + body
        let crc = CRC32.value(bytes[...])
        return bytes + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: crc >> $0) }
    }
}

extension ProgramTables.ProgramMap {
    /// Reads a section's body (ISO/IEC 13818-1 § 2.4.4.8); nil if it is malformed.
    fileprivate init?(_ body: [UInt8]) {
        guard body.count >= 4 else { return nil }
        let start = 4 + Int(body.integer(at: 2) & 0x0FFF)
        guard start <= body.count else { return nil }
        self.init(clockPID: body.integer(at: 0) & 0x1FFF, descriptors: Array(body[4..<start]), streams: [])
        var position = start
        while position + 5 <= body.count {
            let end = position + 5 + Int(body.integer(at: position + 3) & 0x0FFF)
            guard end <= body.count else { return nil }
            streams.append(
                ProgramTables.Stream(
                    type: body[position],
                    pid: body.integer(at: position + 1) & 0x1FFF,
                    descriptors: Array(body[(position + 5)..<end])
                )
            )
            position = end
        }
    }

    fileprivate var bytes: [UInt8] {
        var bytes = (0xE000 | clockPID).bigEndianBytes + (0xF000 | UInt16(descriptors.count)).bigEndianBytes
        bytes += descriptors
        for stream in streams {
            bytes += [stream.type] + (0xE000 | stream.pid).bigEndianBytes
            bytes += (0xF000 | UInt16(stream.descriptors.count)).bigEndianBytes + stream.descriptors
        }
        return bytes
    }
}

extension UInt16 {
    fileprivate var bigEndianBytes: [UInt8] { [UInt8(self >> 8), UInt8(truncatingIfNeeded: self)] }
}

extension [UInt8] {
    fileprivate func integer(at index: Int) -> UInt16 { UInt16(self[index]) << 8 | UInt16(self[index + 1]) }
}
