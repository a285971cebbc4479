/// The characters of the codes of CEA-608 (CTA-608 § 6.4.2, Annex B).
enum Line21Characters {
    /// ASCII, but for these.
    private static let replacements: [UInt8: Character] = [
        0x27: "’", 0x2A: "á", 0x5C: "é", 0x5E: "í", 0x5F: "ó", 0x60: "ú", 0x7B: "ç", 0x7C: "÷", 0x7D: "Ñ", 0x7E: "ñ",
        0x7F: "█",
    ]
    /// Characters of the codes from 30 on; the transparent space is nil.
    private static let special: [Character?] = Array("®°½¿™¢£♪à").map { $0 } + [nil] + Array("èâêîôû").map { $0 }
    /// Characters of the codes from 20 on: Spanish, miscellaneous and French.
    private static let western: [Character] = Array("ÁÉÓÚÜü‘¡*'—©℠•“”ÀÂÇÈÊËëÎÏïÔÙùÛ«»")
    /// Characters of the codes from 20 on: Portuguese, German and Danish.
    private static let northern: [Character] = Array("ÃãÍÌìÒòÕõ{}\\^_|~ÄäÖöß¥¤¦ÅåØø┌┐└┘")

    /// The character of a code, 20 to 7F.
    static func basic(_ code: UInt8) -> Character { replacements[code] ?? Character(Unicode.Scalar(code)) }

    /// The special character of a second code, 30 to 3F; nil for a place that is left open.
    static func special(_ code: UInt8) -> Character? {
        let place = Int(code) - 0x30
        return special.indices.contains(place) ? special[place] : nil
    }

    /// Returns the extended character that replaces the character before it.
    ///
    /// - Parameters:
    ///   - set: The first byte's lowest bits: 2 or 3.
    ///   - code: 20 to 3F.
    /// - Returns: The character; nil if there is none.
    static func extended(set: UInt8, _ code: UInt8) -> Character? {
        let place = Int(code) - 0x20
        let characters = set == 2 ? western : northern
        return characters.indices.contains(place) ? characters[place] : nil
    }
}
