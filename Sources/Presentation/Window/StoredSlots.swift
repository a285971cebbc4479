import MediaCore

/// The slots that have left memory for a ``BodyStore``: all up to one of them, except those that it lacks.
struct StoredSlots: Sendable {
    /// The newest slot for which the store was asked.
    private(set) var last: MediaSequenceNumber?
    private var lacking: Set<MediaSequenceNumber> = []

    func contains(_ number: MediaSequenceNumber) -> Bool {
        last.map { number <= $0 } ?? false && !lacking.contains(number)
    }

    /// Notes a slot that is newer than all before.
    mutating func note(_ number: MediaSequenceNumber, isStored: Bool) {
        last = number
        if !isStored { lacking.insert(number) }
    }

    /// Forgets a slot that is no longer served.
    mutating func forget(_ number: MediaSequenceNumber) {
        lacking.remove(number)
    }
}
