import Codecs

/// Parameter sets and slices of an open group of pictures as x265 wrote them, slices cut short behind the header.
enum HEVCVector {
    static let vps = [UInt8](hex: "40010c01ffff01600000030090000003000003003c959009")
    static let sps = [UInt8](
        hex: "42010101600000030090000003000003003ca00a080b9f796564924caf016808000003000800000300c840"
    )
    static let pps = [UInt8](hex: "4401c172b46240")
    static let idr = [UInt8](hex: "2801af1d62f48b6580627e12e63b94bb416241c983059b008cfecfa5")
    static let p = [UInt8](hex: "0201d0195f8430838c556eaf40ae4a875d55351634d67fffa5e41ee9")
    static let b = [UInt8](hex: "0001e024fffa240a588c7948fe9c261fffffb63ffbdb5c69a4e6653d")
    static let cra = [UInt8](hex: "2a01ac184b49c658bdf50ae0b9ec30dacce6251ebad221e1dc785702")
    static let raslReference = [UInt8](hex: "1201e0a225d7f7081233f5e9f31f2f007eae1d12f40c66691842d275")
    static let rasl = [UInt8](hex: "1001e086fffd2240a588c17880fac405fe49f5f7474d0e20698e798d")

    /// A slice with another type.
    static func retyped(_ slice: [UInt8], _ type: UInt8) -> [UInt8] { [type << 1] + slice.dropFirst() }

    /// A prefix SEI NAL unit with one message.
    static func message(_ type: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0x4E, 0x01] + ([type, UInt8(payload.count)] + payload + [0x80]).escaped
    }
}
