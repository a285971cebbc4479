/// Writes a transport stream of one track, whose PES packets may hold anything.
struct TransportStreamWriter {
    private(set) var bytes: [UInt8] = []
    private var counters: [Int: UInt8] = [:]
    private static let (mapPID, otherMapPID, videoPID) = (0x1000, 0x1001, 0x100)

    /// - Parameters:
    ///   - streamType: ISO/IEC 13818-1 table 2-34; H.264 unless stated.
    ///   - descriptors: Of the track.
    init(streamType: UInt8 = 0x1B, descriptors: [UInt8] = []) {
        let count = UInt8(descriptors.count)
        writeSection([0, 0xB0, 17, 0, 1, 0xC1, 0, 0, 0, 1, 0xF0, 0, 0, 2, 0xF0, 1], pid: 0)
        writeSection(
            [2, 0xB0, 18 + count, 0, 1, 0xC1, 0, 0, 0xE1, 0, 0xF0, 0, streamType, 0xE1, 0, 0xF0, count] + descriptors,
            pid: Self.mapPID
        )
        writeOtherProgram(version: 0)
    }

    /// Writes the map of program 2, one track of AAC that never comes.
    mutating func writeOtherProgram(version: UInt8) {
        writeSection(
            [2, 0xB0, 18, 0, 2, 0xC1 | version << 1, 0, 0, 0xE2, 0, 0xF0, 0, 0x0F, 0xE2, 0, 0xF0, 0],
            pid: Self.otherMapPID
        )
    }

    /// - Parameters:
    ///   - payload: The bytes of a PES packet, whose length is left unstated.
    ///   - timestamps: PTS and DTS; none if nil.
    mutating func writePES(_ payload: [UInt8], timestamps: (presentation: Int64, decode: Int64)?) {
        var header: [UInt8] = [0, 0, 1, 0xE0, 0, 0, 0x80, 0, 0]
        if let timestamps {
            header[7] = 0xC0
            header[8] = 10
            header += Self.field(timestamps.presentation, prefix: 3) + Self.field(timestamps.decode, prefix: 1)
        }
        var rest = (header + payload)[...]
        var isStart = true
        while !rest.isEmpty {
            write(rest.prefix(184), pid: Self.videoPID, isStart: isStart)
            rest = rest.dropFirst(184)
            isStart = false
        }
    }

    /// ISO/IEC 13818-1 § 2.4.3.6: 33 bits among markers.
    private static func field(_ timestamp: Int64, prefix: UInt8) -> [UInt8] {
        func bits(_ shift: Int64, _ mask: Int64) -> UInt8 { UInt8(timestamp >> shift & mask) << 1 | 1 }
        return [
            prefix << 4 | bits(30, 7), UInt8(timestamp >> 22 & 0xFF), bits(15, 0x7F), UInt8(timestamp >> 7 & 0xFF),
            bits(0, 0x7F),
        ]
    }

    private mutating func writeSection(_ section: [UInt8], pid: Int) {
        // Annex A: the CRC of polynomial 04C11DB7.
        var crc: UInt32 = .max
        for byte in section {
            crc ^= UInt32(byte) << 24
            for _ in 0..<8 { crc = crc << 1 ^ (crc >> 31) * 0x04C1_1DB7 }
        }
        let checksum = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: crc >> $0) }
        let packet = [0] + section + checksum
        write((packet + [UInt8](repeating: 0xFF, count: 184 - packet.count))[...], pid: pid, isStart: true)
    }

    /// Writes one packet; what is missing to 184 bytes goes into the adaptation field.
    private mutating func write(_ payload: ArraySlice<UInt8>, pid: Int, isStart: Bool) {
        let counter = counters[pid, default: 0]
        counters[pid] = (counter + 1) & 0xF
        let stuffing = 184 - payload.count
        bytes += [
            0x47, (isStart ? 0x40 : 0) | UInt8(pid >> 8), UInt8(pid & 0xFF), (stuffing > 0 ? 0x30 : 0x10) | counter,
        ]
        if stuffing > 0 { bytes.append(UInt8(stuffing - 1)) }
        if stuffing > 1 { bytes += [0] + [UInt8](repeating: 0xFF, count: stuffing - 2) }
        bytes += payload
    }
}
