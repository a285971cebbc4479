/// The format of the lines of a log.
package enum LogFormat: String, Hashable, Sendable, CaseIterable {
    /// A line for people: time, level, message, `key=value`.
    case text
    /// A line for programs: one JSON object (RFC 8259).
    case json
}
