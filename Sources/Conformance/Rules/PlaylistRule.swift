/// The rules for a live media playlist and its segments that a client can check (RFC 8216bis).
package enum PlaylistRule: String, Hashable, Sendable, Codable, CaseIterable {
    /// The text is no media playlist.
    case malformed
    /// No EXTINF rounds to more than the target duration.
    case durationAboveTarget
    /// EXT-X-PROGRAM-DATE-TIME and EXTINF agree.
    case dateContradictsDuration
    /// EXT-X-TARGETDURATION never changes.
    case targetDurationChanged
    /// EXT-X-MEDIA-SEQUENCE never decreases.
    case mediaSequenceDecreased
    /// EXT-X-MEDIA-SEQUENCE counts exactly the segments that left.
    case mediaSequenceMiscounted
    /// Segments leave from the head only, in order.
    case removedFromEnd
    /// A listed line never changes.
    case lineChanged
    /// A gap that is listed stays a gap, and media stays media.
    case gapChanged
    /// A sequence number is used once.
    case numberReused
    /// EXT-X-DISCONTINUITY-SEQUENCE counts exactly the discontinuities that left.
    case discontinuitySequenceMiscounted
    /// Segments are removed only while three target durations remain.
    case windowTooShort
    /// Each date range is complete, and does not contradict itself.
    case dateRangeInvalid
    /// Later tags of a date range do not alter it.
    case dateRangeAltered
    /// A date range stays listed while one of its dates lies in a listed segment.
    case dateRangeRemoved
    /// The tags of the EXT-X-CUE-OUT family describe one break after the other.
    case breakCueContradicted
    /// A playlist never changes after EXT-X-ENDLIST.
    case changedAfterEnd
    /// No part is longer than the part target.
    case partAboveTarget
    /// A part lasts 85 % of the part target, unless it is one that may be shorter.
    case partTooShort
    /// The parts of a segment add up to its EXTINF.
    case partsContradictDuration
    /// The tags of a segment stand above all its parts.
    case tagBelowPart
    /// Parts at the live edge stay, and none changes.
    case partChanged
    /// Parts leave once three target durations follow them.
    case partsTooOld
    /// PART-HOLD-BACK exists if there are parts, and is at least twice the part target.
    case partHoldBackTooShort
    /// PART-HOLD-BACK is at least three times the part target.
    case partHoldBackNotAdvised
    /// HOLD-BACK is at least three target durations.
    case holdBackTooShort
    /// CAN-SKIP-UNTIL is at least six target durations.
    case skipBoundaryTooShort
    /// EXT-X-SERVER-CONTROL is the same in all playlists.
    case serverControlDiffers
    /// If one playlist has dates, all have them.
    case dateMissing
    /// A playlist with parts hints at the next one.
    case hintMissing
    /// A playlist that has ended hints at no part.
    case hintAfterEnd
    /// The URI of a rendition report is relative.
    case reportNotRelative
    /// A low-latency playlist reports on each other one, but for those of I-frames.
    case reportMissing
    /// A delta update and the version before it make the whole playlist.
    case deltaContradicted
    /// The pathway that players begin with is that of a variant.
    case steeringPathwayUnknown
    /// The steering manifest can be loaded, and names pathways that players know.
    case steeringManifestInvalid
    /// Listed segments, and the resources that they need, can be loaded.
    case unavailable
    /// A segment is whole: fragments with their times and samples, packets with their counters and tables.
    case segmentMalformed
    /// A segment starts where decoding can start.
    case startsWithoutSyncSample
    /// Decode times continue from segment to segment.
    case decodeTimesBroken
    /// EXTINF and the media agree.
    case mediaContradictsDuration
    /// EXT-X-PROGRAM-DATE-TIME and the media agree.
    case mediaContradictsDate
    /// EXT-X-MAP has the tracks of its segments, and no others.
    case wrongTracks
    /// Audio and video are in segments of their own.
    case tracksMixed

    /// The section of RFC 8216bis that says so; of CMAF (ISO/IEC 23000-19) where that is stricter.
    var clause: String {
        switch self {
        case .malformed: "RFC 8216bis § 4.1"
        case .durationAboveTarget: "RFC 8216bis § 4.4.3.1"
        case .dateContradictsDuration, .mediaContradictsDate: "RFC 8216bis § 4.4.4.6"
        case .dateRangeInvalid, .dateRangeAltered: "RFC 8216bis § 4.4.5.1"
        case .partAboveTarget, .partTooShort, .tagBelowPart: "RFC 8216bis § 4.4.4.9"
        case .partsContradictDuration: "RFC 8216bis § 3.2"
        case .partHoldBackTooShort, .holdBackTooShort, .skipBoundaryTooShort: "RFC 8216bis § 4.4.3.8"
        case .partHoldBackNotAdvised:
            "RFC 8216bis § 4.4.3.8, a recommendation; Apple's authoring specification § 14.3, a requirement"
        case .serverControlDiffers, .dateMissing: "RFC 8216bis § 6.2.4"
        case .hintAfterEnd: "RFC 8216bis § 4.4.5.3"
        case .reportNotRelative: "RFC 8216bis § 4.4.5.4"
        case .hintMissing, .reportMissing: "RFC 8216bis § B.1"
        case .steeringPathwayUnknown: "RFC 8216bis § 4.4.6.6"
        case .steeringManifestInvalid: "RFC 8216bis § 7.1"
        case .deltaContradicted: "RFC 8216bis § 6.2.5.1"
        case .breakCueContradicted: "the practice of ad servers (EXT-X-CUE-OUT is in no standard)"
        case .targetDurationChanged, .lineChanged, .gapChanged, .changedAfterEnd, .dateRangeRemoved, .partChanged:
            "RFC 8216bis § 6.2.1"
        case .mediaSequenceDecreased, .mediaSequenceMiscounted, .removedFromEnd, .numberReused,
            .discontinuitySequenceMiscounted, .windowTooShort, .unavailable, .partsTooOld:
            "RFC 8216bis § 6.2.2"
        case .segmentMalformed, .startsWithoutSyncSample: "RFC 8216bis § 3.1"
        case .decodeTimesBroken: "RFC 8216bis § 4.4.4.3"
        case .mediaContradictsDuration: "RFC 8216bis § 4.4.4.1"
        case .wrongTracks: "RFC 8216bis § 4.4.4.5"
        case .tracksMixed: "ISO/IEC 23000-19 § 7.3"
        }
    }
}
