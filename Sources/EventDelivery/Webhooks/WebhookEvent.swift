/// News of a webhook, for operators; its description is a sentence that its name stands before.
package enum WebhookEvent: Hashable, Sendable, CustomStringConvertible {
    /// Deliveries fail from here on; events wait.
    case began(reason: String)
    /// The receiver does not accept an event, and never will.
    case refuses(reason: String)
    /// Events arrive again; so many were not delivered meanwhile, and will not be.
    case ended(lost: Int)
    /// The number of events that came while the receiver accepted none, and are neither in memory nor on disk.
    case missed(Int)
    /// The receiver wants no more events.
    case gone

    package var description: String {
        switch self {
        case .began(let reason): "accepts no events, which wait for it: \(reason)"
        case .refuses(let reason): "refuses events, and they are not sent again: \(reason)"
        case .ended(0): "accepts events again, and has missed none"
        case .ended(let lost):
            "accepts events again, but has missed \(lost) that it refused, or did not accept for a day"
        case .missed(let count): "has missed \(count) events: too many came while it accepted none"
        case .gone: "has answered 410 (gone), and gets no events until the configuration is reloaded"
        }
    }
}
