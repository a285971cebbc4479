import MediaCore

/// The tags of an input that have not been published, in the order in which they came.
struct TimedTags: Sendable {
    private var tags: [TimedTag] = []

    /// The most tags, more than any programme has in the seconds for which they wait; beyond it the oldest go.
    private static let most = 256

    mutating func append(_ tag: TimedTag) {
        if tags.count == Self.most { tags.removeFirst() }
        tags.append(tag)
    }

    /// Returns the tags that are due in a span of time, in order.
    func tags(in span: Range<MediaTime>) -> [TimedTag] {
        tags.filter { span.contains($0.utc) }.sorted { $0.utc < $1.utc }
    }

    mutating func discard(before utc: MediaTime) {
        tags.removeAll { $0.utc < utc }
    }
}
