package import MediaCore

/// A choice of events, by channel, kind, time and text.
package struct EventFilter: Hashable, Sendable {
    /// The channels; an empty set stands for all.
    package var channels: Set<String> = []
    /// The kinds; an empty set stands for all.
    package var kinds: Set<ChannelEvent.Kind> = []
    /// The start of the range, in UTC.
    package var from: MediaTime?
    /// The end of the range, in UTC; exclusive.
    package var to: MediaTime?
    /// A text that messages contain; the case of Latin letters does not matter.
    package var text: String?

    package init() {}

    package func matches(_ event: ChannelEvent) -> Bool {
        guard channels.isEmpty || channels.contains(event.channel), kinds.isEmpty || kinds.contains(event.kind) else {
            return false
        }
        // To the millisecond, as events are delivered and stored.
        if let from, event.time.milliseconds < from.milliseconds { return false }
        if let to, event.time.milliseconds >= to.milliseconds { return false }
        return text.map { Self.lowercased(event.message).contains(Self.lowercased($0)) } ?? true
    }

    /// Lower case as SQLite's LIKE has it: ASCII alone has cases.
    private static func lowercased(_ text: String) -> [UInt8] {
        text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }
}

extension [UInt8] {
    fileprivate func contains(_ part: [UInt8]) -> Bool {
        guard let first = part.first else { return true }
        guard count >= part.count else { return false }
        return (0...count - part.count).contains { self[$0] == first && self[$0..<$0 + part.count].elementsEqual(part) }
    }
}
