import MPEGTS

extension ProgramTables {
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
        self.init(
            transportStreamID: association.idExtension,
            programNumber: program.number,
            mapPID: program.pid,
            map: map
        )
    }

    /// The section that a unit starts with; nil if it is malformed or another table's.
    private static func section(_ unit: [UInt8]?, tableID: UInt8) -> TableSection? {
        guard let unit, let pointer = unit.first, unit.count > 1 + Int(pointer) + 3 else { return nil }
        let section = Array(unit[(1 + Int(pointer))...])
        let length = 3 + Int(section.integer(at: 1) & 0x0FFF)
        // Five bytes follow the length before the body, and four of checksum after it.
        guard section[0] == tableID, length >= 12, length <= section.count,
            SectionChecksum.value(section[..<length]) == 0
        else { return nil }
        return TableSection(
            tableID: tableID,
            idExtension: section.integer(at: 3),
            version: section[5] >> 1 & 31,
            body: Array(section[8..<(length - 4)])
        )
    }
}

extension ProgramMap {
    /// Reads a section's body; nil if it is malformed.
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
                Stream(
                    type: body[position],
                    pid: body.integer(at: position + 1) & 0x1FFF,
                    descriptors: Array(body[(position + 5)..<end])
                )
            )
            position = end
        }
    }
}

extension [UInt8] {
    fileprivate func integer(at index: Int) -> UInt16 { UInt16(self[index]) << 8 | UInt16(self[index + 1]) }
}
