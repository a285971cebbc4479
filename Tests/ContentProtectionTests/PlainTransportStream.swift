/// The plainest transport stream that there can be: PAT, PMT, then one PES packet a unit (ISO/IEC 13818-1).
struct PlainTransportStream {
    struct Stream {
        var type: UInt8
        var id: UInt8
        var descriptors: [UInt8] = []
    }

    private static let programMapPID = 0x100
    private static let streamPID = 0x101

    private(set) var bytes: [UInt8] = []
    private let stream: Stream
    private var continuityCounters: [Int: UInt8] = [:]

    init(_ stream: Stream) {
        self.stream = stream
        let (map, elementary) = (UInt16(Self.programMapPID) | 0xE000, UInt16(Self.streamPID) | 0xE000)
        let tail = Self.bigEndian(elementary) + Self.length(stream.descriptors)
        appendSection(table: 0, [0, 1] + Self.bigEndian(map), pid: 0)
        appendSection(
            table: 2,
            Self.bigEndian(elementary) + [0xF0, 0, stream.type] + tail + stream.descriptors,
            pid: Self.programMapPID
        )
    }

    /// Appends a unit with its presentation time in 90 kHz, which is its decode time.
    mutating func append(_ unit: [UInt8], at time: Int) {
        let timestamp: [UInt8] = [
            0x21 | UInt8(time >> 30 & 7) << 1,
            UInt8(time >> 22 & 0xFF), 1 | UInt8(time >> 15 & 0x7F) << 1,
            UInt8(time >> 7 & 0xFF), 1 | UInt8(time & 0x7F) << 1,
        ]
        let size = 3 + timestamp.count + unit.count
        // A length of 0 leaves it open, which only video may do.
        let length = stream.id & 0xF0 == 0xE0 ? 0 : UInt16(size)
        let packet = [0, 0, 1, stream.id] + Self.bigEndian(length) + [0x84, 0x80, 5] + timestamp + unit
        let base = time - 9000
        let clock: [UInt8] = [
            0x50, UInt8(base >> 25 & 0xFF), UInt8(base >> 17 & 0xFF), UInt8(base >> 9 & 0xFF), UInt8(base >> 1 & 0xFF),
            UInt8(base & 1) << 7 | 0x7E, 0,
        ]
        appendPackets(packet, pid: Self.streamPID, adaptation: clock)
    }

    private mutating func appendSection(table: UInt8, _ body: [UInt8], pid: Int) {
        let size = UInt16(5 + body.count + 4)
        let section = [table] + Self.bigEndian(size | 0xB000) + [0, 1, 0xC1, 0, 0] + body
        var checksum: UInt32 = .max
        for byte in section {
            for bit in (0..<8).reversed() {
                let carries = (checksum >> 31 ^ UInt32(byte >> bit & 1)) == 1
                checksum = checksum << 1 ^ (carries ? 0x04C1_1DB7 : 0)
            }
        }
        let whole = [0] + section + Self.bigEndian(checksum)
        appendPackets(whole + [UInt8](repeating: 0xFF, count: 184 - whole.count), pid: pid, adaptation: [])
    }

    private mutating func appendPackets(_ payload: [UInt8], pid: Int, adaptation: [UInt8]) {
        var rest = payload[...]
        var adaptation = adaptation
        var starts: UInt8 = 0x40
        while !rest.isEmpty {
            let counter = continuityCounters[pid, default: 0]
            continuityCounters[pid] = (counter + 1) & 15
            // The length of the adaptation field, and its flags, which come with it unless it is empty.
            var field: [UInt8] = adaptation.isEmpty ? [] : [UInt8(adaptation.count)] + adaptation
            let missing = 184 - field.count - rest.count
            if missing > 0 {
                if field.isEmpty { field = missing == 1 ? [0] : [1, 0] }
                field += [UInt8](repeating: 0xFF, count: 184 - field.count - rest.count)
                field[0] = UInt8(field.count - 1)
            }
            let count = 184 - field.count
            bytes += [0x47, starts | UInt8(pid >> 8), UInt8(pid & 0xFF), (field.isEmpty ? 0x10 : 0x30) | counter]
            bytes += field + rest.prefix(count)
            rest = rest.dropFirst(count)
            (starts, adaptation) = (0, [])
        }
    }

    private static func length(_ descriptors: [UInt8]) -> [UInt8] {
        bigEndian(UInt16(descriptors.count) | 0xF000)
    }

    private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }
}
