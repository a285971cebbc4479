/// The characters of the codes of CEA-708 (CTA-708 § 7.1).
enum CaptionServiceCharacters {
    private static let g2: [UInt8: Character] = [
        0x20: " ", 0x21: "\u{A0}", 0x25: "…", 0x2A: "Š", 0x2C: "Œ", 0x30: "█", 0x31: "‘", 0x32: "’", 0x33: "“",
        0x34: "”",
        0x35: "•", 0x39: "™", 0x3A: "š", 0x3C: "œ", 0x3D: "℠", 0x3F: "Ÿ", 0x76: "⅛", 0x77: "⅜", 0x78: "⅝", 0x79: "⅞",
        0x7A: "│", 0x7B: "┐", 0x7C: "└", 0x7D: "─", 0x7E: "┘", 0x7F: "┌",
    ]

    /// G0 and G1: ASCII, but for a note, and the right half of Latin-1.
    static func basic(_ code: UInt8) -> Character { code == 0x7F ? "♪" : Character(Unicode.Scalar(code)) }

    /// G2 and G3; a missing character is shown as an underscore (§ 7.1.8).
    static func extended(_ code: UInt8) -> Character { g2[code] ?? "_" }
}
