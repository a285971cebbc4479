package import ContentProtection
package import Logging
package import MediaCore
package import Operations
package import Playlists

extension ChannelEngine {
    /// What is to be done, in the order in which it was decided.
    package enum Action: Sendable {
        /// A part of a slot that is not over is final.
        case publishPart(PartDecision)
        /// One slot, or several that are nothing but gaps, are final.
        case publish([SlotDecision])
        /// Lists here what the peer lists, as far as it would be listed at that time, and goes on from there.
        case takeOverPeer(at: MediaTime)
        /// Keys are known before a channel that goes on has a slot.
        case announceKeys(KeyAnnouncement)
        /// A key source is to be asked; what it says is an event, whenever that is.
        case requestKeys(KeyTimeline.Request)
        /// An operator should know.
        case report(Report)
        /// No slot will follow.
        case end
    }

    /// What an operator is told.
    package enum Report: Sendable {
        /// A line of the log.
        case log(Logger.Level, String, Logger.Metadata)
        /// An entry of what can be read later.
        case record(ChannelEvent)
    }

    /// What viewers get of a slot before it is over.
    package struct PartDecision: Sendable {
        package var id: RenditionID
        package var form: SegmentForm
        /// Counted from 0 in each slot.
        package var index: Int
        /// What fills it, and of which slot it is; nothing where it is a gap (GAP=YES).
        package var cut: CutSegment
        /// Whether the slot begins with EXT-X-DISCONTINUITY; said of its first part.
        package var startsDiscontinuity: Bool
        /// Whose key protects it; nil where that is not known of a gap.
        package var keyClass: KeyClass?
        /// What protects it, and all that the slot has of its class.
        package var protection = SegmentProtection.clear
        /// The renditions that viewers have with its slot, in the order in which players see them.
        package var renditions: [RenditionDescription] = []
        /// What it is decoded with, as that of a segment; nil in a gap.
        package var fingerprint: String?
    }

    /// What viewers get of a slot.
    package struct SlotDecision: Sendable {
        package var number: MediaSequenceNumber
        /// Whether slots before it were left out that nothing is listed of any more.
        package var followsLeap: Bool
        package var startsDiscontinuity: Bool
        /// One of each of ``renditions``.
        package var segments: [Segment]
        /// The renditions that viewers have with it, in the order in which players see them.
        package var renditions: [RenditionDescription] = []
        /// True if there are some that were not there before.
        package var hasNewRenditions = false
        /// Renditions that no input has any more.
        package var withdrawn: Set<RenditionID>
        /// Classes of all renditions, as far as they are known.
        package var keyClasses: Set<KeyClass>
        /// What is said once viewers have it.
        package var notes: [Report]
        /// What playlists say around its segments of when the programme is spliced.
        package var dateRanges = DateRangeLines()
        /// What is to follow of the programme's splices.
        package var splicePlan = SplicePlan()
        /// What is known of the keys around it; nil where nothing is encrypted.
        var keys: KeyOutlook?
        /// The keys that players are told of with it; nil where nothing is encrypted.
        package var announcement: KeyAnnouncement?
        /// True if it can be the first that is listed only with media in every rendition.
        package var waitsForAll = false
        /// How long it was held back.
        package var waited = MediaTime.zero
        /// The time that its segments may take to be written; nil for any time.
        package var writing: WritingTime?
        /// UTC when it is published, where what is read as fast as it can be has a time of its own to expire by; nil for the
        /// channel's clock.
        package var publishedAt: MediaTime?

        /// Whether there is media that is not published, since its key is missing.
        package var lacksKeys: Bool { segments.contains { $0.contents.protection == .missing } }

        /// What a rendition has for it.
        package struct Segment: Sendable {
            package var id: RenditionID
            package var form: SegmentForm
            package var contents: SegmentContents
            /// Whose key protects it, and of a gap what its rendition had last; nil while that had nothing.
            package var keyClass: KeyClass?
            /// What it is decoded with, see ``SegmentFingerprints``; nil in a gap.
            package var fingerprint: String?
            /// What viewers get if it cannot be written.
            package var fallback = Fallback.gap
        }

        /// What stands in a slot for a segment that cannot be written.
        package enum Fallback: Hashable, Sendable {
            /// A gap: it is listed already that the rendition has media.
            case gap
            /// Nothing. A rendition of which no segment can be written keeps the others from nothing, and is left out until
            /// one can.
            case nothing
        }
    }
}
