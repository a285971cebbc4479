import NIOCore

/// Decides when and in which order finished recordings are sent to a destination and deleted there, so that nothing
/// there ever names a missing object.
///
/// The objects of a recording are in pages, in the order of their stages. A page is begun once the page before is whole
/// at the destination, and pages are deleted from the last to the first. Between two pages, deletions go before
/// uploads. The oldest waiting recording is next, and those that have failed come last.
struct RecordingPlan: Sendable {
    typealias Instant = ContinuousClock.Instant

    private(set) var pace: PushPace
    private(set) var items: [String: Item] = [:]
    private(set) var work: Work?
    private(set) var totals = RecordingPushStatus.Totals()
    /// The last problem of the store; nil if it accepts objects.
    private(set) var problem: StoreProblem?
    private var isProblemReported = false
    /// True once it was reported that nothing may be deleted.
    private var isProhibitionReported = false
    private var events: [PushEvent] = []
    /// True if there is nothing to do before a change, or before a time.
    private var isIdle = false
    private var retriesAt: Instant?

    /// The time after which a recording that has failed is tried again.
    static let longPause = Duration.seconds(600)
    /// The ``StoreProblem/word`` of credentials that lack a permission.
    private static let prohibition = StoreProblem.forbidden(status: 403, code: nil).word
    /// The most recordings that are tracked at a destination; others wait until some are removed.
    static let mostListed = 2000

    /// - Parameter lanes: The most requests under way.
    init(lanes: Int) { pace = PushPace(maximum: lanes) }

    // MARK: Recordings

    /// Takes the records of an earlier process.
    mutating func restore(_ contents: [String: RecordingProgress]) {
        for (id, progress) in contents where items[id] == nil { items[id] = Item(progress: progress) }
        isIdle = false
    }

    /// Returns the recordings that may have been removed.
    func others(than ready: Set<String>) -> [String] {
        Array(items.filter { !ready.contains($0.key) && $0.value.goal != .removed }.keys)
    }

    /// Takes the list of recordings.
    ///
    /// - Parameters:
    ///   - ready: The recordings that are finished.
    ///   - gone: The recordings that were removed. A recording in neither list is left alone: its record cannot be
    ///     read.
    mutating func take(ready: Set<String>, gone: Set<String>) {
        for id in ready where items[id]?.goal != .sent && items[id]?.goal != .removed {
            items[id, default: Item()].goal = .sent
            isIdle = false
        }
        for (id, item) in items where !ready.contains(id) && item.goal != .removed {
            guard gone.contains(id) else {
                items[id]?.goal = .undecided
                continue
            }
            isIdle = false
            if item.progress == nil, work?.id != id {
                items[id] = nil
                continue
            }
            items[id] = Item(goal: .removed, progress: item.progress)
            if work?.id == id { work?.ending = .cancelled }
        }
        settle()
    }

    // MARK: Actions

    /// The number of requests under way.
    var requestCount: Int { work?.underWay.count ?? 0 }

    /// Decides on the next actions, beside those under way.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - lanes: The most requests under way.
    /// - Returns: A step of the disk, or requests.
    mutating func actions(at now: Instant, lanes: Int) -> [Action] {
        if work == nil { begin(at: now) }
        guard let id = work?.id, let isDeletion = work?.isDeletion, work?.isWaiting == false, work?.ending == nil else {
            return []
        }
        if let step = work?.step {
            work?.step = nil
            work?.isWaiting = true
            return [step]
        }
        let paths = work?.paths(at: now, most: min(lanes, pace.lanes(at: now))) ?? []
        return paths.map { isDeletion ? .delete(id: id, path: $0) : .put(id: id, path: $0) }
    }

    /// The next time at which more can be done.
    func wakes(after now: Instant) -> Instant? {
        let times = [pace.resumesAt, work == nil ? retriesAt : nil].compactMap(\.self)
        return (times + (work.map { Array($0.deferred.values) } ?? [])).filter { $0 > now }.min()
    }

    private mutating func begin(at now: Instant) {
        if isIdle, retriesAt.map({ now < $0 }) ?? true { return }
        guard let id = next(at: now) else {
            isIdle = true
            retriesAt = items.values.compactMap { $0.failure?.retriesAt }.filter { $0 > now }.min()
            return
        }
        isIdle = false
        let isDeletion = items[id]?.goal == .removed
        items[id]?.failure = nil
        if isDeletion { items[id]?.progress?.beginRemoval() }
        work = Work(id: id, isDeletion: isDeletion)
        let step = step(of: id)
        work?.step = step
    }

    // MARK: Results

    /// Takes the result of an action.
    ///
    /// - Parameters:
    ///   - action: The action.
    ///   - outcome: The result.
    ///   - now: The time.
    ///   - chance: Between 0 and 1.
    ///   - othersAnswered: True if the store has taken something of the stream meanwhile.
    mutating func finish(
        _ action: Action,
        _ outcome: Outcome,
        at now: Instant,
        chance: Double,
        othersAnswered: Bool = false
    ) {
        guard let work, work.id == action.id else { return }
        switch action {
        case .list, .turn, .forget:
            self.work?.isWaiting = false
            take(outcome, of: work, at: now)
        case .put(_, let path), .delete(_, let path):
            let start = self.work?.end(path, at: now) ?? now
            take(outcome, of: path, sentAt: start, at: now, chance: chance, othersAnswered: othersAnswered)
        }
        settle()
    }

