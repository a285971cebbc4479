/// One feed of a channel: an input or a backup.
package struct InputID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The index, from 0 on, of the channel's input that it is or backs up.
    package var position: Int
    /// The preference: 0 for the input itself, and above it for backups, of which a lower one is preferred.
    package var rank: Int
    /// The name for operators: `input-1`, `backup-1`.
    package var description: String

    private init(position: Int, rank: Int, description: String) {
        self.position = position
        self.rank = rank
        self.description = description
    }

    /// Returns the i-th of the inputs, from 0 on.
    package static func input(_ index: Int) -> InputID {
        InputID(position: index, rank: 0, description: "input-\(index + 1)")
    }

    /// Returns the i-th of the backups, from 0 on; where there are more of them than inputs, they start over with the
    /// first.
    package static func backup(_ index: Int, inputCount: Int) -> InputID {
        InputID(position: index % inputCount, rank: index / inputCount + 1, description: "backup-\(index + 1)")
    }

    /// The schedule of people and programs, which is no feed.
    package static let schedule = InputID(position: -1, rank: 0, description: "schedule")

    package static func < (lhs: Self, rhs: Self) -> Bool {
        (lhs.position, lhs.rank) < (rhs.position, rhs.rank)
    }
}
