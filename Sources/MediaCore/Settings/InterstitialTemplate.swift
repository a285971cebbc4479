/// The content that players play in place of a break in the programme: an interstitial (RFC 8216bis Appendix D).
package struct InterstitialTemplate: Hashable, Sendable {
    /// The place of the programme after the interstitial.
    package enum Resumption: Hashable, Sendable {
        /// The place that the viewer would have reached without the interstitial: the delay stays, however long it
        /// lasts.
        case live
        /// The planned end of the break, from the start on.
        case duration
        /// A time after the start of the break; nothing of the programme is lost after zero.
        case after(MediaTime)
    }

    package enum Snap: String, Hashable, Sendable, CaseIterable {
        case out
        case back = "in"
    }

    package enum Restriction: String, Hashable, Sendable, CaseIterable {
        case skip, jump
    }

    package enum Occupancy: String, Hashable, Sendable, CaseIterable {
        case point, range
    }

    package enum Style: String, Hashable, Sendable, CaseIterable {
        case highlight, primary
    }

    /// The kinds of breaks; empty for all that count as advertisements.
    package var kinds: [AdvertisementKind] = []
    /// The address where players ask for the list of what to play; nil for the origin itself.
    package var assetList: AddressTemplate?
    /// The asset that they play instead of a list.
    package var asset: AddressTemplate?
    package var resumption = Resumption.live
    /// The longest time that it lasts; nil for as long as the break does.
    package var playoutLimit: MediaTime?
    package var snap = Snap.allCases
    package var restrictions: [Restriction] = []
    /// True if a player plays it no more than once.
    package var isOnce = false
    /// True if viewers may get different content.
    package var contentMayVary = true
    package var occupancy = Occupancy.point
    package var style = Style.highlight
    /// The seconds after which viewers may skip it; nil for the value of the list.
    package var skipOffset: Int?
    /// The seconds for which they may skip.
    package var skipDuration: Int?
    package var skipLabel: String?
    /// The time before the break from which on players may ask for the list, each at a moment of its own; zero for when
    /// they need it.
    package var preload = MediaTime.zero

    package init() {}
}
