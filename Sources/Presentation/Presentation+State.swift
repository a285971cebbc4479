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
        /// What has segments that need not be in memory.
        let store: (any BodyStore)?
        private(set) var renditions: [RenditionDescription] = []
        private(set) var sessionKeys: [EncryptionKey] = []
        /// The key that the next crypto period of each rendition begins with; what was restored has none.
        private(set) var keyHints: [RenditionID: KeyHint] = [:]
        /// What those who gave the keys ask of screens.
        private(set) var playbackTerms: [RenditionID: PlaybackTerms] = [:]
        /// What the media playlists list; numbers have no holes.
        var window = Window()
        private(set) var isEnded = false
        private(set) var totals = WindowSnapshot.Totals()
        var resources = ResourceTable()
        private(set) var meters: [RenditionID: BandwidthMeter] = [:]
        /// No longer listed, but players may still fetch them; oldest first.
        private(set) var retained = ChunkedQueue<RetainedSlot>()
        /// Of those in memory.
        private var retainedBytes = 0
        /// For every segment that is listed or retained, the slot whose keys it needs; and the live edge.
        private var keyNumbers = NumberBag()
        private var liveEdge: MediaSequenceNumber?
        /// Whether the newest slot had to push others out of the window for want of memory.
        private var isShortened = false
        private var generation = 0
        /// Above 0 while playlists wait for what else will change.
        private var holds = 0
        private var isListingDue = false
        /// The generation that is being rendered, or was last.
        private var rendered = 0
        /// Of each playlist that is installed.
        private(set) var timelines: [RenditionID: RenditionTimeline] = [:]
        private(set) var installedPlaylists = RenderedListing(generation: 0)
        /// The place of the newest publication.
        private(set) var position = StreamPosition.start
        /// Counts the changes of what ``saved`` says.
        private(set) var revision = 0
        /// What consumers have not been told of yet: playlists that follow from it come first.
        private var expired = ExpiredPublication()

        /// Slots from which the rate of a channel can be told.
        private static let forecastCount = 3

        struct RetainedSlot {
            var slot: ListedSlot
            var expires: MediaTime
        }

        /// - Parameters:
        ///   - configuration: What is fixed for the channel's life.
        ///   - store: What has segments that need not be in memory.
        init(configuration: Configuration, store: (any BodyStore)? = nil) {
            self.configuration = configuration
            self.store = store
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

        mutating func setSessionKeys(_ keys: [EncryptionKey]) -> Listing? {
            if keys == sessionKeys { return nil }
            sessionKeys = keys
            noteChange()
            return nextListing()
        }

        mutating func setKeyHints(_ hints: [RenditionID: KeyHint]) -> Listing? {
            if hints == keyHints { return nil }
            keyHints = hints
            return nextListing()
        }

        mutating func setPlaybackTerms(_ terms: [RenditionID: PlaybackTerms]) -> Listing? {
            if terms == playbackTerms { return nil }
            playbackTerms = terms
            return nextListing()
        }

        /// Declares no less than a peer does, of what this has measured itself and as far as the peer can be believed.
        mutating func raiseMeters(to peer: [RenditionID: BandwidthMeter]) -> Listing? {
            var raised = meters
            for (id, meter) in meters {
                if let other = peer[id], other.isCredible { raised[id] = meter.raised(to: other) }
            }
            if isEnded || raised == meters { return nil }
            meters = raised
            noteChange()
            return nextListing()
        }

        mutating func end(now: MediaTime) -> Listing? {
            isEnded = true
            dropExpired(now: now)
            return nextListing()
        }

        /// Makes a publication that was prepared on an equal state.
        mutating func commit(_ preparation: Preparation, now: MediaTime) throws(PublicationError) -> Listing? {
            if isEnded { throw .ended }
            guard window.lastNumber == preparation.predecessor else {
                throw .outOfSequence(
                    expected: window.lastNumber?.next ?? preparation.slotNumber,
                    found: preparation.slotNumber
                )
            }
            window = preparation.window
            noteChange()
            advance()
            guard !preparation.slots.isEmpty else { return nil }
            // What the peer has said meanwhile stays.
            meters = preparation.meters.merging(meters) { $0.raised(to: $1) }
            for slot in preparation.slots {
                totals.segments += slot.segments.values.count { !$0.line.isGap }
                totals.gaps += slot.segments.values.count(where: \.line.isGap)
                for (id, segment) in slot.segments {
                    keyNumbers.add(segment.mediaNumber)
                    totals.slots[id, default: WindowSnapshot.SlotCounts()].add(segment)
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

        /// Takes over what an earlier process has listed, as far as its bytes are there and players may still want it.
        mutating func restore(_ restored: RestoredWindow, now: MediaTime) -> Listing? {
            precondition(window.lastNumber == nil, "a window is restored before anything is published")
            renditions = restored.window.renditions
            sessionKeys = restored.window.sessionKeys
            meters = restored.window.meters
            noteChange()
            advance()
            window = restored.window.window
            let body = { [store] (path: String) in restored.body(path, in: store) }
            window.removeSlots { body($0) != nil }
            // All of it would have left the window meanwhile: what comes next begins one.
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
            dropBeyondBudget()
            moveLiveEdge()
            return nextListing()
        }

        /// Keeps a slot that has left the window.
        ///
        /// RFC 8216bis § 6.2.2: for its duration and that of the longest playlist that listed it. Counting from its
        /// removal, as with EXT-X-ENDLIST, is never too short.
        mutating func retain(_ slot: ListedSlot, now: MediaTime) {
            let expires = now + slot.longestDuration + slot.longestListing
            for segment in slot.segments.values { resources.setExpiry(segment.line.uri, expires) }
            retained.append(RetainedSlot(slot: slot, expires: expires))
            retainedBytes += window.byteCountInMemory(of: slot)
        }

        /// Drops what has expired, in the order in which it left the window.
        mutating func dropExpired(now: MediaTime) {
            while let oldest = retained.first, oldest.expires <= now { dropOldest() }
        }

        /// What listed segments may weigh in memory: the limit less playlists, initialization sections and parts.
        var maximumListedBytes: Int {
            max(0, configuration.maximumBytes - max(0, bytesInMemory - window.byteCountInMemory - retainedBytes))
        }

        /// All that counts against the limit.
        var bytesInMemory: Int { timelines.values.reduce(resources.bytes) { $0 + $1.byteCount } }

        mutating func noteStored(_ slot: ListedSlot, _ isStored: Bool) {
            window.noteStored(slot, isStored)
            let isListed = window.first.map { $0.number <= slot.number } ?? false
            if isStored, !isListed { retainedBytes -= slot.byteCount }
        }

        var memoryUse: MemoryUse {
            var use = MemoryUse(
                bytes: bytesInMemory,
                limit: configuration.maximumBytes,
                droppedEarly: totals.droppedEarly
            )
            let length = window.sums.duration
            // Over fewer slots, what an encoder starts with says little of what follows.
            guard window.slots.count >= Self.forecastCount, length > .zero else { return use }
            let rate = Double(window.sums.byteCount) / length.seconds
            // Where a store takes what is older, only the newest slots have to be in memory.
            let newest = configuration.segmentDuration * Int64(Window.minimumCount)
            let listed = isStoring ? min(newest, configuration.windowDuration) : configuration.windowDuration
            use.windowBytes = Int(rate * listed.seconds)
            // What has left the window stays for its duration and that of the playlist.
            let all = isStoring ? listed : configuration.windowDuration * 2 + configuration.segmentDuration
            use.allBytes = Int(rate * all.seconds)
            if isShortened { use.shortenedTo = length }
            return use
        }

        /// Drops retained slots, oldest first, until the budget holds; what is listed was made to fit before.
        private mutating func dropBeyondBudget() {
            while bytesInMemory > configuration.maximumBytes, let oldest = retained.first {
                totals.droppedEarly += oldest.slot.segments.values.count { !$0.line.isGap }
                dropOldest()
            }
        }

        private mutating func dropOldest() {
            guard let slot = retained.first?.slot else { return }
            retained.removeFirst(1)
            retainedBytes -= window.byteCountInMemory(of: slot)
            window.forgetStored(slot.number)
            expired.slots.append(slot.number)
            for segment in slot.segments.values {
                keyNumbers.remove(segment.mediaNumber)
                for path in [segment.line.uri, segment.line.map?.uri].compactMap(\.self) {
                    if resources.release(path) { expired.paths.append(path) }
                }
            }
        }

        /// Notes that ``saved`` says something else.
        mutating func noteChange() { revision += 1 }

        /// Takes the place of the next publication.
        @discardableResult
        mutating func advance() -> StreamPosition {
            position = position.next
            return position
        }

        /// Whether the playlists that are in place do not show all changes yet.
        private var isListingBehind: Bool { isListingDue || rendered > installedPlaylists.generation }

        /// What has expired since this was asked; nil if nothing has, or while playlists may still list it.
        mutating func takeExpired() -> (publication: ExpiredPublication, position: StreamPosition)? {
            guard !isListingBehind, !expired.slots.isEmpty else { return nil }
            defer { expired = ExpiredPublication() }
            return (expired, advance())
        }

        /// All that is served, where `body` gets the bytes of a path.
        func streamSnapshot(_ body: @escaping @Sendable (String) -> Body?) -> StreamSnapshot {
            let isListed = !isListingBehind && !installedPlaylists.resources.isEmpty
            return StreamSnapshot(
                position: position,
                window: saved,
                retained: retained.map(\.slot),
                playlists: isListed ? installedPlaylists.publication : nil,
                end: window.last.map { configuration.segmentDuration * ($0.number.value + 1) },
                body: body
            )
        }

        mutating func append(_ part: PublishedPart, of id: RenditionID) throws(PartError) {
            if isEnded { throw .ended }
            guard timelines[id] != nil else { throw .notListed(id) }
            try timelines[id]?.append(part)
        }

        mutating func holdListings() { holds += 1 }

        mutating func releaseListings() -> Listing? {
            holds -= 1
            return isListingDue ? nextListing() : nil
        }

        private mutating func nextListing() -> Listing? {
            // RFC 8216bis § 4.4.3.5: a playlist of this type does not change, so that there is none before all is known.
            if configuration.isOnDemand, !isEnded { return nil }
            isListingDue = holds > 0
            if isListingDue { return nil }
            generation += 1
            let listing = listing(generation: generation)
            if listing != nil { rendered = generation }
            return listing
        }

        /// Puts rendered playlists in place, all at once, unless newer ones are already there.
        mutating func install(_ listing: RenderedListing) {
            guard listing.generation > installedPlaylists.generation else { return }
            for path in installedPlaylists.resources.keys where listing.resources[path] == nil {
                resources.remove(path)
            }
            for (path, resource) in listing.resources { resources.replace(path, with: resource) }
            timelines = listing.ends.reduce(into: [:]) { timelines, end in
                timelines[end.key] = self.timelines[end.key] ?? RenditionTimeline(last: end.value)
                timelines[end.key]?.complete(end.value)
            }
            installedPlaylists = listing
        }
    }
}
