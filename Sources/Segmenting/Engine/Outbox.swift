import MediaCore

/// The decisions of a channel on their way out: those that wait for their keys, and the actions of the event that is
/// being handled.
struct Outbox: Sendable {
    /// The decisions that are held back until their keys are there, in order.
    private(set) var waiting: [ChannelEngine.Waiting] = []
    /// The actions of the event that is being handled, in order.
    private var actions: [ChannelEngine.Action] = []
    /// True if a slot was decided on.
    private(set) var hasDecided = false
    /// True if the end of the channel was decided on.
    private(set) var isEnded = false

    /// The number of actions of the event that is being handled so far.
    var count: Int { actions.count }

    /// Holds a decision back until those before it are carried out, and its keys are there.
    mutating func hold(_ step: ChannelEngine.Waiting.Step, decidedAt: MediaTime) {
        switch step {
        case .slots: hasDecided = true
        case .end: isEnded = true
        case .declare, .part: break
        }
        waiting.append(ChannelEngine.Waiting(step: step, decidedAt: decidedAt))
    }

    /// Replaces a decision that waits by one that names its keys.
    mutating func protect(_ index: Int, _ step: ChannelEngine.Waiting.Step) { waiting[index].step = step }

    /// Removes the oldest decisions, which are carried out now.
    mutating func release(_ count: Int) -> ArraySlice<ChannelEngine.Waiting> {
        let released = waiting.prefix(count)
        waiting.removeFirst(count)
        return released
    }

    /// Adds an action to carry out at once.
    mutating func emit(_ action: ChannelEngine.Action) { actions.append(action) }

    /// Removes the newest actions.
    ///
    /// - Parameter count: The number of those that stay.
    /// - Returns: The reports among those that are removed.
    mutating func takeReports(after count: Int) -> [ChannelEngine.Report] {
        defer { actions.removeSubrange(count...) }
        return actions[count...].compactMap { if case .report(let report) = $0 { report } else { nil } }
    }

    /// Removes all actions.
    mutating func takeActions() -> [ChannelEngine.Action] {
        defer { actions = [] }
        return actions
    }
}
