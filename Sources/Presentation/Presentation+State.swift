import MediaCore
import NIOCore
import Playlists

extension Presentation {
    /// The decisions of a presentation, without lock, clock or rendering.
    ///
    /// A change returns the ``Listing`` that follows from it, nil while nothing is listed; once rendered it comes back
    /// through ``install(_:)``.
    struct State: Sendable {
        let configuration: Configuration
        private(set) var renditions: [RenditionDescription] = []
        private(set) var sessionKeys: [EncryptionKey] = []
        /// What the media playlists list; numbers have no holes.
        private(set) var window = Window()
        private(set) var isEnded = false
        private(set) var totals = WindowSnapshot.Totals()
        private(set) var resources: ResourceTable
        private(set) var meters: [RenditionID: BandwidthMeter] = [:]
        /// No longer listed, but players may still fetch them; oldest first.
        private var retained: [RetainedSlot] = []
        private var generation = 0
        private var installedPlaylists = RenderedListing(generation: 0, resources: [:])

        private struct RetainedSlot {
            var slot: ListedSlot
            var expires: MediaTime
        }

        init(configuration: Configuration) {
            self.configuration = configuration
            resources = ResourceTable(recordsChanges: configuration.recordsChanges)
        }

        mutating func takeChanges() -> [ResourceChange] { resources.takeChanges() }

        /// The slots whose keys listed or retained segments need, and the live edge.
        var slotsWithKeys: Set<MediaSequenceNumber> {
            var numbers = Set([window.last?.number].compactMap(\.self))
            for slot in window.slots { numbers.formUnion(slot.segments.values.map(\.mediaNumber)) }
            for entry in retained { numbers.formUnion(entry.slot.segments.values.map(\.mediaNumber)) }
            return numbers
        }

        mutating func declare(_ renditions: [RenditionDescription]) {
            self.renditions = renditions
        }

        mutating func setSessionKeys(_ keys: [EncryptionKey]) -> Listing? {
            if keys == sessionKeys { return nil }
            sessionKeys = keys
            return nextListing()
        }

        mutating func end(now: MediaTime) -> Listing? {
            isEnded = true
            dropExpired(now: now)
            return nextListing()
        }

        /// Appends a slot, whose media has these entity tags, and trims the window.
        mutating func publish(
            _ slot: PublishedSlot,
            entityTags: [RenditionID: String],
            now: MediaTime
        ) throws(PublicationError) -> Listing? {
            try check(slot)
            // A player cannot begin with a gap (Shaka Player refuses a playlist of gaps, and stalls at a leading one).
            if window.isEmpty, slot.segments.isEmpty || slot.segments.values.contains(where: { $0.media == nil }) {
                return nil
            }
            window.append(list(slot, entityTags: entityTags))
            let removed = window.trim(to: configuration.windowDuration, targetDuration: configuration.targetDuration)
            for slot in removed { retain(slot, now: now) }
            dropExpired(now: now)
            dropBeyondBudget()
            return nextListing()
        }

        private func check(_ slot: PublishedSlot) throws(PublicationError) {
            if isEnded { throw .ended }
            if let expected = window.last?.number.next, slot.number != expected {
                throw .outOfSequence(expected: expected, found: slot.number)
            }
            let declared = Set(renditions.map(\.id))
            let missing = declared.subtracting(slot.segments.keys)
            let undeclared = Set(slot.segments.keys).subtracting(declared)
            if !missing.isEmpty || !undeclared.isEmpty {
                throw .renditionsDiffer(
                    missing: missing.sorted { $0.name < $1.name },
                    undeclared: undeclared.sorted { $0.name < $1.name }
                )
            }
        }

