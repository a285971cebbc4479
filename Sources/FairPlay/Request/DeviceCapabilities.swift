/// The terms that a device can enforce.
package struct DeviceCapabilities: OptionSet, Hashable, Sendable {
    /// The low half of the value; the high half is reserved.
    package let rawValue: UInt64

    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    package static let hdcpType1 = Self(rawValue: 1 << 0)
    /// Storage and playback durations of its own for keys that are stored.
    package static let offlineKey = Self(rawValue: 1 << 1)
    /// The device reports which stored keys it has deleted.
    package static let checkIn = Self(rawValue: 1 << 2)
    /// The same as ``offlineKey``, with IDs of stream and title.
    package static let offlineKeyWithTitle = Self(rawValue: 1 << 3)
    package static let securityLevelBaseline = Self(rawValue: 1 << 4)
    package static let securityLevelMain = Self(rawValue: 1 << 5)
}
