/// The kinds of teletext packet (ETSI EN 300 706 § 7.1) that show how well its page is received.
enum TeletextLine: Hashable, Sendable {
    /// The first packet of a page (§ 9.3.1).
    case header(Header)
    /// One of the rows 1 to 24; `isWhole` is false if a character has the wrong parity.
    case row(magazine: Int, isWhole: Bool, hasText: Bool)
    /// A packet whose address has too many errors, so that its magazine and row are unknown.
    case damaged
    /// A packet that shows nothing by itself.
    case other

    struct Header: Hashable, Sendable {
        /// 1 to 8.
        var magazine: Int
        /// Tens and units; nil if they have too many errors.
        var page: UInt8?
        /// The subcode and the control bits; nil if they have too many errors.
        var control: Control?
    }

    /// Control bits (§ 9.3.1.3).
    struct Control: Hashable, Sendable {
        /// C4.
        var erases: Bool
        /// C5.
        var isNewsflash: Bool
        /// C6.
        var isSubtitle: Bool
        /// C7.
        var suppressesHeader: Bool
        /// C11.
        var isSerial: Bool
    }

    /// Bytes of a packet behind its framing code.
    static let byteCount = 42

    /// - Parameter bytes: ``byteCount`` bytes, with the first sent bit in the lowest place.
    init(_ bytes: some RandomAccessCollection<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount, let address = TeletextCode.decode(bytes[0], bytes[1]) else {
            self = .damaged
            return
        }
        let magazine = address & 7 == 0 ? 8 : Int(address & 7)
        switch address >> 3 {
        case 0:
            self = .header(
                Header(
                    magazine: magazine,
                    page: TeletextCode.decode(bytes[2], bytes[3]),
                    control: Control(bytes[4..<10])
                )
            )
        case 1...24:
            let isWhole = bytes[2...].allSatisfy(TeletextCode.isWhole)
            let hasText = bytes[2...].contains { 0x21..<0x7F ~= $0 & 0x7F }
            self = .row(magazine: magazine, isWhole: isWhole, hasText: hasText)
        default: self = .other
        }
    }
}

extension TeletextLine.Control {
    /// - Parameter words: The six code words of subcode and control bits.
    fileprivate init?(_ words: ArraySlice<UInt8>) {
        let nibbles = words.compactMap(TeletextCode.decode)
        guard nibbles.count == 6 else { return nil }
        self.init(
            erases: nibbles[1] & 8 != 0,
            isNewsflash: nibbles[3] & 4 != 0,
            isSubtitle: nibbles[3] & 8 != 0,
            suppressesHeader: nibbles[4] & 1 != 0,
            isSerial: nibbles[5] & 1 != 0
        )
    }
}
