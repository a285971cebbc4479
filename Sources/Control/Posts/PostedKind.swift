package import MediaCore
package import NIOCore
package import Operations

/// The kinds of posts that a channel puts on air; the raw value is the last component of the path.
package enum PostedKind: String, CaseIterable, Sendable {
    case splices, dateranges, metadata, cues

    /// Reads a body of this kind.
    ///
    /// - Parameters:
    ///   - json: The body of a request.
    ///   - now: The time of "now", in UTC.
    /// - Returns: In order.
    /// - Throws: ``MalformedRequest`` with all problems.
    package func contents(json: ByteBuffer, now: MediaTime) throws(MalformedRequest) -> [ScheduleAction.Content] {
        switch self {
        case .splices: try PostedSplice.posted(json: json, now: now).map(\.content)
        case .dateranges: try DateRangeCommand.posted(json: json, now: now).map(\.content)
        case .metadata: try PostedMetadata.posted(json: json, now: now).map(\.content)
        case .cues: [try CueCommand(json: json, now: now).content]
        }
    }
}
