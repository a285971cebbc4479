import MediaCore

/// Caption services of a picture, as `INSTREAM-ID` names them (RFC 8216bis § 4.4.6.1).
package struct CaptionServices: Hashable, Sendable {
    /// CC1 in the lowest bit, to CC4.
    private var channels: UInt8 = 0
    /// A bit each of SERVICE1 to SERVICE63; bit 0 is never set.
    private var services: UInt64 = 0

    /// Makes an empty set.
    package init() {}

    package var isEmpty: Bool { channels == 0 && services == 0 }

    /// `CC1` to `CC4`, then `SERVICE1` to `SERVICE63`.
    package var instreamIDs: [String] {
        let line21 = (1...4).filter { channels >> ($0 - 1) & 1 == 1 }.map(CaptionChannel.line21)
        let service = (1...63).filter { services >> UInt64($0) & 1 == 1 }.map(CaptionChannel.service)
        return (line21 + service).map(\.description)
    }

    package mutating func formUnion(_ other: Self) {
        channels |= other.channels
        services |= other.services
    }

    /// - Parameter channel: 1 to 4; others are ignored.
    mutating func insert(channel: Int) {
        if 1...4 ~= channel { channels |= 1 << UInt8(channel - 1) }
    }

    /// - Parameter service: 1 to 63; others are ignored.
    mutating func insert(service: Int) {
        if 1...63 ~= service { services |= 1 << UInt64(service) }
    }
}
