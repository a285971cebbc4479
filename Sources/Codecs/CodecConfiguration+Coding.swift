package import MediaCore

/// The coding of pictures, in the words of the codecs.
extension CodecConfiguration {
    /// True if pictures may be coded as fields.
    ///
    /// The headers of H.264 allow it, those of HEVC announce it; AV1 has no fields.
    package var isInterlaced: Bool {
        switch self {
        case .avc(let avc):
            avc.sequenceParameterSets.contains { set in
                (try? SequenceParameterSet(set.span.bytes)).map { !$0.isFramesOnly } ?? false
            }
        case .hevc(let hevc):
            hevc.profileTierLevel.isInterlacedSource
                || hevc.sequenceParameterSets.contains { set in
                    (try? HEVCSequenceParameterSet(set.span.bytes))?.usability.isFieldSequence ?? false
                }
        default: false
        }
    }

    /// The profile's name: `High`, `Main 10`; nil if it has none here, or is no video's.
    package var profileName: String? {
        switch self {
        case .avc(let avc): avc.profileName
        case .hevc(let hevc): hevc.profileTierLevel.profileName
        case .av1(let av1): ["Main", "High", "Professional"].dropFirst(Int(av1.profile)).first
        default: nil
        }
    }

    /// The level: `3.1`, or `5.1 High` of the high tier; nil if it has none, or is no video's.
    package var levelName: String? {
        switch self {
        case .avc(let avc): avc.levelName
        case .hevc(let hevc):
            Self.levelName(tenths: Int(hevc.profileTierLevel.level) / 3, isHighTier: hevc.profileTierLevel.isHighTier)
        // AV1 Bitstream & Decoding Process Specification § A.3; 31 sets no limits.
        case .av1(let av1) where av1.level < 24:
            Self.levelName(tenths: 20 + Int(av1.level) / 4 * 10 + Int(av1.level) % 4, isHighTier: av1.isHighTier)
        default: nil
        }
    }

    fileprivate static func levelName(tenths: Int, isHighTier: Bool = false) -> String {
        "\(tenths / 10).\(tenths % 10)\(isHighTier ? " High" : "")"
    }
}

extension AVCConfiguration {
    /// Annex A of ISO/IEC 14496-10.
    fileprivate var profileName: String? {
        // constraint_set1_flag of Baseline, constraint_set3_flag of the others.
        let isConstrained = compatibility & 0x40 != 0
        let isIntra = compatibility & 0x10 != 0
        return switch profile {
        case 44: "CAVLC 4:4:4 Intra"
        case 66: isConstrained ? "Constrained Baseline" : "Baseline"
        case 77: "Main"
        case 88: "Extended"
        case 100: "High"
        case 110: isIntra ? "High 10 Intra" : "High 10"
        case 122: isIntra ? "High 4:2:2 Intra" : "High 4:2:2"
        case 244: isIntra ? "High 4:4:4 Intra" : "High 4:4:4 Predictive"
        default: nil
        }
    }

    /// § A.3: level 1b is 9, or 11 with constraint_set3_flag in the profiles of old.
    fileprivate var levelName: String {
        if level == 9 || level == 11 && compatibility & 0x10 != 0 && [66, 77, 88].contains(profile) { return "1b" }
        return CodecConfiguration.levelName(tenths: Int(level))
    }
}

extension HEVCConfiguration.ProfileTierLevel {
    /// Annex A of ISO/IEC 23008-2.
    fileprivate var profileName: String? {
        switch profile {
        case 1: "Main"
        case 2: "Main 10"
        case 3: "Main Still Picture"
        case 4: "Range Extensions"
        case 5: "High Throughput"
        case 9: "Screen Content Coding"
        default: nil
        }
    }

    /// general_interlaced_source_flag without general_progressive_source_flag: with both, each picture says for itself.
    fileprivate var isInterlacedSource: Bool { constraintFlags >> 46 & 3 == 1 }
}
