import MediaCore

extension FeedEvent {
    /// Everything that is known of a feed beforehand, in order.
    static func events(of schedule: FeedSchedule, lives: [EncoderLife]) -> [FeedEvent] {
        var events: [FeedEvent] = []
        for scheduled in schedule.faults {
            events.append(FeedEvent(time: scheduled.start, kind: .faultBegan(scheduled.fault)))
            if let end = scheduled.end { events.append(FeedEvent(time: end, kind: .faultEnded(scheduled.fault))) }
        }
        for life in lives {
            events.append(FeedEvent(time: life.start, kind: .encoderStarted))
            if let end = life.end { events.append(FeedEvent(time: end, kind: .encoderEnded)) }
        }
        return events.sorted { ($0.time, $0.rank) < ($1.time, $1.rank) }
    }

    /// The order of what happens at once: causes before effects.
    private var rank: Int {
        switch kind {
        case .faultBegan: 0
        case .encoderEnded: 1
        case .faultEnded: 2
        default: 3
        }
    }
}
