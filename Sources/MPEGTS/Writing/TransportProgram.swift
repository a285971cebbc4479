/// The one program of a stream: which elementary streams it has, on which PIDs, and the tables that say so.
///
/// All of it is a function of the streams, so that packagers that know nothing of each other write the same.
package struct TransportProgram: Sendable {
    let streams: [ElementaryStream]
    /// The PID of each stream, fixed by its kind and its place among its kind.
    let pids: [UInt16]
    /// Index of the stream whose PID carries the clock: the first video, else the first audio.
    let clockStream: Int
    /// The payloads of the packets of the tables, in order: 184 bytes each.
    let tablePackets: [TableSection.Packet]

    static let programNumber: UInt16 = 1
    static let mapPID: UInt16 = 0x1000
    /// ISO/IEC 13818-1 § 2.4.4.8: section_length is at most 1021.
    private static let maximumSectionByteCount = 1024
    /// Bytes of head and checksum of a section.
    private static let sectionOverhead = 12
    /// Bytes of a stream without descriptors, in the program map.
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

        let map = Self.map(streams, pids: pids, clockPID: pids[clockStream])
        guard map.body.count + Self.sectionOverhead <= Self.maximumSectionByteCount else { throw .tooManyStreams }
        tablePackets = ProgramTables(programNumber: Self.programNumber, mapPID: Self.mapPID, map: map)
            .packets(version: Self.version(of: map, isEncrypted: streams.contains(where: \.isEncrypted)))
    }

    private static func map(_ streams: [ElementaryStream], pids: [UInt16], clockPID: UInt16) -> ProgramMap {
        let hasMetadata = streams.contains { $0.kind == .timedID3 }
        return ProgramMap(
            clockPID: clockPID,
            descriptors: hasMetadata ? ElementaryStream.metadataPointer(programNumber: programNumber) : [],
            streams: zip(streams, pids).map { stream, pid in
                ProgramMap.Stream(type: stream.streamType, pid: pid, descriptors: stream.descriptors)
            }
        )
    }

    /// A version that changes with the content: four bits of its checksum, and one that always tells clear streams
    /// from encrypted ones.
    private static func version(of map: ProgramMap, isEncrypted: Bool) -> UInt8 {
        UInt8(SectionChecksum.value(map.body) >> 28) << 1 | (isEncrypted ? 1 : 0)
    }
}
