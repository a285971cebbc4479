/// A page that a program map names (teletext_descriptor, ETSI EN 300 468 § 6.2.43).
struct TeletextPage: Hashable, Sendable {
    /// teletext_type.
    enum Kind: UInt8 {
        case initialPage = 1, subtitles, additionalInformation, programmeSchedule, hearingImpairedSubtitles
    }

    var kind: Kind
    /// The number that viewers know it by: 100 to 899.
    var number: Int

    /// Reads libavformat's form of the descriptor: the type, magazine and number of each page.
    ///
    /// - Parameter header: Two bytes for each page.
    /// - Returns: The pages by place; nil for a page without decimal digits.
    static func pages(in header: [UInt8]) -> [TeletextPage?] {
        stride(from: 0, to: header.count - 1, by: 2).map { place in
            let (first, number) = (header[place], header[place + 1])
            let (tens, units) = (Int(number >> 4), Int(number & 0xF))
            // Magazine 8 is coded as 0 (ETSI EN 300 706 § 3.1).
            let magazine = first & 7 == 0 ? 8 : Int(first & 7)
            guard let kind = Kind(rawValue: first >> 3), tens < 10, units < 10 else { return nil }
            return TeletextPage(kind: kind, number: magazine * 100 + tens * 10 + units)
        }
    }
}
