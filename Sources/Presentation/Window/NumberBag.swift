import MediaCore

/// A multiset of numbers.
struct NumberBag: Sendable {
    private(set) var numbers: Set<MediaSequenceNumber> = []
    private var counts: [MediaSequenceNumber: Int] = [:]

    mutating func add(_ number: MediaSequenceNumber) {
        counts[number, default: 0] += 1
        numbers.insert(number)
    }

    mutating func remove(_ number: MediaSequenceNumber) {
        guard let count = counts[number] else { return }
        counts[number] = count > 1 ? count - 1 : nil
        if count <= 1 { numbers.remove(number) }
    }
}
