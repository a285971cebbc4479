import Dispatch
import Files
import Presentation
import Synchronization

/// Keeps the finished recordings of a channel at a destination, beside what is live there.
///
/// ``Push`` says how many requests it may have under way, for the stream goes first; ``RecordingPlan`` decides what they
/// are.
package final class RecordingPush: Sendable {
    private let store: ObjectStore
    private let source: any RecordingSource
    private let ledger: RecordingLedger
    private let onEvent: @Sendable (PushEvent) -> Void
    private let state: Mutex<State>
    /// Waits for the disk, for several at a time.
    private let disk = DispatchQueue(label: "push.recordings", qos: .utility, attributes: .concurrent)

    private struct State {
        var plan: RecordingPlan
        var isRestored = false
        /// True once it was reported that what is there cannot be found out.
        var isObstacleTold = false
        var isLooking = false
        var isClosed = false
        var wakesAt: ContinuousClock.Instant?
        /// Called when something may be begun.
        var proceed: @Sendable () -> Void = {}
    }

    /// - Parameters:
    ///   - store: The destination.
    ///   - source: The recordings.
    ///   - ledger: Remembers what is there.
    ///   - onEvent: Called with news for the operator, on any thread.
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

    /// Returns the state of a recording that is there.
    package func state(of id: String) -> PushedRecording { state.withLock { $0.plan.state(of: id) } }

    /// The requests that are under way.
    var requestCount: Int { state.withLock { $0.plan.requestCount } }

    /// Has a function called when something may be begun.
    func onReady(_ proceed: @escaping @Sendable () -> Void) { state.withLock { $0.proceed = proceed } }

    /// Sends nothing any more.
    func close() { state.withLock { $0.isClosed = true } }

    /// Takes the recordings that there are; it does not wait, and skips a call while the disk is busy with one before.
    ///
    /// - Parameters:
    ///   - ready: The IDs of those that are finished.
    ///   - isGone: Returns true if a recording was removed; it may wait for the disk.
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
        let proceed = state.withLock { state in
            state.plan.take(ready: ready, gone: Set(gone))
            state.isLooking = false
            return state.proceed
        }
        proceed()
    }

    /// Takes what an earlier process has remembered: nothing is begun before that is known.
    ///
    /// - Returns: False if it cannot be read.
    private func restore() -> Bool {
        if state.withLock({ $0.isRestored }) { return true }
        do throws(FileError) {
            let contents = try ledger.contents()
            let wasTold = state.withLock { state in
                state.plan.restore(contents)
                state.isRestored = true
                return state.isObstacleTold
            }
            if wasTold { onEvent(.recordingsGoOn) }
            return true
        } catch {
            let wasTold = state.withLock { state in
                defer { state.isObstacleTold = true }
                return state.isObstacleTold
            }
            if !wasTold { onEvent(.recordingsHeldUp(.unreadable(error.description))) }
            return false
        }
    }

    // MARK: Actions

    /// Begins all that can be done now.
    ///
    /// - Parameter lanes: The requests that may be under way.
    func proceed(lanes: Int) {
        let (actions, wakesAt) = state.withLock { state in
            let now = ContinuousClock.now
            let actions = state.isClosed ? [] : state.plan.actions(at: now, lanes: lanes)
            let next = state.plan.wakes(after: now)
            let isNew = next != nil && next != state.wakesAt && !state.isClosed
            state.wakesAt = next
            return (actions, isNew ? next : nil)
        }
        for action in actions { Task { await self.perform(action) } }
        guard let wakesAt else { return }
        Task { [weak self] in
            try? await Task.sleep(until: wakesAt, clock: .continuous)
            guard let proceed = self?.state.withLock({ $0.proceed }) else { return }
            proceed()
        }
    }

    private func perform(_ action: RecordingPlan.Action) async {
        let outcome = await outcome(of: action)
        let (events, proceed) = state.withLock { state in
            state.plan.finish(action, outcome, at: .now, chance: .random(in: 0...1))
            return (state.plan.takeEvents(), state.proceed)
        }
        for event in events { onEvent(event) }
        proceed()
    }

    private func outcome(of action: RecordingPlan.Action) async -> RecordingPlan.Outcome {
        switch action {
        case .put(let id, let path): return await put(path, of: id)
        case .delete(let id, let path):
            return .answered(await store.delete(Self.path(of: path, id)), byteCount: 0)
        case .list, .turn, .forget:
            let result = await disk.result { try self.step(action) }
            switch result {
            case .success(let outcome): return outcome
            case .failure(let error): return .failed("\(error)")
            }
        }
    }

    /// Does what waits for the disk alone.
    private func step(_ action: RecordingPlan.Action) throws -> RecordingPlan.Outcome {
        switch action {
        case .list(let id): return .listed(try ledger.list(id, of: source))
        case .turn(let id, let progress):
            try ledger.save(progress, of: id)
            return .page(try ledger.page(progress.page, of: id))
        case .forget(let id):
            ledger.remove(id)
            return .forgotten
        case .put, .delete: return .gone
        }
    }

    private func put(_ path: String, of id: String) async -> RecordingPlan.Outcome {
        do {
            let found = await disk.result { [source] in try source.object(path, of: id) }
            guard let body = try found.get() else { return .gone }
            let content = try await ObjectContent.content(of: body, on: disk)
            let traits = ObjectTraits(ofRecording: path)
            return .answered(
                await store.put(Self.path(of: path, id), content, traits, isNew: true),
                byteCount: body.byteCount
            )
        } catch {
            return .answered(.failed(.unreadable("\(error)"), retryAfter: nil), byteCount: 0)
        }
    }

    /// The path of an object below the destination.
    private static func path(of object: String, _ id: String) -> String { "recordings/\(id)/\(object)" }
}