    /// Takes the result of a step of the disk.
    private mutating func take(_ outcome: Outcome, of work: Work, at now: Instant) {
        let id = work.id
        switch outcome {
        case .listed(let progress) where progress.pages == 0: end(.failed(Failure(reason: "it has no files")))
        case .listed(let progress):
            items[id]?.progress = progress
            self.work?.step = .turn(id: id, progress)
        case .page where items[id]?.progress?.isComplete == true:
            events.append(.recordingSent(id: id, objects: items[id]?.progress?.objects ?? 0))
            items[id]?.reportedCause = nil
            leave()
        // Deletions do not wait for the end of a long recording.
        case .page where !work.isDeletion && hasRemovals(at: now): leave()
        case .page(let paths) where paths.isEmpty && !work.isDeletion:
            end(.failed(Failure(reason: "the list of its files is not whole", retriesAt: now + Self.longPause)))
        case .page(let paths): self.work?.begin(paths)
        case .forgotten:
            items[id] = nil
            events.append(.recordingRemoved(id: id))
            leave()
        case .failed(let reason): end(.failed(Failure(reason: reason, retriesAt: now + Self.longPause)))
        case .answered, .gone, .withdrawn: break
        }
    }

    /// Takes the result of a request.
    private mutating func take(
        _ outcome: Outcome,
        of path: String,
        sentAt start: Instant,
        at now: Instant,
        chance: Double,
        othersAnswered: Bool
    ) {
        switch outcome {
        case .answered(.failed(let problem, let retryAfter), _):
            totals.failures[problem.word, default: 0] += 1
            // An object that is too long for the line, or for a server on the way, must not hold up the others.
            guard isOfObject(problem) || othersAnswered && problem.mayBeOfObject && retryAfter == nil else {
                pace.failed(sentAt: start, now: now, retryAfter: retryAfter, chance: chance)
                work?.queue.prepend(path)
                return note(problem)
            }
            // Credentials stay as they are for some seconds.
            if problem.word == Self.prohibition || work?.refuse(path, at: now) == false {
                let (reason, pause) = ("\(path): \(problem)", Self.longPause)
                end(.failed(Failure(reason: reason, cause: problem.word, retriesAt: now + pause)))
            }
        case .answered(let answer, let byteCount):
            pace.succeeded(sentAt: start)
            note(nil)
            count(answer, byteCount)
            work?.settle()
        case .gone:
            let reason = "\(path) was removed from the recording of the channel before it was sent; raise record-for"
            end(.failed(Failure(reason: reason)))
        case .withdrawn:
            let failure = Failure(reason: "it was removed", retriesAt: now + Self.longPause)
            end(.failed(failure, isNews: false))
        case .listed, .page, .forgotten, .failed: break
        }
    }

    /// Returns true if other objects may succeed: credentials that may put may lack the permission to delete.
    private func isOfObject(_ problem: StoreProblem) -> Bool {
        if case .forbidden = problem, work?.isDeletion == true { return true }
        return problem.isOfObject
    }

    private mutating func count(_ answer: StoreAnswer, _ byteCount: Int) {
        if work?.isDeletion == true {
            totals.deleted += 1
            isProhibitionReported = false
        } else if answer == .done {
            totals.stored += 1
            totals.storedBytes += byteCount
        } else {
            totals.alreadyThere += 1
        }
    }

    /// Reports a problem that the operator has to solve.
    ///
    /// The stream, which goes there as well, reports passing ones.
    private mutating func note(_ problem: StoreProblem?) {
        self.problem = problem
        guard isProblemReported != (problem?.needsOperator ?? false) else { return }
        if let problem, problem.needsOperator {
            events.append(.recordingsHeldUp(problem))
            isProblemReported = true
        } else if problem == nil {
            events.append(.recordingsResumed)
            isProblemReported = false
        }
    }

    private mutating func end(_ ending: Work.Ending) {
        if work?.ending == nil { work?.ending = ending }
    }

    private mutating func leave() {
        work = nil
        isIdle = false
    }

    /// Decides on the next step once nothing is under way.
    private mutating func settle() {
        guard let work, work.underWay.isEmpty, !work.isWaiting else { return }
        if let ending = work.ending {
            if case .failed(let failure, let isNews) = ending { fail(work, failure, isNews: isNews) }
            return leave()
        }
        guard work.step == nil, work.isPageDone, let count = work.count else { return }
        items[work.id]?.progress?.turn(over: count)
        self.work?.closePage()
        let step = step(of: work.id)
        self.work?.step = step
    }

    private mutating func fail(_ work: Work, _ failure: Failure, isNews: Bool) {
        items[work.id]?.failure = failure
        let cause = failure.cause ?? failure.reason
        guard isNews, items[work.id]?.reportedCause != cause else { return }
        items[work.id]?.reportedCause = cause
        if work.isDeletion, cause == Self.prohibition {
            // The prohibition holds for all recordings.
            if isProhibitionReported { return }
            isProhibitionReported = true
        }
        let (id, reason) = (work.id, failure.reason)
        let event: PushEvent =
            work.isDeletion ? .recordingNotRemoved(id: id, reason: reason) : .recordingFailed(id: id, reason: reason)
        events.append(event)
    }

    /// Returns the new events, once.
    mutating func takeEvents() -> [PushEvent] {
        defer { events = [] }
        return events
    }
}
