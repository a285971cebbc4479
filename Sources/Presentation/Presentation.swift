import Atomics
package import MediaCore
package import Playlists
import Synchronization

/// The publications of one channel: its live window, and every path below it.
///
/// The presentation publishes whole slots, removes expired ones, and answers for every path. It neither makes segments
/// nor speaks HTTP. All decisions are in `State`; this class is the lock around it. Playlists are rendered once a
/// publication, outside the lock, and appear together: a reader sees all renditions before it or all after it. A part
/// changes the playlist of its rendition alone. Everything else that follows publications is a ``PublicationConsumer``.
///
///     slot 12 ──publish──▶ [ 8 9 10 11 12 ]  listed     ──▶  index.m3u8, RENDITION.m3u8
///                             │                              RENDITION/SEQUENCE.m4s, RENDITION/init-HASH.mp4
///                             ▼
///                          [ … 6 7 ]         retained until no player can still want them
package final class Presentation: Sendable {
    package let configuration: Configuration
    /// The mutable state; it is changed through ``change(_:)`` only.
    let state: Mutex<State>
    /// The part of the state that requests are answered from, without a lock.
    private let current: ManagedAtomic<Served>
    /// The lock that orders publications, held during each; neither GETs nor parts take it.
    ///
    /// This lock is taken before that of the state, and held during the wait for the journal.
    let order = Mutex(())
    private let stream = PublicationStream()
    private let isStopped = Atomic(false)
    let waiters: PlaylistWaiters

    /// - Parameters:
    ///   - configuration: Settings that are fixed for the channel's life.
    ///   - consumers: Consumers of the publications, besides players; called in this order.
    ///   - store: One of the consumers, which holds segments for as long as they are served, so that memory need not
    ///     hold them all.
    ///   - texts: Makes the texts of playlists that viewers wait for.
    package init(
        configuration: Configuration,
        consumers: [any PublicationConsumer] = [],
        store: (any BodyStore)? = nil,
        texts: TextExecutor = .shared
    ) {
        self.configuration = configuration
        waiters = PlaylistWaiters(capacity: configuration.maximumWaiting)
        let first = State(configuration: configuration, store: store, texts: texts)
        state = Mutex(first)
        current = ManagedAtomic(Served(first))
        for consumer in consumers { add(consumer) }
    }

    /// Adds a consumer, before anything is published.
    package func add(_ consumer: any PublicationConsumer) {
        stream.add(consumer, first: streamSnapshot) { [weak self] in self?.streamSnapshot }
    }

    /// Returns once consumers have handled all publications, with one more attempt at those that failed; a live stream
    /// waits for those that follow no longer than 5 s.
    package func finish() { stream.finish() }

    /// Finishes as ``finish()`` does; afterwards no consumer gets anything.
    package func close() { stream.close() }

    private var streamSnapshot: StreamSnapshot {
        state.withLock { state in
            state.streamSnapshot { [weak self] path in
                self?.served.resources[path]?.resource?.body
            }
        }
    }

    /// Continues from the window of an earlier process or of a peer; playlists and segments are there again at once.
    ///
    /// The window begins after the last slot with lost bytes, and is empty if all of it would have expired
    /// meanwhile. Numbers and the discontinuity sequence continue all the same.
    ///
    /// - Parameters:
    ///   - restored: The window, with the bytes that were found.
    ///   - now: The time now, in UTC from 1970 on.
    /// - Precondition: Nothing has been published.
    /// - Returns: The number of slots that are listed.
    @discardableResult
    package func restore(_ restored: RestoredWindow, now: MediaTime) -> Int {
        order.withLock { _ in
            let listing = change { $0.restore(restored, now: now) }
            let snapshot = streamSnapshot
            stream.publish(.window(snapshot), at: snapshot.position)
            show(listing)
        }
        // The journal may be another one than the earlier process had.
        for part in restored.openParts where served.timelines[part.rendition]?.parts[part.position] != nil {
            let publication = PartPublication(rendition: part.rendition, part: PublishedPart(part, of: restored))
            stream.publish(.part(publication), at: nil)
        }
        return state.withLock { $0.window.slots.count }
    }

    /// Appends a slot to all playlists at once.
    ///
    /// - Parameters:
    ///   - slot: The slot that follows the last one. Until one has media for every rendition, slots are passed over;
    ///     with nothing listed, or where it follows a leap, any higher number will do.
    ///   - now: The time now, in UTC from 1970 on.
    /// - Throws: ``PublicationError``; then nothing has changed.
    package func publish(_ slot: PublishedSlot, now: MediaTime) throws(PublicationError) {
        try publish(run: [slot], now: now)
    }

    /// Appends slots that follow each other, as ``publish(_:now:)`` does one: the cost of the window is paid once for
    /// all of them.
    ///
    /// - Parameters:
    ///   - slots: Consecutive slots, the oldest first.
    ///   - now: The time, in UTC from 1970 on.
    /// - Throws: ``PublicationError``; then nothing has changed.
    package func publish(run slots: [PublishedSlot], now: MediaTime) throws(PublicationError) {
        try publish(slots, isBridge: false, now: now)
    }

    private func publish(_ slots: [PublishedSlot], isBridge: Bool, now: MediaTime) throws(PublicationError) {
        stream.waitForRoom()
        try order.withLock { _ throws(PublicationError) in
            let (preparation, position) = try prepare(slots)
            let listed = preparation.listed(slots, isBridge: isBridge, now: now)
            // Viewers of parts have the slot's media already, and no part of the next slot is listed before it.
            let limit = preparation.hasParts ? configuration.lowLatency?.slotPatience : nil
            if let listed { stream.precede(listed, at: position, within: limit) }
            let listing = try change { state throws(PublicationError) in
                try state.commit(preparation, now: now)
            }
            if let passedOver = preparation.passedOver(slots, now: now) {
                stream.follow(.passedOver(passedOver), at: position)
            }
            if let listed { stream.follow(.slots(listed), at: position) }
            show(listing)
        }
    }

    /// Works out a publication on a copy, outside the lock, because media is hashed in it.
    private func prepare(
        _ slots: [PublishedSlot]
    ) throws(PublicationError) -> (preparation: State.Preparation, position: StreamPosition) {
        let state = state.withLock { $0 }
        return (try state.prepare(slots), state.position.next)
    }

    /// Appends a part to the slot that is open in one rendition; it is closed when the slot is published as a whole.
    ///
    /// Parts of several renditions, and a slot, may be published at the same time: none waits for another, and the wait
    /// for a journal lasts only as long as a write to memory. A rendition that has no playlist yet keeps its newest
    /// parts for it.
    ///
    /// The playlist is rendered on the thread that publishes the part, and is made before those who wait are called. A
    /// part that was already published with the same content changes nothing.
    ///
    /// - Throws: ``PartError``; then nothing has changed.
    package func publish(_ part: PublishedPart, of id: RenditionID) throws(PartError) {
        let entityTag = part.media.map { ContentHash(of: $0).entityTag }
        // A process that continues from an earlier one publishes the open slot again from its beginning.
        if served.timelines[id]?.parts.contains(part, entityTag: entityTag) ?? false { return }
        let playlist = try change { state throws(PartError) in
            try state.append(part, entityTag: entityTag, of: id)
        }
        let publication = PartPublication(rendition: id, part: part)
        stream.precede(publication, within: configuration.lowLatency?.partPatience ?? .zero)
        stream.follow(.part(publication), at: nil)
        if let playlist { show(playlist) }
        // No other waiter waits for it.
        let reach = reach
        waiters.call(.rendition(id), where: reach.meets)
    }

    /// Lists gaps for slots that could not be published, so that no number is missing.
    ///
    /// With as many gaps as the window lists, the window begins anew.
    ///
    /// - Parameters:
    ///   - number: The slot that is to follow.
    ///   - now: The time now, in UTC from 1970 on.
    /// - Returns: The number of gaps that were listed; nil if the window begins anew.
    /// - Throws: ``PublicationError/ended``.
    package func bridge(to number: MediaSequenceNumber, now: MediaTime) throws(PublicationError) -> Int? {
        guard let slots = state.withLock({ $0.gapSlots(before: number) }) else {
            update { state in state.beginAnew(now: now) }
            return nil
        }
        if !slots.isEmpty { try publish(slots, isBridge: true, now: now) }
        return slots.count
    }

    /// Makes many changes, and renders playlists once after the last of them.
    ///
    /// - Parameter changes: Publishes, declares and so on.
    /// - Returns: The result of `changes`.
    /// - Throws: The error of `changes`; its changes until then are listed.
    package func renderOnce<Result, Failure: Error>(
        for changes: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        state.withLock { $0.holdListings() }
        defer { update { state in state.releaseListings() } }
        return try changes()
    }

    /// Renders nothing any more, and cancels the rendering under way.
    ///
    /// With a window of a day, rendering takes longer than a process may live once it was told to end. The next process
    /// continues from the journal. Requests wait on: they go over to it with their connections, or the server ends them.
    package func stop() {
        isStopped.store(true, ordering: .relaxed)
        state.withLock { $0.holdListings() }
    }

    /// Ends every playlist: no slot will follow.
    package func end(now: MediaTime) {
        order.withLock { _ in
            show(change { $0.end(now: now) })
            stream.publish(.ended, at: state.withLock { $0.advance() })
        }
    }

    /// Drops expired slots, for times in which nothing is published; it does not wait for publications.
    package func tick(now: MediaTime) {
        // A publication under way drops expired slots itself.
        order.withLockIfAvailable { _ in
            guard state.withLock({ $0.hasExpired(by: now) }) else { return }
            change { $0.dropExpired(now: now) }
            show(nil)
        }
    }

    /// The state that requests are answered from now.
    var served: Served { current.load(ordering: .acquiring) }

    /// Changes the state, and the copy that requests are answered from.
    func change<Result: Sendable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try state.withLock { state throws(Failure) in
            let result = try body(&state)
            current.store(Served(state), ordering: .releasing)
            return result
        }
    }

    /// Changes the state, and shows the playlists that follow.
    func update(_ change: (inout State) -> PendingListing?) {
        order.withLock { _ in show(self.change(change)) }
    }

    /// Lists and renders playlists, puts them in place, and hands out the publications that follow; the order is held,
    /// and no other lock while they are rendered.
    func show(_ listing: PendingListing?) {
        if let rendered = listing?.rendered(unless: { isStopped.load(ordering: .relaxed) }) {
            let (position, behind) = change { state in
                state.install(rendered)
                return (state.advance(), state.playlistsBehind())
            }
            for playlist in behind { show(playlist) }
            let reach = reach
            waiters.call(where: reach.meets)
            stream.publish(.playlists(rendered.publication), at: position)
        }
        if let expired = state.withLock({ $0.takeExpired() }) {
            stream.publish(.expired(expired.publication), at: expired.position)
        }
    }

    /// Renders the playlist of one rendition, under no lock, and puts it in place.
    private func show(_ playlist: PendingPlaylist) {
        if isStopped.load(ordering: .relaxed) { return }
        guard let rendered = playlist.rendered() else { return }
        change { $0.install(rendered, of: playlist.rendition) }
    }
}
