import NIOCore

extension RecordingPlan {
    enum Action: Hashable, Sendable {
        /// Lists the objects of a recording in pages.
        case list(id: String)
        /// Saves the progress of a recording, and reads the next page.
        case turn(id: String, RecordingProgress)
        case put(id: String, path: String)
        case delete(id: String, path: String)
        /// Forgets a recording that has no object at the destination.
        case forget(id: String)

        var id: String {
            switch self {
            case .list(let id), .turn(let id, _), .put(let id, _), .delete(let id, _), .forget(let id): id
            }
        }
    }

    /// The result of an action.
    enum Outcome: Sendable {
        case listed(RecordingProgress)
        /// The paths of the next page; none if there is no other.
        case page([String])
        case answered(StoreAnswer, byteCount: Int)
        /// The recording does not have the object any more.
        case gone
        /// The recording was removed, or the action was cancelled.
        case withdrawn
        case forgotten
        /// The disk has a problem.
        case failed(String)

        var isFailure: Bool {
            switch self {
            case .failed, .answered(.failed, _): true
            case .listed, .page, .answered, .gone, .withdrawn, .forgotten: false
            }
        }
    }

    /// A recording that the plan knows.
    struct Item: Sendable {
        var goal = Goal.undecided
        /// The part that is at the destination; nil before its objects are listed.
        var progress: RecordingProgress?
        var failure: Failure?
        /// The cause that was reported last; nil if there was none since all of it was there.
        var reportedCause: String?

        enum Goal: Hashable, Sendable {
            /// The record cannot be read now, and nothing is done.
            case undecided
            case sent, removed
        }

        /// Returns true if the recording need not wait.
        func isDue(at now: Instant) -> Bool { failure.map { $0.retriesAt.map { $0 <= now } ?? false } ?? true }
    }

    struct Failure: Hashable, Sendable {
        var reason: String
        /// The kind of problem, which is reported once for all objects; nil if the reason tells them apart.
        var cause: String?
        /// The time of the next try; nil for never.
        var retriesAt: Instant?
    }

    /// The page that is under way.
    struct Work: Sendable {
        let id: String
        let isDeletion: Bool
        /// The step of the disk that comes before objects are sent.
        var step: Action?
        /// True while the disk carries out a step.
        var isWaiting = false
        /// The objects that are still to be sent.
        var queue = CircularBuffer<String>()
        private(set) var underWay: [String: Instant] = [:]
        private(set) var deferred: [String: Instant] = [:]
        private var refusals: [String: Int] = [:]
        /// The number of objects of the page, and of those that are done; nil before the page is read.
        private(set) var count: Int?
        private(set) var settled = 0
        /// The reason why no other object of the page is begun.
        var ending: Ending?

        enum Ending: Hashable, Sendable {
            /// The recording is no longer wanted.
            case cancelled
            /// - Parameter isNews: False if there is nothing to report.
            case failed(Failure, isNews: Bool = true)
        }

        /// The pause before an object that the store refused is sent again, as for a stream.
        private static let objectPause = Duration.seconds(10)
        /// The number of times that a refused object is sent.
        private static let mostRefusals = 5

        init(id: String, isDeletion: Bool) { (self.id, self.isDeletion) = (id, isDeletion) }

        var isPageDone: Bool { count == settled }

        mutating func begin(_ page: [String]) {
            queue = CircularBuffer<String>()
            for path in page { queue.append(path) }
            (count, settled, refusals) = (page.count, 0, [:])
        }

        mutating func closePage() { count = nil }

        /// Takes paths out of the queue while fewer requests than the limit are under way.
        mutating func paths(at now: Instant, most: Int) -> [String] {
            for (path, time) in deferred where time <= now {
                deferred[path] = nil
                queue.append(path)
            }
            var paths: [String] = []
            while underWay.count < most, let path = queue.popFirst() {
                underWay[path] = now
                paths.append(path)
            }
            return paths
        }

        /// Notes that a request has ended.
        ///
        /// - Returns: The time at which it was sent.
        mutating func end(_ path: String, at now: Instant) -> Instant { underWay.removeValue(forKey: path) ?? now }

        mutating func settle() { settled += 1 }

        /// Notes that the store refused an object.
        ///
        /// - Returns: False if it is not sent again.
        mutating func refuse(_ path: String, at now: Instant) -> Bool {
            refusals[path, default: 0] += 1
            guard refusals[path, default: 0] < Self.mostRefusals else { return false }
            deferred[path] = now + Self.objectPause
            return true
        }
    }
}
