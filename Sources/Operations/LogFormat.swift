/// The format of the lines of a log.
package enum LogFormat: String, Hashable, Sendable, CaseIterable {
    /// For people: time, level, message, `key=value`.
    case text
    /// For programs: one JSON object (RFC 8259) a line.
    case json
}
