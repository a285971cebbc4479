import MediaCore
import Playlists
import Presentation

/// The results of actions.
extension PushPlan {
    /// Failures that only the operator can end.
    struct OperatorFailures: Sendable {
        private var first: Instant?
        private var newest: Instant?

        mutating func note(at now: Instant) { (first, newest) = (first ?? now, now) }

        /// Ends the series: the store has accepted something, or the failures are of another kind.
        mutating func end() { (first, newest) = (nil, nil) }

        /// The time from the first to the newest of them.
        var duration: Duration {
            guard let first, let newest else { return .zero }
            return newest - first
        }
    }

    /// Takes the result of an action.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - outcome: The result.
    ///   - now: The time.
    ///   - chance: Between 0 and 1.
    mutating func finish(_ action: Action, _ outcome: Outcome, at now: Instant, chance: Double) {
        let path = action.path
        let start = underWay.removeValue(forKey: path) ?? now
        let isDeletion = if case .delete = action { true } else { false }
        if isDeletion { deletions.end() }
        switch outcome {
        case .gone: drop(path)
        case .missing: deferred[path] = now + Self.objectPause
        case .names(let names):
            pace.succeeded(sentAt: start)
            unread.remove(path)
            for name in names where pending.contains(name) && files[name]?.isUnknown == true {
                totals.alreadyThere += 1
                settle(name)
            }
        case .answered(.failed(let problem, let retryAfter), _):
            totals.failures[problem.word, default: 0] += 1
            if case .put(_, .file) = action, problem.leavesDoubt { files[path]?.isDoubtful = true }
            if isDeletion, problem.refusesDeletion {
                refuse(path, problem, sentAt: start, now: now, chance: chance)
                putBack(path)
            } else {
                if isDeletion { deletions.putBack(path) }
                fail(action, problem, retryAfter, sentAt: start, at: now, chance: chance)
            }
            if files[path]?.isServed == false, files[path]?.keptBytes == nil { drop(path) }
        case .answered(let answer, let byteCount):
            pace.succeeded(sentAt: start)
            operatorFailures.end()
            answeredAt = now
            refusals[path] = nil
            if isDeletion { deletions.succeeded(path, sentAt: start) }
            note(action, answer, byteCount, now)
        }
    }

    private mutating func fail(
        _ action: Action,
        _ problem: StoreProblem,
        _ retryAfter: Duration?,
        sentAt start: Instant,
        at now: Instant,
        chance: Double
    ) {
        if problem.isOfObject { return refused(action, at: now) }
        // Those that pass by themselves are waited for.
        if problem.needsOperator { operatorFailures.note(at: now) } else { operatorFailures.end() }
        pace.failed(sentAt: start, now: now, retryAfter: retryAfter, chance: chance)
        putBack(action.path)
    }

    /// Sends a refused object again, or gives it up.
    private mutating func refused(_ action: Action, at now: Instant) {
        let path = action.path
        let count = refusals[path, default: 0] + 1
        guard let mostRefusals, count >= mostRefusals else {
            if mostRefusals != nil { refusals[path] = count }
            deferred[path] = now + Self.objectPause
            return
        }
        refusals[path] = nil
        if case .put(_, .playlist) = action {
            abandoned.insert(path)
            totals.lost += 1
        } else {
            // Dropping counts what is kept.
            if expiry == .delete { totals.lost += 1 }
            drop(path)
        }
    }

    private mutating func note(_ action: Action, _ answer: StoreAnswer, _ byteCount: Int, _ now: Instant) {
        switch action {
        // Its result is the names.
        case .read: break
        case .find(let path) where answer == .missing:
            files[path]?.isUnknown = false
            putBack(path)
        case .find(let path), .put(let path, .file):
            count(answer, byteCount)
            settle(path)
        case .put(let path, .playlist(let playlist)):
            count(answer, byteCount)
            let listed = stored[path, default: StoredPlaylist()].end(playlist)
            for time in listed.compactMap({ publishedAt[$0] }) { totals.delay.add(MediaTime(now - time)) }
        case .delete(let path):
            totals.deleted += 1
            (expired[path], refused[path]) = (nil, nil)
            stored[path] = nil
            if pending.contains(path) { queue.append(path) }
        }
    }

    private mutating func count(_ answer: StoreAnswer, _ byteCount: Int) {
        guard answer == .done else { return totals.alreadyThere += 1 }
        totals.stored += 1
        totals.storedBytes += byteCount
    }

    private mutating func settle(_ path: String) {
        guard let file = files[path] else { return }
        pending.remove(path)
        missing[file.info.rendition]?.remove(path)
        files[path]?.isUnknown = false
        release(path)
        guard !file.isServed else { return }
        files[path] = nil
        withdraw(file.info, isThere: true)
    }
}
