@testable import MPEGTS

/// Writes a transport stream of one track that comes, whose PES packets may hold anything.
struct TransportStreamWriter {
    private(set) var bytes: [UInt8] = []
    private var counters: [UInt16: UInt8] = [:]
    private static let (mapPID, otherMapPID, videoPID): (UInt16, UInt16, UInt16) = (0x1000, 0x1001, 0x100)

    /// - Parameters:
    ///   - streamType: ISO/IEC 13818-1 table 2-34; H.264 unless stated.
    ///   - descriptors: Of the track.
    ///   - others: More tracks, which never come.
    init(streamType: UInt8 = 0x1B, descriptors: [UInt8] = [], others: [ProgramMap.Stream] = []) {
        let programs: [UInt8] = [0, 1, 0xF0, 0, 0, 2, 0xF0, 1]
        write(TableSection(tableID: 0, idExtension: 1, version: 0, body: programs), pid: 0)
        let stream = ProgramMap.Stream(type: streamType, pid: Self.videoPID, descriptors: descriptors)
        let map = ProgramMap(clockPID: Self.videoPID, streams: [stream] + others)
        write(TableSection(tableID: 2, idExtension: 1, version: 0, body: map.body), pid: Self.mapPID)
        writeOtherProgram(version: 0)
    }

    /// Writes the map of program 2, one track of AAC that never comes.
    mutating func writeOtherProgram(version: UInt8) {
        let map = ProgramMap(clockPID: 0x200, streams: [.init(type: 0x0F, pid: 0x200)])
        write(TableSection(tableID: 2, idExtension: 2, version: version, body: map.body), pid: Self.otherMapPID)
    }

    /// - Parameters:
    ///   - payload: The bytes of a PES packet, whose length and alignment are left unstated.
    ///   - timestamps: PTS and DTS; none if nil.
    mutating func writePES(_ payload: [UInt8], timestamps: (presentation: Int64, decode: Int64)?) {
        var header: [UInt8] = [0, 0, 1, 0xE0, 0, 0, 0x80, 0, 0]
        if let timestamps {
            let times = PESHeader.Times(presentation: timestamps.presentation, decode: timestamps.decode)
            header = PESHeader(streamID: 0xE0, times: times).bytes(payloadByteCount: payload.count)
            header.replaceSubrange(4...6, with: [0, 0, 0x80])
        }
        var rest = (header + payload)[...]
        var isStart = true
        while !rest.isEmpty {
            write(rest.prefix(184), pid: Self.videoPID, isStart: isStart)
            rest = rest.dropFirst(184)
            isStart = false
        }
    }

    private mutating func write(_ section: TableSection, pid: UInt16) {
        for packet in section.packets(pid: pid) { write(packet.payload[...], pid: pid, isStart: packet.isUnitStart) }
    }

    /// Writes one packet; what is missing to 184 bytes goes into the adaptation field.
    private mutating func write(_ payload: ArraySlice<UInt8>, pid: UInt16, isStart: Bool) {
        let counter = counters[pid, default: 0]
        counters[pid] = counter &+ 1
        bytes += TransportPacket.bytes(pid: pid, isUnitStart: isStart, counter: counter, payload: payload)
    }
}
