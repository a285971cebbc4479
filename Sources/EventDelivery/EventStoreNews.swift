/// News of the database of events, for operators; its description is a sentence.
package enum EventStoreNews: Hashable, Sendable, CustomStringConvertible {
    /// Events cannot be kept from here on.
    case began(reason: String)
    /// Events are stored again, except those that memory could not hold meanwhile.
    case ended(lost: Int)
    /// The old database cannot be read: it lies beside the new one.
    case setAside(path: String, reason: String)
    /// The events of another directory are here now.
    case tookAlong(path: String)
    /// The events of another directory stay there.
    case left(path: String, reason: String)

    package var description: String {
        switch self {
        case .began(let reason): "events are in memory alone, and not kept on disk: \(reason)"
        case .ended(0): "events are kept on disk again, all of them"
        case .ended(let lost): "events are kept on disk again; \(lost) that came meanwhile are not"
        case .setAside(let path, let reason):
            "the event database is damaged: it is set aside as \(path), and a new one is begun: \(reason)"
        case .tookAlong(let path):
            "events, and posts that wait for webhooks, are copied to the new state directory: \(path) is no longer used"
        case .left(let path, let reason):
            "events, and posts that wait for webhooks, stay in \(path), and new ones are kept elsewhere: \(reason)"
        }
    }
}
