extension ProgramTables {
    /// 184 bytes of a section.
    struct Packet: Hashable, Sendable {
        var pid: UInt16
        var isUnitStart: Bool
        var payload: ArraySlice<UInt8>
    }

    /// The payloads of the packets that carry PAT and PMT.
    ///
    /// - Parameter version: Of the PMT.
    /// - Returns: In order of sending.
    func packets(version: UInt8) -> [Packet] {
        sections(version: version).flatMap { pid, section in
            // pointer_field 0, and stuffing bytes to the end (ISO/IEC 13818-1 § 2.4.4.2).
            let bytes = [0] + section
            return stride(from: 0, to: bytes.count, by: TransportPacket.maximumPayload).map { start in
                var payload = bytes[start...].prefix(TransportPacket.maximumPayload)
                payload += TransportPacket.stuffing.prefix(TransportPacket.maximumPayload - payload.count)
                return Packet(pid: pid, isUnitStart: start == 0, payload: payload)
            }
        }
    }
}
