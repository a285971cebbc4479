/// A part of a frame that codes one or two channels (ISO/IEC 14496-3 § 4.5.2.1).
struct AACElement: Hashable, Sendable {
    var kind: Kind
    /// element_instance_tag: tells apart elements of one kind.
    var tag: UInt8

    /// The value is the element's id (Table 4.85).
    enum Kind: UInt8, Sendable {
        case singleChannel = 0
        case channelPair = 1
        case lowFrequencyEffects = 3
    }

    var channels: Int { kind == .channelPair ? 2 : 1 }

    /// The elements of a frame by channelConfiguration (Table 1.19), or nil if it is 0 or reserved.
    static func elements(channelConfiguration: UInt8) -> [AACElement]? {
        let kinds: [Kind]
        switch channelConfiguration {
        case 1: kinds = [.singleChannel]
        case 2: kinds = [.channelPair]
        case 3: kinds = [.singleChannel, .channelPair]
        case 4: kinds = [.singleChannel, .channelPair, .singleChannel]
        case 5: kinds = [.singleChannel, .channelPair, .channelPair]
        case 6: kinds = [.singleChannel, .channelPair, .channelPair, .lowFrequencyEffects]
        case 7, 12: kinds = [.singleChannel, .channelPair, .channelPair, .channelPair, .lowFrequencyEffects]
        case 11: kinds = [.singleChannel, .channelPair, .channelPair, .singleChannel, .lowFrequencyEffects]
        case 14: kinds = [.singleChannel, .channelPair, .channelPair, .lowFrequencyEffects, .channelPair]
        default: return nil
        }
        return kinds.enumerated().map { index, kind in
            AACElement(kind: kind, tag: UInt8(kinds[..<index].count { $0 == kind }))
        }
    }
}
