/// The state of all finished recordings at a destination, for operators.
package struct RecordingPushStatus: Hashable, Sendable {
    /// Recordings that are to be sent, the one under way included.
    package var waiting = 0
    /// Recordings that are there.
    package var sent = 0
    /// Recordings that could not be sent or deleted.
    package var failed = 0
    /// Recordings that were removed, and may still have objects at the destination.
    package var removing = 0
    /// Counts since the start.
    package var totals = Totals()

    package struct Totals: Hashable, Sendable {
        /// Objects that were stored, and their bytes.
        package var stored = 0
        package var storedBytes = 0
        /// Objects that the destination had already.
        package var alreadyThere = 0
        package var deleted = 0
        /// Requests that failed, by ``StoreProblem/word``.
        package var failures: [String: Int] = [:]
    }
}

/// The state of one finished recording at a destination.
package enum PushedRecording: Hashable, Sendable {
    case pending
    /// The recording is being sent, with the objects that are there; the problem is nil while the destination accepts
    /// them.
    case running(stored: Int, objects: Int, problem: String?)
    case done(objects: Int)
    case failed(reason: String)
}

extension RecordingPlan {
    var status: RecordingPushStatus {
        var status = RecordingPushStatus()
        for item in items.values {
            // Also while it is tried again.
            if item.failure != nil || item.reportedCause != nil {
                status.failed += 1
            } else if item.goal == .removed {
                status.removing += 1
            } else if item.progress?.isComplete == true {
                status.sent += 1
            } else {
                status.waiting += 1
            }
        }
        status.totals = totals
        return status
    }

    /// Returns the state of a present recording.
    func state(of id: String) -> PushedRecording {
        guard let item = items[id] else { return .pending }
        if let failure = item.failure { return .failed(reason: failure.reason) }
        guard let progress = item.progress else { return .pending }
        if progress.isComplete { return .done(objects: progress.objects) }
        let settled = work?.id == id && work?.isDeletion == false ? work?.settled ?? 0 : 0
        // The objects of a finished page are counted already.
        let stored = min(progress.objects, progress.stored + (work?.count == nil ? 0 : settled))
        guard work?.id == id || stored > 0 else { return .pending }
        return .running(stored: stored, objects: progress.objects, problem: problem?.description)
    }
}
