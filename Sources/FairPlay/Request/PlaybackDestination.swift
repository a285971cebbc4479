/// The output that will show the content.
package enum PlaybackDestination: Hashable, Sendable {
    /// The device that asks.
    case device
    /// A television, by AirPlay.
    case airPlay
    /// Through a digital AV adapter.
    case adapter

    /// - Parameter indicator: The streaming indicator; without one, or with one that is not known, it is the device.
    init(indicator: UInt64?) {
        self =
            switch indicator {
            case 0xabb0_256a_3184_3974: .airPlay
            case 0x5f9c_8132_b59f_2fde: .adapter
            default: .device
            }
    }
}
