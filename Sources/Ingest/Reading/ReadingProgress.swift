import Synchronization

/// The part that a reader has read of a feed whose length is known.
package final class ReadingProgress: Sendable {
    /// The length of the feed, in bytes; 0 if unknown.
    private let length = Atomic(0)
    private let position = Atomic(0)

    /// The part that was read, from 0 to 1; nil if that is not known.
    package var fraction: Double? {
        let length = length.load(ordering: .relaxed)
        return length > 0 ? min(1, Double(position.load(ordering: .relaxed)) / Double(length)) : nil
    }

    /// Notes a feed that was opened.
    ///
    /// - Parameter byteCount: Its length; nil if that is not known.
    func began(byteCount: Int64?) {
        length.store(Int(byteCount ?? 0), ordering: .relaxed)
        position.store(0, ordering: .relaxed)
    }

    /// Notes a packet; one of unknown place says nothing, nor does one that lies before others.
    func reached(_ place: Int64?) {
        if let place, place > position.load(ordering: .relaxed) { position.store(Int(place), ordering: .relaxed) }
    }
}