        /// Registers the slot's paths and makes its lines.
        private mutating func list(_ slot: PublishedSlot, entityTags: [RenditionID: String]) -> ListedSlot {
            var listed = ListedSlot(number: slot.number, startsDiscontinuity: slot.startsDiscontinuity)
            for rendition in renditions {
                guard let segment = slot.segments[rendition.id] else { continue }
                let previous = window.last?.segments[rendition.id]
                // A rendition that joins later begins with media, too.
                if segment.media == nil, previous == nil { continue }
                var line = MediaPlaylist.Segment(
                    uri: "\(rendition.id)/\(slot.number).m4s",
                    duration: segment.duration,
                    programDateTime: segment.programDateTime,
                    isGap: segment.media == nil,
                    startsDiscontinuity: slot.startsDiscontinuity
                )
                if let media = segment.media {
                    line.key = segment.key
                    line.map = segment.initialization.map { MediaInitialization(uri: "\(rendition.id)/\($0.name)") }
                    totals.segments += 1
                    meters[rendition.id, default: BandwidthMeter(targetDuration: configuration.targetDuration)]
                        .add(byteCount: media.readableBytes, duration: segment.duration)
                } else {
                    // Players fetch key and map of a gap, so it never brings new ones.
                    line.key = previous?.line.key
                    line.map = previous?.line.map
                    totals.gaps += 1
                }
                register(line, segment, of: rendition.kind, entityTag: entityTags[rendition.id] ?? "")
                listed.segments[rendition.id] = ListedSegment(
                    line: line,
                    byteCount: segment.media?.readableBytes ?? 0,
                    mediaNumber: segment.media == nil ? previous?.mediaNumber ?? slot.number : slot.number
                )
            }
            return listed
        }

        private mutating func register(
            _ line: MediaPlaylist.Segment,
            _ segment: PublishedSegment,
            of kind: TrackKind,
            entityTag: String
        ) {
            let media = segment.media.map { Resource(.segment, of: kind, body: $0, entityTag: entityTag) }
            resources.retain(line.uri, media)
            guard let map = line.map else { return }
            resources.retain(
                map.uri,
                segment.initialization.map {
                    Resource(.initialization, of: kind, body: $0.bytes, entityTag: "\"\(ContentHash(of: $0.bytes))\"")
                }
            )
        }

        /// Keeps a slot that has left the window.
        ///
        /// RFC 8216bis § 6.2.2: for its duration and that of the longest playlist that listed it. Counting from its
        /// removal, as with EXT-X-ENDLIST, is never too short.
        private mutating func retain(_ slot: ListedSlot, now: MediaTime) {
            let expires = now + slot.longestDuration + slot.longestListing
            for segment in slot.segments.values { resources.setExpiry(segment.line.uri, expires) }
            retained.append(RetainedSlot(slot: slot, expires: expires))
        }

        mutating func dropExpired(now: MediaTime) {
            for entry in retained where entry.expires <= now { release(entry.slot) }
            retained.removeAll { $0.expires <= now }
        }

        /// Drops retained slots, oldest first, until the budget holds; what is listed stays.
        private mutating func dropBeyondBudget() {
            while resources.bytes > configuration.maximumBytes, !retained.isEmpty {
                let slot = retained.removeFirst().slot
                totals.droppedEarly += slot.segments.values.count { !$0.line.isGap }
                release(slot)
            }
        }

        private mutating func release(_ slot: ListedSlot) {
            for segment in slot.segments.values {
                resources.release(segment.line.uri)
                if let map = segment.line.map { resources.release(map.uri) }
            }
        }

        private mutating func nextListing() -> Listing? {
            generation += 1
            return listing(generation: generation)
        }

        /// Puts rendered playlists in place, all at once, unless newer ones are already there.
        mutating func install(_ listing: RenderedListing) {
            guard listing.generation > installedPlaylists.generation else { return }
            for path in installedPlaylists.resources.keys where listing.resources[path] == nil {
                resources.remove(path)
            }
            for (path, resource) in listing.resources { resources.replace(path, with: resource) }
            installedPlaylists = listing
        }
    }
}
