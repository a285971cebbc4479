package import MediaCore
package import Playlists

/// The state of a presentation that cannot be derived from the clock: enough for another process to continue from.
///
/// It names bytes but does not hold them, and knows keys by their URIs only. Segments that are no longer listed are not
/// saved, because a later process does not serve them.
package struct SavedWindow: Hashable, Sendable {
    /// The renditions declared for every slot to come.
    package var renditions: [RenditionDescription]
    package var sessionKeys: [EncryptionKey]
    var window: Window
    var meters: [RenditionID: BandwidthMeter]

    /// A file of bytes that a line names.
    package struct File: Hashable, Sendable {
        /// The path, below the channel's name: two components of letters, digits, `-`, `_` and `.`.
        package var path: String
        /// The rendition that the bytes belong to.
        package var rendition: RenditionID
        /// A hash of the bytes: `ContentHash` in quotes.
        package var entityTag: String
        /// The size in bytes; nil for initialization sections.
        package var byteCount: Int?
        /// The first slot that needs it.
        package var firstNumber: MediaSequenceNumber
        /// The last slot that needs it.
        package var lastNumber: MediaSequenceNumber

        package init(
            path: String,
            rendition: RenditionID,
            entityTag: String,
            byteCount: Int? = nil,
            firstNumber: MediaSequenceNumber,
            lastNumber: MediaSequenceNumber
        ) {
            (self.path, self.rendition, self.entityTag) = (path, rendition, entityTag)
            (self.byteCount, self.firstNumber, self.lastNumber) = (byteCount, firstNumber, lastNumber)
        }
    }

    /// The end of a rendition.
    package struct Edge: Hashable, Sendable {
        /// The time of the first sample of its last segment, in UTC.
        package var start: MediaTime
        package var duration: SegmentDuration
        /// The ``PublishedSegment/fingerprint`` of the media that was published last.
        package var fingerprint: String?
        package var filler: PublishedSegment.Filler?
        package var isGap: Bool
        package var selection: SourceSelection?

        package init(
            start: MediaTime,
            duration: SegmentDuration,
            fingerprint: String? = nil,
            filler: PublishedSegment.Filler? = nil,
            isGap: Bool = false,
            selection: SourceSelection? = nil
        ) {
            self.start = start
            self.duration = duration
            self.fingerprint = fingerprint
            self.filler = filler
            self.isGap = isGap
            self.selection = selection
        }

        /// The exact time of the next sample, in UTC, in the timescale of `duration`.
        package var exactEnd: Int64 { start.value(timescale: duration.timescale) + duration.value }
    }

    /// The number of the first slot ever listed; nil if none was.
    package var firstNumber: MediaSequenceNumber? { window.firstNumber }
    /// The number of the newest slot; every number to come is higher.
    package var lastNumber: MediaSequenceNumber? { window.lastNumber }
    /// The time of the end of the newest slot that is listed, in UTC; nil if none is.
    package var end: MediaTime? { window.end }
    /// The numbers of the slots that are listed.
    package var numbers: Range<MediaSequenceNumber> {
        guard let first = window.first?.number, let last = window.last?.number else {
            let next = lastNumber?.next ?? MediaSequenceNumber(0)
            return next..<next
        }
        return first..<last.next
    }
    /// The slots that are listed, oldest first.
    package var outlines: [SlotOutline] {
        window.slots.map { slot in
            let segments = slot.segments.sorted { $0.key.name < $1.key.name }
                .map { id, segment in
                    SlotOutline.Segment(id, segment.isMedia ? .media : segment.line.isGap ? .gap : .filler)
                }
            return SlotOutline(number: slot.number, duration: slot.duration, segments: segments)
        }
    }
    /// The number of discontinuities that have left the head.
    package var discontinuitySequence: Int { window.discontinuitySequence }

    /// All date ranges that playlists have.
    package var dateRanges: [DateRange] { window.dateRanges }

    /// The programme's splices to come.
    package var splicePlan: SplicePlan { window.splicePlan }

    /// Returns the end of a rendition; nil if the last slot does not have it.
    package func edge(of id: RenditionID) -> Edge? {
        window.last?.segments[id].map { segment in
            Edge(
                start: segment.line.programDateTime,
                duration: segment.line.duration,
                fingerprint: segment.fingerprint,
                filler: segment.filler,
                isGap: segment.line.isGap,
                selection: segment.selection
            )
        }
    }

    /// Removes the segments whose keys are no longer available; numbers and discontinuities are counted on.
    ///
    /// A listed segment never changes (RFC 8216bis § 6.2.1), so it cannot become a gap, but it may leave the head.
    ///
    /// - Returns: The number of slots that were removed.
    package mutating func removeEncryptedSlots() -> Int {
        let count = window.slots.count
        window.removeEncryptedSlots()
        sessionKeys = []
        return count - window.slots.count
    }

    /// Returns the newest slots, oldest first.
    package func newestSlots(_ count: Int) -> [ListedSlot] { Array(window.slots.suffix(count)) }

    /// All files that listed lines name, each path once.
    package var files: [File] { Self.files(of: window.slots) }

    /// Returns the files that the lines of the newest slots name.
    package func files(ofNewest count: Int) -> [File] { Self.files(of: window.slots.suffix(count)) }

    /// Returns the files that the lines of slots name, each path once; the slots are in order.
    static func files(of slots: some Sequence<ListedSlot>) -> [File] {
        var files: [String: File] = [:]
        for slot in slots {
            for (id, segment) in slot.segments {
                let media = segment.line.isGap ? nil : segment.line.uri
                for (path, tag, byteCount) in [
                    (media, segment.entityTag, segment.byteCount), (segment.line.map?.uri, segment.mapEntityTag, nil),
                ] {
                    guard let path, let tag else { continue }
                    files[path] = File(
                        path: path,
                        rendition: id,
                        entityTag: tag,
                        byteCount: byteCount,
                        firstNumber: files[path]?.firstNumber ?? slot.number,
                        lastNumber: slot.number
                    )
                }
            }
        }
        return files.values.sorted { $0.path < $1.path }
    }
}
