import Dispatch
import Files
import MediaCore
package import NIOCore
import Playlists
package import Presentation
import Synchronization

/// Keeps a destination equal to the origin: the same bytes as objects.
///
/// A slow store, or one that is away, never holds up a live stream. Failed actions are tried again, as ``PushPlan``
/// decides; actions run side by side.
package final class Push: PublicationConsumer {
    package let name: String
    package let policy: ConsumerPolicy
    package let interest: Publication.Kinds = [.window, .slots, .playlists, .expired, .ended]
    /// Sends finished recordings to the same destination; nil if none are sent.
    package let recordings: RecordingPush?
    private let store: ObjectStore
    private let backlog: PushBacklog?
    private let waits: Bool
    private let patience: Duration
    private let isShared: Bool
    private let onEvent: @Sendable (PushEvent) -> Void
    private let state: Mutex<State>
    /// Reads bytes that are not in memory, and removes files that are no longer needed, so that a slow disk keeps no
    /// task from running.
    private let disk = DispatchQueue(label: "push.disk")

    /// The most requests at once.
    package static let lanes = 16
    /// Publications that a disk which stands still keeps in memory: those of some ten slots.
    private static let publications = 32
    private static let mostMissing = 1024
    /// The number of times that an object of a stored feed is sent, ten seconds apart, which the store refuses.
    private static let mostRefusals = 5
    private static let retryInterval = Duration.milliseconds(50)

    private struct State {
        var plan: PushPlan
        var health: PushHealth
        var body: @Sendable (String) -> Body? = { _ in nil }
        /// The store's entity tags of media playlists that the other member sends, too.
        var entityTags: [String: String] = [:]
        var isReleased = false
        /// The files that were reported as missing at the origin.
        var missing: Set<String> = []
        var isClosed = false
        var wakesAt: ContinuousClock.Instant?
    }

    /// - Parameters:
    ///   - store: The destination.
    ///   - number: The place of the destination among those of the channel.
    ///   - expiry: The rule for removing objects from the store.
    ///   - rate: The most bits that are sent in a second, on average; nil for no limit.
    ///   - backlog: Keeps objects that are sent after the origin has stopped serving them; nil for none.
    ///   - recordings: Sends finished recordings to the same destination; nil if none are sent.
    ///   - constants: Texts that never change, by path, in addition to what is published.
    ///   - leftoverSlots: The most slots that an earlier process may have left in the store, before those that this one
    ///     knows.
    ///   - isShared: True if the other member of a pair sends to it, too; it has to be a bucket.
    ///   - waits: True if sending holds up the stream (stored feeds) instead of coming later (live ones).
    ///   - patience: The time for which the store may refuse everything, for reasons that do not pass by themselves,
    ///     before a stored feed continues without it.
    ///   - calm: The time without failures after which a problem is over.
    ///   - onEvent: Called with events for the operator, on any thread.
    package init(
        _ store: ObjectStore,
        number: Int,
        expiry: PushExpiry,
        rate: Int? = nil,
        backlog: PushBacklog? = nil,
        recordings: RecordingPush? = nil,
        constants: [String: ByteBuffer] = [:],
        leftoverSlots: Int = 0,
        isShared: Bool = false,
        waits: Bool,
        patience: Duration = .seconds(60),
        calm: Duration = .seconds(15),
        onEvent: @escaping @Sendable (PushEvent) -> Void
    ) {
        name = "push-\(number)"
        policy = waits ? .paces : .follows(backlog: Self.publications)
        (self.store, self.backlog, self.onEvent) = (store, backlog, onEvent)
        (self.isShared, self.waits, self.patience, self.recordings) = (isShared, waits, patience, recordings)
        let texts = constants.mapValues { String(buffer: $0) }
        var plan = PushPlan(
            expiry: expiry,
            lanes: Self.lanes,
            rate: rate,
            constants: texts,
            mostRefusals: waits ? Self.mostRefusals : nil,
            leftoverSlots: leftoverSlots
        )
        if let backlog { plan.restore(backlog.contents(), at: .now) }
        state = Mutex(State(plan: plan, health: PushHealth(calm: calm)))
        recordings?.share { [weak self] in
            self?.proceed()
        } upload: { [weak self] byteCount in
            guard let self else { return nil }
            return state.withLock { $0.plan.beginUpload(byteCount: byteCount, at: .now) }
        } isAnswered: { [weak self] start in
            self?.state.withLock { $0.plan.answeredAt.map { $0 > start } } ?? false
        }
    }

    /// The URL of the destination, without secrets.
    package var destination: String { store.destination.shownName }

    package var status: PushStatus {
        state.withLock { state in
            PushStatus(
                name: store.destination.shownName,
                problem: state.health.problem?.description,
                waiting: state.plan.pending.count,
                lag: state.plan.lag(at: .now),
                backlogBytes: state.plan.backlogBytes,
                refusedDeletions: state.plan.deletions.refusedCount,
                totals: state.plan.totals,
                recordings: recordings?.status
            )
        }
    }

    /// True if objects wait to be sent, or were lost.
    package var isIncomplete: Bool { state.withLock { $0.plan.isBehind || $0.plan.totals.lost > 0 } }

    /// Stops holding up the stream.
    package func release() { state.withLock { $0.isReleased = true } }

    /// Ends the sending.
    package func close() {
        state.withLock { $0.isClosed = true }
        recordings?.close()
    }

    package func take(_ batch: [Publication]) -> ConsumerResult {
        state.withLock { state in
            for publication in batch {
                if case .window(let snapshot) = publication { state.body = snapshot.body }
                state.plan.take(publication, at: .now)
            }
        }
        keepForLater()
        proceed()
        return state.withLock { state in
            guard state.plan.isBehind, !state.isClosed else { return .done }
            // A live stream gets an empty batch when it is about to end: a store that answers gets the rest.
            if waits, state.plan.operatorFailures.duration > patience { state.isReleased = true }
            let isHeldUp = waits ? !state.isReleased : batch.isEmpty && state.plan.pace.failures == 0
            return isHeldUp ? .blocked(retryAfter: Self.retryInterval) : .done
        }
    }

    /// Writes objects to disk that would expire before they are sent.
    private func keepForLater() {
        guard let backlog else { return }
        let (paths, body) = state.withLock { ($0.plan.filesToKeep, $0.body) }
        for path in paths {
            guard let bytes = try? body(path)?.read(), (try? backlog.write(path, bytes)) != nil else { continue }
            state.withLock { $0.plan.keep(path, byteCount: bytes.readableBytes) }
        }
        state.withLock { $0.plan.shed(to: backlog.limit) }
    }

    // MARK: Actions

    /// Begins every action that is possible now.
    private func proceed() {
        let others = recordings?.requestCount ?? 0
        let (actions, released, wakesAt, spareLanes) = state.withLock { state in
            let now = ContinuousClock.now
            let actions = state.isClosed ? [] : state.plan.actions(at: now, beside: others)
            let next = state.plan.wakes(after: now)
            let isNew = next != nil && next != state.wakesAt && !state.isClosed
            state.wakesAt = next
            return (actions, state.plan.takeReleased(), isNew ? next : nil, state.plan.spareLanes(at: now))
        }
        if let backlog, !released.isEmpty {
            disk.async { for path in released { backlog.remove(path) } }
        }
        for action in actions { Task { await self.perform(action) } }
        recordings?.proceed(lanes: spareLanes)
        guard let wakesAt else { return }
        Task { [weak self] in
            try? await Task.sleep(until: wakesAt, clock: .continuous)
            self?.proceed()
        }
    }

    private func perform(_ action: PushPlan.Action) async {
        let outcome = await outcome(of: action)
        let events = state.withLock { state -> [PushEvent] in
            state.plan.finish(action, outcome, at: .now, chance: .random(in: 0...1))
            let news = state.plan.deletions.takeEvent()
            return [news, Self.health(action, outcome, &state), Self.loss(action, outcome, &state)].compactMap(\.self)
        }
        for event in events { onEvent(event) }
        proceed()
    }

    private static func health(
        _ action: PushPlan.Action,
        _ outcome: PushPlan.Outcome,
        _ state: inout State
    ) -> PushEvent? {
        let (path, lost, now) = (action.path, state.plan.totals.lost, ContinuousClock.now)
        switch (action, outcome) {
        case (_, .gone), (_, .missing): return nil
        case (_, .names): return state.health.noted(nil, of: path, lost: lost, at: now)
        // A refused deletion has an event of its own.
        case (.delete, .answered(.failed(let problem, _), _)) where problem.refusesDeletion: return nil
        case (_, .answered(let answer, _)):
            return state.health.noted(answer.problem, of: path, lost: lost, at: now)
        }
    }

    /// Returns the event of a file that the origin lists and does not have, once for each.
    private static func loss(
        _ action: PushPlan.Action,
        _ outcome: PushPlan.Outcome,
        _ state: inout State
    ) -> PushEvent? {
        guard case .missing = outcome else { return nil }
        if state.missing.count >= mostMissing { state.missing = [] }
        return state.missing.insert(action.path).inserted ? .missing(path: action.path) : nil
    }

    private func outcome(of action: PushPlan.Action) async -> PushPlan.Outcome {
        switch action {
        case .delete(let path): return .answered(await store.delete(path), byteCount: 0)
        case .read(let path):
            let (answer, text) = await store.text(of: path)
            return answer.problem == nil ? .names(Self.names(in: text)) : .answered(answer, byteCount: 0)
        case .put(let path, .playlist(let playlist)):
            return .answered(await put(path, playlist), byteCount: playlist.text.readableBytes)
        case .find(let path):
            guard let byteCount = byteCount(of: path) else { return missing(path) }
            return .answered(await store.find(path, byteCount: byteCount), byteCount: byteCount)
        case .put(let path, .file):
            switch await bytes(of: path) {
            case .success(let bytes?):
                // A stored feed may be packaged a second time, into other bytes of the same names.
                return .answered(await store.put(path, bytes, isNew: !waits), byteCount: bytes.readableBytes)
            case .success(nil): return missing(path)
            case .failure(let error):
                return .answered(.failed(.unreadable("\(error)"), retryAfter: nil), byteCount: 0)
            }
        }
    }

    /// Returns the outcome for a file that cannot be had.
    ///
    /// One that the origin lists is not given up without a word: no playlist that names it can be sent.
    private func missing(_ path: String) -> PushPlan.Outcome {
        state.withLock { $0.plan.files[path]?.isServed ?? false } ? .missing : .gone
    }

    /// The files that a media playlist makes players fetch.
    private static func names(in text: String) -> Set<String> {
        guard let playlist = try? MediaPlaylist(parsing: text) else { return [] }
        // RFC 8216bis § 4.4.4.7: the segment of a gap is absent.
        let segments = playlist.segments.filter { !$0.isGap }
        return Set(segments.map(\.uri) + segments.compactMap(\.map?.uri))
    }

    private func put(_ path: String, _ playlist: PlaylistsPublication.Playlist) async -> StoreAnswer {
        guard isShared, case .slots(_, let numbers) = playlist.names else {
            return await store.put(path, playlist.text, isNew: false)
        }
        let known = state.withLock { $0.entityTags[path] }
        let (answer, entityTag) = await store.put(
            path,
            playlist.text,
            listingUntil: numbers.upperBound,
            replacing: known
        )
        state.withLock { $0.entityTags[path] = entityTag }
        return answer
    }

    private func byteCount(of path: String) -> Int? {
        let (kept, body) = state.withLock { ($0.plan.files[path]?.keptBytes, $0.body) }
        return kept ?? body(path)?.byteCount
    }

    /// Returns the bytes of a file; nil if they are no longer available.
    private func bytes(of path: String) async -> Result<ByteBuffer?, any Error> {
        let (kept, body) = state.withLock { ($0.plan.files[path]?.keptBytes, $0.body) }
        let served = body(path)
        if let bytes = served?.memory { return .success(bytes) }
        return await disk.result { [backlog] in
            if let kept, let bytes = try backlog?.read(path, byteCount: kept) { return bytes }
            return try served?.read()
        }
    }
}
