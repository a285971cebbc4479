/// Writes the video of a transport stream anew, access unit by access unit, as FFmpeg's muxer would not leave it.
///
/// Timestamps, clock references and everything else stay what they are (ISO/IEC 13818-1 § 2.4.3).
package struct TransportStreamEditor {
    private static let packetSize = 188
    /// The PID that FFmpeg gives the first stream.
    private static let videoPID = 0x100

    private let stream: [UInt8]
    private var result: [UInt8] = []
    private var counter: UInt8 = 0

    package init(_ stream: [UInt8]) {
        self.stream = stream
    }

    /// - Parameter transform: The number of an access unit in order of decoding and its bytes to other bytes.
    /// - Returns: The stream with these.
    package mutating func edit(_ transform: (Int, [UInt8]) -> [UInt8]) -> [UInt8] {
        result = []
        var unit: (field: ArraySlice<UInt8>, bytes: [UInt8])?
        var others: [UInt8] = []
        var count = 0
        func close(_ editor: inout Self) {
            if let unit {
                let header = 9 + Int(unit.bytes[8])
                var pes = Array(unit.bytes[..<header]) + transform(count, Array(unit.bytes[header...]))
                // PES_packet_length: video need not say it.
                pes.replaceSubrange(4..<6, with: [0, 0])
                editor.write(pes[...], firstField: unit.field)
                count += 1
            }
            editor.result += others
            others = []
        }
        for start in stride(from: 0, through: stream.count - Self.packetSize, by: Self.packetSize) {
            let packet = stream[start..<start + Self.packetSize]
            guard Int(packet[start + 1] & 0x1F) << 8 | Int(packet[start + 2]) == Self.videoPID else {
                others += packet
                continue
            }
            let hasField = packet[start + 3] & 0x20 != 0
            let payload = start + 4 + (hasField ? 1 + Int(packet[start + 4]) : 0)
            if packet[start + 1] & 0x40 != 0 {
                close(&self)
                let field = hasField ? packet[start + 5..<payload] : []
                // Stuffing is not kept: flags and the clock reference are all that FFmpeg writes.
                let kept = (field.first ?? 0) & 0x10 != 0 ? 7 : min(field.count, 1)
                unit = (field.prefix(kept), [])
            }
            unit?.bytes += packet[payload...]
        }
        close(&self)
        return result
    }

    /// Writes a PES packet; what is missing to the last transport packet is stuffing.
    private mutating func write(_ pes: ArraySlice<UInt8>, firstField: ArraySlice<UInt8>) {
        var rest = pes
        var field = Array(firstField)
        var isStart = true
        while !rest.isEmpty {
            let room = 184 - (field.isEmpty ? 0 : field.count + 1)
            let payload = rest.prefix(room)
            rest = rest.dropFirst(room)
            var stuffing = room - payload.count
            var adaptation: [UInt8] = field.isEmpty ? [] : [0] + field
            while stuffing > 0 {
                // The first byte is the length, the second one holds flags, and the rest is stuffing.
                adaptation.append(adaptation.count < 2 ? 0 : 0xFF)
                stuffing -= 1
            }
            if !adaptation.isEmpty { adaptation[0] = UInt8(adaptation.count - 1) }
            let control: UInt8 = adaptation.isEmpty ? 0x10 : 0x30
            result += [0x47, (isStart ? 0x40 : 0) | UInt8(Self.videoPID >> 8), UInt8(Self.videoPID & 0xFF)]
            result += [control | counter] + adaptation + payload
            counter = (counter + 1) & 0xF
            field = []
            isStart = false
        }
    }
}
