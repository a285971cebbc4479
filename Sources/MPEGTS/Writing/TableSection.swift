import MediaCore

/// A table that is one section (ISO/IEC 13818-1 § 2.4.4).
package struct TableSection: Hashable, Sendable {
    var tableID: UInt8
    /// table_id_extension: the stream or the program.
    package var idExtension: UInt16
    /// 5 bits.
    var version: UInt8
    /// The bytes between head and checksum.
    package var body: [UInt8]

    package init(tableID: UInt8, idExtension: UInt16, version: UInt8, body: [UInt8]) {
        self.tableID = tableID
        self.idExtension = idExtension
        self.version = version
        self.body = body
    }

    /// The bytes with head and checksum.
    package var bytes: [UInt8] {
        // Five bytes follow the length before the body, and four of checksum after it.
        var bytes = [tableID] + (0xB000 | UInt16(truncatingIfNeeded: body.count + 9)).bigEndianBytes
        // current_next_indicator, section 0 of 0.
        bytes += idExtension.bigEndianBytes + [0xC1 | (version & 31) << 1, 0, 0] + body
        let checksum = SectionChecksum.value(bytes)
        return bytes + UInt16(checksum >> 16).bigEndianBytes + UInt16(truncatingIfNeeded: checksum).bigEndianBytes
    }

    /// The part of a section that one transport packet carries: 184 bytes.
    package struct Packet: Hashable, Sendable {
        package var pid: UInt16
        package var isUnitStart: Bool
        package var payload: [UInt8]
    }

    /// The section behind pointer_field 0, and stuffing bytes to the end (ISO/IEC 13818-1 § 2.4.4.2).
    func packets(pid: UInt16) -> [Packet] {
        let bytes = [0] + bytes
        return stride(from: 0, to: bytes.count, by: TransportPacket.maximumPayload).map { start in
            let payload = bytes[start...].prefix(TransportPacket.maximumPayload)
            let stuffing = [UInt8](repeating: 0xFF, count: TransportPacket.maximumPayload - payload.count)
            return Packet(pid: pid, isUnitStart: start == 0, payload: payload + stuffing)
        }
    }
}
