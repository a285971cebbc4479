import MediaCore
import NIOCore
import Playlists

extension Presentation {
    /// The decisions of a presentation, without lock, clock or rendering.
    ///
    /// A change returns the ``PendingListing`` that follows from it, nil while nothing is listed. Once rendered, it
    /// comes back through ``install(_:)``.
    struct State: Sendable {
        let configuration: Configuration
        /// The terms of low latency; nil if it is off.
        let lowLatency: LowLatency?
        /// Holds segments that need not be in memory.
        let store: (any BodyStore)?
        /// Makes the texts of playlists.
        let texts: TextExecutor
        private(set) var renditions: [RenditionDescription] = []
        private(set) var sessionKeys: [EncryptionKey] = []
        /// The key that the next crypto period of each rendition begins with; a restored window has none.
        private(set) var keyHints: [RenditionID: KeyHint] = [:]
        /// The key sources' demands on players and screens.
        private(set) var playbackTerms: [RenditionID: PlaybackTerms] = [:]
        /// The slots that the media playlists list; numbers have no holes.
        var window = Window()
        private(set) var isEnded = false
        var totals = WindowSnapshot.Totals()
        var resources = ResourceTable()
        private(set) var meters: [RenditionID: BandwidthMeter] = [:]
        /// Slots that are no longer listed but may still be fetched, oldest first.
        var retained = ChunkedQueue<RetainedSlot>()
        /// The bytes of those in memory.
        var retainedBytes = 0
        /// The slot whose keys are needed, for every segment that is listed or retained, and for the live edge.
        var keyNumbers = NumberBag()
        private var liveEdge: MediaSequenceNumber?
        /// True if the newest slot had to push others out of the window for want of memory.
        var isShortened = false
        /// The generation of the playlists that are being rendered, or were last.
        private var generation = 0
        /// Counts the renderings, those of one playlist included.
        private(set) var renderings = 0
        /// The generation of the playlists that are in place.
        private var installedGeneration = 0
        /// The generation of the first playlists with EXT-X-ENDLIST.
        private var endGeneration: Int?
        /// A count that is above 0 while playlists wait for further changes.
        private var holds = 0
        private var isListingDue = false
        /// The timeline of each rendition that has a playlist in place, or parts.
        var timelines: [RenditionID: RenditionTimeline] = [:]
        /// The media playlists that are in place as consumers get them.
        private(set) var copies: [RenditionID: PlaylistsPublication.Playlist] = [:]
        /// The date ranges that have left the playlists lately.
        var removedRanges = RemovedRanges()
        /// The multivariant playlists that are in place.
        private(set) var multivariants: [MultivariantName: RenderedMultivariant] = [:]
        /// The lines above the segments of all playlists.
        private(set) var carried = CarriedLines()
        /// The place of the newest publication.
        private(set) var position = StreamPosition.start
        /// Counts the changes of ``saved``.
        private(set) var revision = 0
        /// Expired slots not yet reported to consumers: the playlists without them come first.
        var expired = ExpiredPublication()

        struct RetainedSlot {
            var slot: ListedSlot
            var expires: MediaTime
        }

        /// - Parameters:
        ///   - configuration: Settings that are fixed for the channel's life.
        ///   - store: Holds segments that need not be in memory.
        ///   - texts: Makes the texts of playlists.
        init(configuration: Configuration, store: (any BodyStore)? = nil, texts: TextExecutor = .shared) {
            self.configuration = configuration
            lowLatency = configuration.lowLatency
            self.store = store
            self.texts = texts
        }

        /// The slots whose keys listed or retained segments need, and the live edge.
        var slotsWithKeys: Set<MediaSequenceNumber> { keyNumbers.numbers }

        private mutating func moveLiveEdge() {
            if let liveEdge { keyNumbers.remove(liveEdge) }
            liveEdge = window.last?.number
            if let liveEdge { keyNumbers.add(liveEdge) }
        }

        mutating func declare(_ renditions: [RenditionDescription]) {
            self.renditions = renditions
            noteChange()
        }

        mutating func setSessionKeys(_ keys: [EncryptionKey]) -> PendingListing? {
            if keys == sessionKeys { return nil }
            sessionKeys = keys
            noteChange()
            return nextListing()
        }

        mutating func setKeyHints(_ hints: [RenditionID: KeyHint]) -> PendingListing? {
            if hints == keyHints { return nil }
            keyHints = hints
            return nextListing()
        }

        mutating func setPlaybackTerms(_ terms: [RenditionID: PlaybackTerms]) -> PendingListing? {
            if terms == playbackTerms { return nil }
            playbackTerms = terms
            return nextListing()
        }

        /// Raises declared bandwidths to a credible peer's, for renditions measured here.
        mutating func raiseMeters(to peer: [RenditionID: BandwidthMeter]) -> PendingListing? {
            var raised = meters
            for (id, meter) in meters {
                if let other = peer[id], other.isCredible { raised[id] = meter.raised(to: other) }
            }
            if isEnded || raised == meters { return nil }
            meters = raised
            noteChange()
            return nextListing()
        }

        mutating func end(now: MediaTime) -> PendingListing? {
            isEnded = true
            dropExpired(now: now)
            return nextListing()
        }

