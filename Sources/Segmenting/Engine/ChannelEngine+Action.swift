package import ContentProtection
package import Logging
package import MediaCore
package import Operations
package import Playlists

extension ChannelEngine {
    /// An action to carry out, in the order of the decisions.
    package enum Action: Sendable {
        /// Publishes a part, which is final, of a slot that is not over.
        case publishPart(PartDecision)
        /// Publishes one slot, or several that are nothing but gaps, which are final.
        case publish([SlotDecision])
        /// Takes over those slots of the peer's window that would be listed at that time, and continues from there.
        case takeOverPeer(at: MediaTime)
        /// Announces keys before a channel that continues has a slot.
        case announceKeys(KeyAnnouncement)
        /// Asks a key source; its answer is an event, whenever it comes.
        case requestKeys(KeyTimeline.Request)
        /// Tells an operator.
        case report(Report)
        /// Ends the playlists: no slot will follow.
        case end
    }

    /// A message to an operator.
    package enum Report: Sendable {
        /// A line of the log.
        case log(Logger.Level, String, Logger.Metadata)
        /// An entry of the events that can be read later.
        case record(ChannelEvent)
    }

    /// A part that viewers get of a slot before it is over.
    package struct PartDecision: Sendable {
        package var id: RenditionID
        package var form: SegmentForm
        /// The index of the part, counted from 0 in each slot.
        package var index: Int
        /// The media of the part, its tags and its sections; it is protected like its class in the slot.
        package var contents: SegmentContents
        /// True if the slot begins with EXT-X-DISCONTINUITY; set for its first part.
        package var startsDiscontinuity: Bool
        /// The class of the key that protects it; nil if that is not known of a gap.
        package var keyClass: KeyClass?
        /// The renditions that viewers have with its slot, in the order in which players see them.
        package var renditions: [RenditionDescription] = []
        /// True if some of the renditions have been in no slot yet.
        package var hasNewRenditions = false
        /// The fingerprint of its decoder configuration, as for a segment; nil in a gap.
        package var fingerprint: String?
        /// True if no part of its slot follows.
        package var isLast = false

        package var cut: CutSegment { contents.cut }
        /// True if players can begin with it, or switch to it: INDEPENDENT=YES (RFC 8216bis § 4.4.4.9).
        package var isIndependent: Bool { !contents.isGap && cut.hasEntry }
    }

    /// A slot as viewers get it.
    package struct SlotDecision: Sendable {
        package var number: MediaSequenceNumber
        /// True if slots before it were left out that playlists no longer list.
        package var followsLeap: Bool
        package var startsDiscontinuity: Bool
        /// The segments, one for each of `renditions`.
        package var segments: [Segment]
        /// The renditions that viewers have with it, in the order in which players see them.
        package var renditions: [RenditionDescription] = []
        /// True if some of the renditions were not there before.
        package var hasNewRenditions = false
        /// The renditions that no input has any more.
        package var withdrawn: Set<RenditionID>
        /// The known key classes of all renditions.
        package var keyClasses: Set<KeyClass>
        /// The messages for operators once viewers have it.
        package var notes: [Report]
        /// The date ranges that playlists have around its segments for splices of the programme.
        package var dateRanges = DateRangeLines()
        /// The splices of the programme that are not over yet.
        package var splicePlan = SplicePlan()
        /// The known keys around it; nil if nothing is encrypted.
        var keys: SlotKeys?
        /// The keys announced to players with it; nil if nothing is encrypted.
        package var announcement: KeyAnnouncement?
        /// True if it may be the first that is listed only with media in every rendition.
        package var waitsForAll = false
        /// The time for which it was held back.
        package var waited = MediaTime.zero
        /// The time that its segments may take to be written; nil for any time.
        package var writing: WritingTime?
        /// The time of publication in UTC, from which a feed that is read as fast as possible counts expiry; nil for
        /// the channel's clock.
        package var publishedAt: MediaTime?

        /// True if some media is not published because its key is missing.
        package var lacksKeys: Bool { segments.contains { $0.contents.protection == .missing } }

        /// A segment of a rendition.
        package struct Segment: Sendable {
            package var id: RenditionID
            package var form: SegmentForm
            package var contents: SegmentContents
            /// The class of the key that protects it, and in a gap the last one of its rendition; nil while that had
            /// none.
            package var keyClass: KeyClass?
            /// The fingerprint of its decoder configuration, see `SegmentFingerprints`; nil in a gap.
            package var fingerprint: String?
            /// The fallback for viewers if it cannot be written.
            package var fallback = Fallback.gap
        }

        /// The replacement for a segment that cannot be written.
        package enum Fallback: Hashable, Sendable {
            /// A gap: the rendition is listed already.
            case gap
            /// The rendition is left out until a segment can be written: it does not hold back the others.
            case nothing
        }
    }
}
