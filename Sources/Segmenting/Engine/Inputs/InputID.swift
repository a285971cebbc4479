/// One feed of a channel: an input, or one that stands by for it.
package struct InputID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Which of the channel's inputs it is or stands by for, from 0 on.
    package var position: Int
    /// 0 for the input itself; above, the later the less it is preferred.
    package var rank: Int
    /// What operators call it: `input-1`, `backup-1`.
    package var description: String

    private init(position: Int, rank: Int, description: String) {
        self.position = position
        self.rank = rank
        self.description = description
    }

    /// The i-th of the inputs, from 0 on.
    package static func input(_ index: Int) -> InputID {
        InputID(position: index, rank: 0, description: "input-\(index + 1)")
    }

    /// The i-th of the backups, from 0 on; where there are more of them than inputs, they start over with the first.
    package static func backup(_ index: Int, inputCount: Int) -> InputID {
        InputID(position: index % inputCount, rank: index / inputCount + 1, description: "backup-\(index + 1)")
    }

    /// What people or programs say, and no feed does.
    package static let schedule = InputID(position: -1, rank: 0, description: "schedule")

    package static func < (lhs: Self, rhs: Self) -> Bool {
        (lhs.position, lhs.rank) < (rhs.position, rhs.rank)
    }
}
