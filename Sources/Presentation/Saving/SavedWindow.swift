package import MediaCore
package import Playlists

/// What a presentation lists and cannot be derived from the clock: enough for another process to go on from.
///
/// It names bytes but does not hold them, and knows keys by their URIs only. Segments that are no longer listed are left
/// out: a later process does not serve them.
package struct SavedWindow: Hashable, Sendable {
    /// Declared for every slot to come.
    package var renditions: [RenditionDescription]
    package var sessionKeys: [EncryptionKey]
    var window: Window
    var meters: [RenditionID: BandwidthMeter]

    /// Bytes that a line names.
    package struct File: Hashable, Sendable {
        /// Below the channel's name: two components of letters, digits, `-`, `_` and `.`.
        package var path: String
        /// Whose media it is, or is needed for.
        package var rendition: RenditionID
        /// A hash of the bytes: ``ContentHash`` in quotes.
        package var entityTag: String
        /// Nil of initialization sections.
        package var byteCount: Int?
        /// The first slot that needs it.
        package var firstNumber: MediaSequenceNumber
        /// The last slot that needs it.
        package var lastNumber: MediaSequenceNumber
    }

    /// Where a rendition broke off.
    package struct Edge: Hashable, Sendable {
        /// UTC of the first sample of its last segment.
        package var start: MediaTime
        package var duration: SegmentDuration
        /// ``PublishedSegment/fingerprint`` of the media that was published last.
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

        /// UTC of the first sample to come, exactly, in the timescale of `duration`.
        package var exactEnd: Int64 { start.value(timescale: duration.timescale) + duration.value }
    }

    /// Of the first slot ever listed; nil if none was.
    package var firstNumber: MediaSequenceNumber? { window.firstNumber }
    /// Of the newest slot; every number to come is higher.
    package var lastNumber: MediaSequenceNumber? { window.lastNumber }
    /// UTC of the end of the newest slot that is listed; nil if none is.
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
    /// Discontinuities that have left the head.
    package var discontinuitySequence: Int { window.discontinuitySequence }

    /// All that playlists say of ranges.
    package var dateRanges: [DateRange] { window.dateRanges }

    /// What is to follow of the programme's splices.
    package var splicePlan: SplicePlan { window.splicePlan }

    /// Where a rendition broke off; nil if the last slot does not have it.
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

    /// Lists no segment any more that only a key decrypts which nobody can have any more; numbers and discontinuities are
    /// counted on.
    ///
    /// What is listed never changes (RFC 8216bis § 6.2.1), so that it cannot become a gap, but may leave the head.
    ///
    /// - Returns: How many slots have gone.
    package mutating func removeEncryptedSlots() -> Int {
        let count = window.slots.count
        window.removeEncryptedSlots()
        sessionKeys = []
        return count - window.slots.count
    }

    /// All bytes that listed lines name, each path once.
    package var files: [File] { Self.files(of: window.slots) }

    /// The bytes that the lines of the newest slots name.
    package func files(ofNewest count: Int) -> [File] { Self.files(of: window.slots.suffix(count)) }

    /// The bytes that the lines of slots name, each path once; the slots are in order.
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
