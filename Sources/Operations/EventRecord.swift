import MediaCore
import Playlists

/// An event in JSON, without the fields that do not concern it.
package struct EventRecord: Hashable, Codable, Sendable {
    package var number: Int
    package var time: Timestamp
    package var channel: String
    package var kind: String
    /// `info`, `warning` or `error`.
    package var severity: String
    package var input: String?
    package var renditions: [String]?
    package var slot: Int64?
    package var message: String

    package init(_ entry: EventLog.Entry) {
        let event = entry.event
        number = entry.number
        time = Timestamp(event.time)
        channel = event.channel
        kind = event.kind.rawValue
        severity = event.severity.rawValue
        input = event.input
        renditions = event.renditions.isEmpty ? nil : event.renditions.map(\.name)
        slot = event.slot?.value
        message = event.message
    }
}
