import MediaCore

/// The type of a segmentation_descriptor: segmentation_type_id (ANSI/SCTE 35 Table 23).
package struct SegmentationType: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Types that open something; what closes it has the number that follows.
    private static let opening: [UInt8: String] = [
        0x10: "program", 0x20: "chapter", 0x22: "break", 0x24: "opening credit", 0x26: "closing credit",
        0x30: "provider advertisement", 0x32: "distributor advertisement",
        0x34: "provider placement opportunity", 0x36: "distributor placement opportunity",
        0x38: "provider overlay placement opportunity", 0x3A: "distributor overlay placement opportunity",
        0x3C: "provider promo", 0x3E: "distributor promo", 0x40: "unscheduled event",
        0x42: "alternate content opportunity", 0x44: "provider ad block", 0x46: "distributor ad block",
        0x50: "network",
    ]

    private static let others: [UInt8: String] = [
        0x00: "not indicated", 0x01: "content identification", 0x02: "call ad server",
        0x12: "program early termination", 0x13: "program breakaway", 0x14: "program resumption",
        0x15: "program runover planned", 0x16: "program runover unplanned", 0x17: "program overlap start",
        0x18: "program blackout override", 0x19: "program join",
        0x1A: "program immediate resumption", 0x1B: "program extension",
    ]

    package var isStart: Bool { Self.opening[rawValue] != nil }

    /// The type that it is the end of; nil if it is no end.
    ///
    /// A programme that is terminated early has ended.
    package var start: SegmentationType? {
        if self == .programEarlyTermination { return .programStart }
        guard rawValue > 0, Self.opening[rawValue - 1] != nil else { return nil }
        return SegmentationType(rawValue: rawValue - 1)
    }

    package static let programStart = SegmentationType(rawValue: 0x10)
    package static let programEarlyTermination = SegmentationType(rawValue: 0x12)
    package static let providerPlacementOpportunityStart = SegmentationType(rawValue: 0x34)
    package static let providerPlacementOpportunityEnd = SegmentationType(rawValue: 0x35)
}

extension SegmentationType: CustomStringConvertible {
    /// The standard's name in lower case, or its number.
    package var description: String {
        if let name = Self.opening[rawValue] { return "\(name) start" }
        if let name = Self.others[rawValue] { return name }
        if let name = start.flatMap({ Self.opening[$0.rawValue] }) { return "\(name) end" }
        return "type 0x\([rawValue].hex)"
    }
}
