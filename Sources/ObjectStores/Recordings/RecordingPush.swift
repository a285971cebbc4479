import Dispatch
import Files
import Presentation
import Synchronization

/// Sends the finished recordings of a channel to a destination, beside the live stream, and deletes them there.
///
/// The stream goes first: ``Push`` leaves a number of requests for recordings, and ``RecordingPlan`` decides on them.
package final class RecordingPush: Sendable {
    private let store: ObjectStore
    private let source: any RecordingSource
    private let ledger: RecordingLedger
    private let onEvent: @Sendable (PushEvent) -> Void
    private let state: Mutex<State>
    /// A queue for calls that wait for the disk, several at a time.
    private let disk = DispatchQueue(label: "push.recordings", qos: .utility, attributes: .concurrent)

    private struct State {
        var plan: RecordingPlan
        var isRestored = false
        /// True once it was reported that the state at the destination cannot be read.
        var isObstacleReported = false
        var isLooking = false
        var isClosed = false
        /// The steps under way.
        var tasks: [RecordingPlan.Action: Task<Void, Never>] = [:]
        /// The uploads of long files among them.
        ///
        /// The store keeps nothing of an upload that is cancelled.
        var long: Set<RecordingPlan.Action> = []
        /// The digests of long files that are sent again, by their paths, so that each file is read once for its
        /// digest.
        var digests: [String: [UInt8]] = [:]
        var wakesAt: ContinuousClock.Instant?
        /// Called when another request may begin.
        var proceed: @Sendable () -> Void = {}
        /// Returns true if the store has taken something of the stream since a time.
        var isAnswered: @Sendable (ContinuousClock.Instant) -> Bool = { _ in false }
        /// Notes bytes that are to be sent.
        var upload: @Sendable (Int) -> ContinuousClock.Instant? = { _ in nil }

        var longTasks: [Task<Void, Never>] { long.compactMap { tasks[$0] } }
        /// True if the action is no longer awaited.
        var isUnwanted: Bool { isClosed || plan.work?.ending == .cancelled }
    }

    /// - Parameters:
    ///   - store: The destination.
    ///   - source: The recordings.
    ///   - ledger: Remembers the objects at the destination.
    ///   - onEvent: Called with events for the operator, on any thread.
    package init(
        _ store: ObjectStore,
        of source: any RecordingSource,
        ledger: RecordingLedger,
        onEvent: @escaping @Sendable (PushEvent) -> Void
    ) {
        (self.store, self.source, self.ledger, self.onEvent) = (store, source, ledger, onEvent)
        state = Mutex(State(plan: RecordingPlan(lanes: PushPlan.recordingLanes(of: Push.lanes))))
    }

    package var status: RecordingPushStatus { state.withLock { $0.plan.status } }

    /// Returns the state of a present recording.
    package func state(of id: String) -> PushedRecording { state.withLock { $0.plan.state(of: id) } }

    /// The number of requests under way.
    var requestCount: Int { state.withLock { $0.plan.requestCount } }

    /// Shares the requests and the rate of a destination with the live stream.
    ///
    /// - Parameters:
    ///   - proceed: Called when another request may begin.
    ///   - upload: Called with the number of bytes to send. It returns the time before which they may not
    ///     be sent; nil if they may be sent now.
    ///   - isAnswered: Returns true if the store has taken something of the stream since a time.
    func share(
        proceed: @escaping @Sendable () -> Void,
        upload: @escaping @Sendable (Int) -> ContinuousClock.Instant?,
        isAnswered: @escaping @Sendable (ContinuousClock.Instant) -> Bool
    ) {
        state.withLock { ($0.proceed, $0.upload, $0.isAnswered) = (proceed, upload, isAnswered) }
    }

    /// Waits until so many bytes may be sent.
    private func waitToSend(_ byteCount: Int) async throws {
        let upload = state.withLock { $0.upload }
        while let time = upload(byteCount) { try await Task.sleep(until: time, clock: .continuous) }
    }

    /// Ends the sending.
    ///
    /// The upload of a long file is cancelled.
    func close() {
        let tasks = state.withLock { state in
            state.isClosed = true
            return state.longTasks
        }
        for task in tasks { task.cancel() }
    }

    /// Takes the list of recordings.
    ///
    /// It does not wait, and skips a call while the disk is busy with the last one.
    ///
    /// - Parameters:
    ///   - ready: The IDs of those that are finished.
    ///   - isGone: Returns true if a recording was removed. It may wait for the disk.
    package func take(_ ready: [String], isGone: @escaping @Sendable (String) -> Bool) {
        let isFree = state.withLock { state in
            defer { state.isLooking = true }
            return !state.isLooking && !state.isClosed
        }
        guard isFree else { return }
        disk.async { self.look(Set(ready), isGone) }
    }

    private func look(_ ready: Set<String>, _ isGone: (String) -> Bool) {
        guard restore() else { return state.withLock { $0.isLooking = false } }
        let gone = state.withLock { $0.plan.others(than: ready) }.filter(isGone)
        let (unwanted, proceed) = state.withLock { state in
            state.plan.take(ready: ready, gone: Set(gone))
            state.isLooking = false
            return (state.isUnwanted ? state.longTasks : [], state.proceed)
        }
        for task in unwanted { task.cancel() }
        proceed()
    }

    /// Reads the records of an earlier process.
    ///
    /// Nothing is sent before that.
    ///
    /// - Returns: False if they cannot be read.
    private func restore() -> Bool {
        if state.withLock({ $0.isRestored }) { return true }
        do throws(FileError) {
            let contents = try ledger.contents()
            let wasReported = state.withLock { state in
                state.plan.restore(contents)
                state.isRestored = true
                return state.isObstacleReported
            }
            if wasReported { onEvent(.recordingsResumed) }
            return true
        } catch {
            let wasReported = state.withLock { state in
                defer { state.isObstacleReported = true }
                return state.isObstacleReported
            }
            if !wasReported { onEvent(.recordingsHeldUp(.unreadable(error.description))) }
            return false
        }
    }

    // MARK: Actions

    /// Begins every action that is possible now.
    ///
    /// - Parameter lanes: The most requests under way.
    func proceed(lanes: Int) {
        let wakesAt = state.withLock { state -> ContinuousClock.Instant? in
            let now = ContinuousClock.now
            let actions = state.isClosed ? [] : state.plan.actions(at: now, lanes: lanes)
            for action in actions { state.tasks[action] = Task { await self.perform(action) } }
            let next = state.plan.wakes(after: now)
            let isNew = next != nil && next != state.wakesAt && !state.isClosed
            state.wakesAt = next
            return isNew ? next : nil
        }
        guard let wakesAt else { return }
        Task { [weak self] in
            try? await Task.sleep(until: wakesAt, clock: .continuous)
            guard let proceed = self?.state.withLock({ $0.proceed }) else { return }
            proceed()
        }
    }

    private func perform(_ action: RecordingPlan.Action) async {
        let (outcome, sentAt) = await outcome(of: action)
        let othersAnswered = state.withLock { $0.isAnswered }(sentAt)
        let (events, proceed) = state.withLock { state in
            // A cancelled request says nothing about the store or the disk.
            let isCalledOff = outcome.isFailure && (Task.isCancelled || state.isClosed)
            state.tasks[action] = nil
            state.long.remove(action)
            state.plan.finish(
                action,
                isCalledOff ? .withdrawn : outcome,
                at: .now,
                chance: .random(in: 0...1),
                othersAnswered: othersAnswered
            )
            return (state.plan.takeEvents(), state.proceed)
        }
        for event in events { onEvent(event) }
        proceed()
    }

    /// Carries out an action.
    ///
    /// - Returns: The outcome, and the time at which its request was sent.
    private func outcome(
        of action: RecordingPlan.Action
    ) async -> (outcome: RecordingPlan.Outcome, sentAt: ContinuousClock.Instant) {
        let start = ContinuousClock.now
        switch action {
        case .put(let id, let path): return await put(path, of: id)
        case .delete(let id, let path):
            return (.answered(await store.delete(Self.path(of: path, id)), byteCount: 0), start)
        case .list, .turn, .forget:
            let result = await disk.result { try self.step(action) }
            switch result {
            case .success(let outcome): return (outcome, start)
            case .failure(let error): return (.failed("\(error)"), start)
            }
        }
    }

    /// Carries out an action that only needs the disk.
    private func step(_ action: RecordingPlan.Action) throws -> RecordingPlan.Outcome {
        // Another process may have the directory by then.
        let isWanted: @Sendable () -> Bool = { [self] in state.withLock { !$0.isClosed } }
        guard isWanted() else { return .withdrawn }
        switch action {
        case .list(let id): return .listed(try ledger.list(id, of: source, isWanted: isWanted))
        case .turn(let id, let progress):
            try ledger.save(progress, of: id)
            return .page(try ledger.page(progress.page, of: id))
        case .forget(let id):
            ledger.remove(id)
            return .forgotten
        case .put, .delete: return .withdrawn
        }
    }

    private func put(
        _ path: String,
        of id: String
    ) async -> (outcome: RecordingPlan.Outcome, sentAt: ContinuousClock.Instant) {
        var start = ContinuousClock.now
        do {
            let found = await disk.result { [source] in try source.object(path, of: id) }
            guard let body = try found.get() else { return (source.isThere(id) ? .gone : .withdrawn, start) }
            let place = Self.path(of: path, id)
            let known = state.withLock { $0.digests[place] }
            var content = try await ObjectContent.content(of: body, digest: known, on: disk)
            switch content {
            case .bytes: try await waitToSend(body.byteCount)
            case .pieces(var pieces, let digest):
                guard isWanted(long: .put(id: id, path: path)) else { return (.withdrawn, start) }
                pieces.willSend = { [self] in try await waitToSend($0) }
                content = .pieces(pieces, digest: digest)
            }
            start = .now
            let answer = await store.put(place, content, ObjectTraits(ofRecording: path), isNew: true)
            keepDigest(of: content, at: place, answer)
            return (.answered(answer, byteCount: body.byteCount), start)
        } catch {
            return (.answered(.failed(.unreadable("\(error)"), retryAfter: nil), byteCount: 0), start)
        }
    }

    /// Notes a long file that is to be sent.
    ///
    /// - Returns: False if it is no longer wanted.
    private func isWanted(long action: RecordingPlan.Action) -> Bool {
        state.withLock { state in
            state.long.insert(action)
            return !state.isUnwanted
        }
    }

    /// Keeps the digest of a long file for the next attempt, if there is to be one.
    private func keepDigest(of content: ObjectContent, at place: String, _ answer: StoreAnswer) {
        guard case .pieces(_, let digest) = content else { return }
        let isKept = answer.problem.map { !$0.isOfObject } ?? false
        state.withLock { state in
            // There are as many as are under way at a time, and those that were given up.
            if state.digests.count >= Self.mostDigests { state.digests = [:] }
            state.digests[place] = isKept ? digest : nil
        }
    }

    private static let mostDigests = 64

    /// The path of an object below the destination.
    private static func path(of object: String, _ id: String) -> String { "recordings/\(id)/\(object)" }
}
