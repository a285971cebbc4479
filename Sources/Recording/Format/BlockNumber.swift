import MediaCore

/// The number of a block of slots, counted from slot 0: the name of its directory.
struct BlockNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    let value: Int64

    /// The number of slots in a block: as many as a playlist compresses at once.
    static let length: Int64 = 256

    init(of number: MediaSequenceNumber) { value = number.value / Self.length }

    /// - Parameter name: The name of a directory. The result is nil if it is not that of a block.
    init?(name: String) {
        guard let value = Int64(name), (0...1 << 29).contains(value), String(value) == name else { return nil }
        self.value = value
    }

    var numbers: Range<MediaSequenceNumber> {
        MediaSequenceNumber(value * Self.length)..<MediaSequenceNumber((value + 1) * Self.length)
    }

    var next: Self { Self(of: numbers.upperBound) }

    var description: String { String(value) }

    static func < (lhs: Self, rhs: Self) -> Bool { lhs.value < rhs.value }
}

extension Range<MediaSequenceNumber> {
    /// The slots by block, in order.
    var byBlock: some Sequence<(block: BlockNumber, numbers: Range<MediaSequenceNumber>)> {
        sequence(state: self) { rest -> (block: BlockNumber, numbers: Range<MediaSequenceNumber>)? in
            guard !rest.isEmpty else { return nil }
            let block = BlockNumber(of: rest.lowerBound)
            let members = rest.clamped(to: block.numbers)
            rest = members.upperBound..<rest.upperBound
            return (block, members)
        }
    }
}

/// The blocks of a recording, which are in order.
extension [BlockNumber] {
    /// Returns true if a block is one of them.
    func has(_ block: BlockNumber) -> Bool {
        let index = index(notBefore: block)
        return index < endIndex && self[index] == block
    }

    /// Returns the index of the first that is not before another.
    func index(notBefore block: BlockNumber) -> Int { partitioningIndex { $0 >= block } }
}
