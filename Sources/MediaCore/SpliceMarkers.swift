/// The splices of a feed (SCTE-35) that are announced to players, and that begin segments.
package enum SpliceMarkers: String, Hashable, Sendable, CaseIterable {
    /// Every splice of the feed.
    case passthrough
    /// Only advertisements, as defined by ``AdvertisementKind``.
    case ads
    case none
}

/// The kinds of SCTE-35 that may count as an advertisement.
package enum AdvertisementKind: String, Hashable, Sendable, CaseIterable {
    case spliceInsert = "splice-insert"
    case program
    case chapter
    case breakSegment = "break"
    case providerAdvertisement = "provider-advertisement"
    case distributorAdvertisement = "distributor-advertisement"
    case providerPlacementOpportunity = "provider-placement-opportunity"
    case distributorPlacementOpportunity = "distributor-placement-opportunity"
    case providerOverlay = "provider-overlay-placement-opportunity"
    case distributorOverlay = "distributor-overlay-placement-opportunity"
    case providerPromo = "provider-promo"
    case distributorPromo = "distributor-promo"
    case unscheduledEvent = "unscheduled-event"
    case alternateContent = "alternate-content-opportunity"
    case providerAdBlock = "provider-ad-block"
    case distributorAdBlock = "distributor-ad-block"
    case network

    /// The type that it opens with: segmentation_type_id (ANSI/SCTE 35 Table 23); nil for splice_insert.
    package var segmentationType: UInt8? {
        switch self {
        case .spliceInsert: nil
        case .program: 0x10
        case .chapter: 0x20
        case .breakSegment: 0x22
        case .providerAdvertisement: 0x30
        case .distributorAdvertisement: 0x32
        case .providerPlacementOpportunity: 0x34
        case .distributorPlacementOpportunity: 0x36
        case .providerOverlay: 0x38
        case .distributorOverlay: 0x3A
        case .providerPromo: 0x3C
        case .distributorPromo: 0x3E
        case .unscheduledEvent: 0x40
        case .alternateContent: 0x42
        case .providerAdBlock: 0x44
        case .distributorAdBlock: 0x46
        case .network: 0x50
        }
    }

    /// The default kinds of advertisements.
    package static let usual: [AdvertisementKind] = [
        .spliceInsert, .breakSegment, .providerAdvertisement, .distributorAdvertisement,
        .providerPlacementOpportunity, .distributorPlacementOpportunity, .providerAdBlock, .distributorAdBlock,
    ]
}
