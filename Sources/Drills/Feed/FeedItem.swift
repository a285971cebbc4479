import MediaCore

/// The next thing that a generated feed does.
enum FeedItem: Hashable, Sendable {
    case event(FeedEvent)
    case datagram(Datagram)
    /// A packet or datagram that was sent does not arrive, or not yet: a fault keeps it.
    case dropped(MediaTime)

    /// The time since the start of the drill.
    var time: MediaTime {
        switch self {
        case .event(let event): event.time
        case .datagram(let datagram): datagram.time
        case .dropped(let time): time
        }
    }
}
