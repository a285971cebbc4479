/// News of a webhook, for operators; its description is a sentence that its name stands before.
package enum WebhookNews: Hashable, Sendable, CustomStringConvertible {
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
        case .began(let reason): "takes no events, which wait for it: \(reason)"
        case .refuses(let reason): "refuses events, and they are not sent again: \(reason)"
        case .ended(0): "takes events again, and has missed none"
        case .ended(let lost):
            "takes events again, but will not get \(lost) that it has refused or not taken for a day"
        case .missed(let count): "will not get \(count) events: too many came while it took none"
        case .gone: "has answered 410 (gone), and gets nothing until the configuration is read again"
        }
    }
}