        /// Commits a publication that was prepared on an equal state.
        mutating func commit(_ preparation: Preparation, now: MediaTime) throws(PublicationError) -> PendingListing? {
            if isEnded { throw .ended }
            guard window.lastNumber == preparation.predecessor else {
                throw .outOfSequence(
                    expected: window.lastNumber?.next ?? preparation.slotNumber,
                    found: preparation.slotNumber
                )
            }
            noteRanges(in: preparation.window)
            window = preparation.window
            noteChange()
            advance()
            guard !preparation.slots.isEmpty else { return nil }
            // Higher values that the peer has sent since the preparation are kept.
            meters = preparation.meters.merging(meters) { $0.raised(to: $1) }
            for slot in preparation.slots {
                totals.segments += slot.segments.values.count { !$0.line.isGap }
                totals.gaps += slot.segments.values.count(where: \.line.isGap)
                for (id, segment) in slot.segments {
                    keyNumbers.add(segment.mediaNumber)
                    totals.slots[id, default: WindowSnapshot.SlotCounts()].add(segment)
                    timelines[id]?.leaveBytes(to: segment, of: slot.number)
                }
            }
            if let end = window.end { totals.publicationDelay.add(now - end) }
            for (path, resource) in preparation.resources { resources.retain(path, resource) }
            for slot in preparation.removed { retain(slot, now: now) }
            if let last = preparation.removed.last {
                isShortened =
                    window.sums.duration < configuration.windowDuration
                    && window.byteCountInMemory + last.byteCount > maximumListedBytes
            }
            dropExpired(now: now)
            moveToStore()
            dropBeyondBudget()
            moveLiveEdge()
            return nextListing()
        }

        /// Takes over the slots of an earlier process whose bytes are there and which players may still want.
        mutating func restore(_ restored: RestoredWindow, now: MediaTime) -> PendingListing? {
            precondition(window.lastNumber == nil, "a window is restored before anything is published")
            renditions = restored.window.renditions
            sessionKeys = restored.window.sessionKeys
            meters = restored.window.meters
            noteChange()
            advance()
            window = restored.window.window
            let body = { [store] (path: String) in restored.body(path, in: store) }
            window.removeSlots { body($0) != nil }
            // All of the window would have expired by now, so the next slot begins a new one.
            if let end = window.end, end + configuration.windowDuration <= now {
                window.removeFirst(window.slots.count)
            }
            for slot in window.slots {
                for (path, resource) in slot.resources(body) { resources.retain(path, resource) }
                for segment in slot.segments.values { keyNumbers.add(segment.mediaNumber) }
            }
            if let last = window.slots.last(where: { !$0.isGap && restored.isStored($0) })?.number {
                for slot in window.slots.prefix(while: { $0.number <= last }) {
                    noteStored(slot, restored.isStored(slot))
                }
            }
            moveToStore()
            // Two windows that were joined are longer than one.
            let removed = window.trim(
                to: configuration.windowDuration,
                targetDuration: configuration.targetDuration,
                maximumBytes: maximumListedBytes
            )
            for slot in removed { retain(slot, now: now) }
            removedRanges = RemovedRanges(knownFrom: window.end)
            dropBeyondBudget()
            moveLiveEdge()
            restoreParts(restored)
            return nextListing()
        }

        /// Notes that ``saved`` has changed.
        mutating func noteChange() { revision += 1 }

        /// Takes the place of the next publication.
        @discardableResult
        mutating func advance() -> StreamPosition {
            position = position.next
            return position
        }

        /// True if the playlists that are in place do not show all changes yet.
        var isListingBehind: Bool { isListingDue || generation > installedGeneration }

        mutating func holdListings() { holds += 1 }

        mutating func releaseListings() -> PendingListing? {
            holds -= 1
            return isListingDue ? nextListing() : nil
        }

        private mutating func nextListing() -> PendingListing? {
            // A playlist of this type must not change, so it is only made once all segments are known (RFC 8216bis §
            // 4.4.3.5).
            if configuration.isOnDemand, !isEnded { return nil }
            isListingDue = holds > 0
            if isListingDue { return nil }
            let isListed = renditions.contains { window.lists($0.id) }
            if isListed { generation += 1 }
            if isEnded { endGeneration = endGeneration ?? generation }
            return isListed ? PendingListing(generation: generation, state: forRendering()) : nil
        }

        /// Returns the state for a rendering, which has all that was rendered before.
        mutating func forRendering() -> Self {
            renderings += 1
            var state = self
            // No listing needs the resources, and without them they are not copied when they change.
            state.resources = ResourceTable()
            return state
        }

        /// The playlists that are in place.
        var installedPlaylists: RenderedListing {
            RenderedListing(
                generation: installedGeneration,
                multivariants: multivariants,
                media: timelines.compactMapValues(\.playlist),
                copies: copies,
                carried: carried
            )
        }

        /// True if nothing more will come, and the playlists that are in place say so.
        var showsEnd: Bool { endGeneration.map { $0 <= installedGeneration } ?? false }

        /// True if there are playlists in place.
        var hasPlaylists: Bool { !multivariants.isEmpty }

        /// Puts rendered playlists in place, all at once, unless newer ones are already there.
        mutating func install(_ listing: RenderedListing) {
            guard listing.generation > installedGeneration else { return }
            for path in installedPlaylists.paths.subtracting(listing.paths) { resources.remove(path) }
            for (name, multivariant) in listing.multivariants {
                let resource = Resource(.multivariantPlaylist, playlist: multivariant.text)
                resources.replace(name.rawValue, with: resource)
            }
            install(listing.media)
            (multivariants, copies) = (listing.multivariants, listing.copies)
            (carried, installedGeneration) = (listing.carried, listing.generation)
        }
    }
}
