/// The payload of a PES packet of teletext: data units, each with a packet (ETSI EN 300 472 § 4.3).
struct TeletextPacket {
    private(set) var bytes: [UInt8]
    /// Places of the packets in the bytes, behind their framing codes.
    private let places: [Range<Int>]

    private static let unitLength = 2 + TeletextLine.byteCount

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var places: [Range<Int>] = []
        // data_identifier stands ahead of the units.
        var place = 1
        while place + 2 <= bytes.count {
            let (kind, length) = (bytes[place], Int(bytes[place + 1]))
            let end = place + 2 + length
            guard end <= bytes.count else { break }
            // EBU teletext without and with subtitles; its line and its framing code stand ahead of it.
            if kind == 2 || kind == 3, length == Self.unitLength { places.append(place + 4..<end) }
            place = end
        }
        self.places = places
    }

    /// Packets in the order in which they are sent.
    var lines: [TeletextLine] { places.map { TeletextLine(bytes[$0].map(TeletextCode.reverse)) } }

    /// Rewrites headers.
    ///
    /// - Parameter change: Gives the control bits that a header is to have in place of its own; nil for the same.
    mutating func changeControl(_ change: (TeletextLine.Header) -> TeletextLine.Control?) {
        for place in places {
            guard case .header(let header) = TeletextLine(bytes[place].map(TeletextCode.reverse)),
                let before = header.control, let after = change(header)
            else { continue }
            // S2 with C4, and C7 with C8 to C10.
            let start = place.lowerBound
            if after.erases != before.erases { set(8, after.erases, at: start + 5) }
            if after.suppressesHeader != before.suppressesHeader { set(1, after.suppressesHeader, at: start + 8) }
        }
    }

    private mutating func set(_ bit: UInt8, _ isSet: Bool, at place: Int) {
        guard let nibble = TeletextCode.decode(TeletextCode.reverse(bytes[place])) else { return }
        let changed = isSet ? nibble | bit : nibble & ~bit
        bytes[place] = TeletextCode.reverse(TeletextCode.encode(changed))
    }
}
