/// The one program of a stream: which elementary streams it has, on which PIDs, and the tables that say so.
///
/// All of it is a function of the streams, so that packagers that know nothing of each other write the same.
package struct TransportProgram: Sendable {
    package let streams: [ElementaryStream]
    /// Of each stream, fixed by its kind and its place among its kind.
    package let pids: [UInt16]
    /// Index of the stream whose PID carries the clock: the first video, else the first audio.
    let clockStream: Int
    /// What the packets of the tables carry, in order: 184 bytes each.
    let tablePackets: [TablePacket]

    struct TablePacket: Sendable {
        var pid: UInt16
        var isUnitStart: Bool
        var payload: [UInt8]
    }

    static let programNumber: UInt16 = 1
    static let mapPID: UInt16 = 0x1000
    private static let streamID: UInt16 = 1
    /// ISO/IEC 13818-1 § 2.4.4.8: section_length is at most 1021.
    private static let maximumSectionByteCount = 1024
    /// Of a stream without descriptors, in the program map.
    private static let minimumEntryByteCount = 5

    /// Announces streams.
    ///
    /// - Throws: ``TransportProgramError``.
    package init(_ streams: [ElementaryStream]) throws(TransportProgramError) {
        guard !streams.isEmpty else { throw .noStreams }
        guard streams.count <= Self.maximumSectionByteCount / Self.minimumEntryByteCount else { throw .tooManyStreams }
        for stream in streams { try stream.validate() }
        self.streams = streams
        pids = streams.indices.map { index in
            let first = streams[index].kind.firstPID
            return first + UInt16(streams[..<index].count { $0.kind.firstPID == first })
        }
        clockStream =
            streams.firstIndex(where: \.kind.isVideo) ?? streams.firstIndex(where: \.kind.isAudio) ?? 0

        let association = Self.programNumber.bigEndianBytes + (0xE000 | Self.mapPID).bigEndianBytes
        let map = Self.map(streams, pids: pids, clockPID: pids[clockStream])
        let mapSection = Self.section(
            tableID: 2,
            idExtension: Self.programNumber,
            version: Self.version(of: map, isEncrypted: streams.contains(where: \.isEncrypted)),
            body: map
        )
        guard mapSection.count <= Self.maximumSectionByteCount else { throw .tooManyStreams }
        tablePackets =
            Self.packets(
                pid: 0,
                section: Self.section(tableID: 0, idExtension: Self.streamID, version: 0, body: association)
            ) + Self.packets(pid: Self.mapPID, section: mapSection)
    }

    /// TS_program_map_section between its head and its checksum (ISO/IEC 13818-1 § 2.4.4.8).
    private static func map(_ streams: [ElementaryStream], pids: [UInt16], clockPID: UInt16) -> [UInt8] {
        let hasMetadata = streams.contains { $0.kind == .timedID3 }
        let information = hasMetadata ? ElementaryStream.metadataPointer(programNumber: programNumber) : []
        var bytes = (0xE000 | clockPID).bigEndianBytes
        bytes += (0xF000 | UInt16(information.count)).bigEndianBytes + information
        for (stream, pid) in zip(streams, pids) {
            let descriptors = stream.descriptors
            bytes += [stream.streamType] + (0xE000 | pid).bigEndianBytes
            bytes += (0xF000 | UInt16(descriptors.count)).bigEndianBytes + descriptors
        }
        return bytes
    }

    /// A version that changes with the content: four bits of its checksum, and one that always tells clear streams
    /// from encrypted ones.
    private static func version(of map: [UInt8], isEncrypted: Bool) -> UInt8 {
        UInt8(CRC32.value(map) >> 28) << 1 | (isEncrypted ? 1 : 0)
    }

    /// A section of a table that has only one (ISO/IEC 13818-1 § 2.4.4).
    private static func section(tableID: UInt8, idExtension: UInt16, version: UInt8, body: [UInt8]) -> [UInt8] {
        // Five bytes follow the length before the body, and four of checksum after it.
        var bytes = [tableID] + (0xB000 | UInt16(truncatingIfNeeded: body.count + 9)).bigEndianBytes
        // current_next_indicator, section 0 of 0.
        bytes += idExtension.bigEndianBytes + [0xC1 | version << 1, 0, 0] + body
        let checksum = CRC32.value(bytes)
        return bytes + UInt16(checksum >> 16).bigEndianBytes + UInt16(truncatingIfNeeded: checksum).bigEndianBytes
    }

    /// A section behind pointer_field 0, and stuffing bytes to the end (ISO/IEC 13818-1 § 2.4.4.2).
    private static func packets(pid: UInt16, section: [UInt8]) -> [TablePacket] {
        let bytes = [0] + section
        return stride(from: 0, to: bytes.count, by: TransportPacket.maximumPayload).map { start in
            let payload = bytes[start...].prefix(TransportPacket.maximumPayload)
            let stuffing = [UInt8](repeating: 0xFF, count: TransportPacket.maximumPayload - payload.count)
            return TablePacket(pid: pid, isUnitStart: start == 0, payload: payload + stuffing)
        }
    }
}

extension UInt16 {
    fileprivate var bigEndianBytes: [UInt8] { [UInt8(self >> 8), UInt8(truncatingIfNeeded: self)] }
}
