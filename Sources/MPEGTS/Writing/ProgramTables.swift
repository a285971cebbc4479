import MediaCore

/// PAT and PMT of a stream with one program (ISO/IEC 13818-1 § 2.4.4).
package struct ProgramTables: Hashable, Sendable {
    var transportStreamID: UInt16
    var programNumber: UInt16
    var mapPID: UInt16
    package var map: ProgramMap

    package init(transportStreamID: UInt16 = 1, programNumber: UInt16, mapPID: UInt16, map: ProgramMap) {
        self.transportStreamID = transportStreamID
        self.programNumber = programNumber
        self.mapPID = mapPID
        self.map = map
    }

    /// Returns the sections of the tables.
    ///
    /// - Parameter version: version_number of the PMT, modulo 32: another one for each change.
    /// - Returns: The PAT's first, each with its PID.
    package func sections(version: UInt8) -> [(pid: UInt16, section: TableSection)] {
        let association = programNumber.bigEndianBytes + (0xE000 | mapPID).bigEndianBytes
        return [
            (0, TableSection(tableID: 0, idExtension: transportStreamID, version: 0, body: association)),
            (mapPID, TableSection(tableID: 2, idExtension: programNumber, version: version, body: map.body)),
        ]
    }

    /// The payloads of the packets that carry the tables.
    package func packets(version: UInt8) -> [TableSection.Packet] {
        sections(version: version).flatMap { $0.section.packets(pid: $0.pid) }
    }
}
