/// News of the database of events, for operators; its description is a sentence.
package enum EventStoreEvent: Hashable, Sendable, CustomStringConvertible {
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
        case .began(let reason): "events are only in memory, and not kept on disk: \(reason)"
        case .ended(0): "events are kept on disk again, all of them"
        case .ended(let lost): "events are kept on disk again, but not \(lost) that came in the meantime"
        case .setAside(let path, let reason):
            "the event database is damaged: it was renamed to \(path), and a new one begun: \(reason)"
        case .tookAlong(let path):
            "events, and posts that wait for webhooks, were copied to the new state directory: \(path) is not used any more"
        case .left(let path, let reason):
            "earlier events, and posts that wait for webhooks, stay in \(path), and new ones are kept elsewhere: \(reason)"
        }
    }
}
