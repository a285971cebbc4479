@testable import Ingest

/// Packets of teletext (ETSI EN 300 706) as inserters send them, whole or damaged.
struct TeletextFixture {
    /// Errors of packets.
    enum Damage: CaseIterable {
        /// A character of each row has the wrong parity.
        case parity
        /// Two bits are wrong in the address of each row.
        case rowAddress
        /// Two bits are wrong in the page number of each header.
        case pageNumber
        /// Two bits are wrong in the control bits of each header.
        case control
    }

    var page = 888
    var damage: Damage?
    /// Subtitles suppress their header (C7).
    var suppressesHeader = true
    var isSerial = false

    /// Bytes of a PES packet with these packets, filled to whole transport packets (ETSI EN 300 472 § 4.2).
    static func payload(_ packets: [[UInt8]]) -> [UInt8] {
        var units = packets.map { [0x03, 0x2C, 0xE7, 0xE4] + $0.map(TeletextCode.reverse) }
        while units.count % 4 != 3 { units.append([0xFF, 0x2C] + [UInt8](repeating: 0xFF, count: 44)) }
        return [0x10] + units.flatMap(\.self)
    }

    static func lines(_ packets: [[UInt8]]) -> [TeletextLine] { TeletextPacket(payload(packets)).lines }

    /// The page's header.
    var header: [UInt8] { header(UInt8((page / 10 % 10) << 4 | page % 10), damage) }

    /// A header that fills time, which ends the page before it.
    var filling: [UInt8] { header(0xFF, nil) }

    private func header(_ code: UInt8, _ damage: Damage?) -> [UInt8] {
        let nibbles = [
            code & 0xF, code >> 4, 0, 8, 0, 8, suppressesHeader ? 1 : 0, isSerial ? 1 : 0,
        ]
        var bytes = address(row: 0) + nibbles.map(TeletextCode.encode) + [UInt8](repeating: 0x20, count: 32)
        if damage == .pageNumber { bytes[2] ^= 0b110 }
        if damage == .control { bytes[8] ^= 0b110 }
        return bytes
    }

    /// A row of text in a box.
    func row(_ number: Int, _ text: String) -> [UInt8] {
        let codes = Array(([0x0B, 0x0B] + text.utf8 + [0x0A, 0x0A] + [UInt8](repeating: 0x20, count: 40)).prefix(40))
        var bytes = address(row: number) + codes.map { TeletextCode.isWhole($0) ? $0 : $0 | 0x80 }
        if damage == .parity { bytes[10] ^= 0x80 }
        if damage == .rowAddress { bytes[0] ^= 0b110 }
        return bytes
    }

    private func address(row: Int) -> [UInt8] {
        let magazine = UInt8(page / 100 & 7)
        return [TeletextCode.encode(magazine | UInt8(row & 1) << 3), TeletextCode.encode(UInt8(row >> 1))]
    }

    /// All of a page, with what ends it.
    func shown(_ text: String, row number: Int = 20) -> [[UInt8]] { [header, row(number, text), filling] }

    var cleared: [[UInt8]] { [header, filling] }
}
