package import MediaCore

/// One feed of a channel: an input or a backup.
package struct InputID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The position of the channel's input that it is or backs up.
    package var position: InputPosition
    /// The preference among the feeds of the position.
    package var rank: SourceRank
    /// The name for operators: `input-1`, `backup-1`.
    package var description: String

    private init(position: InputPosition, rank: SourceRank, description: String) {
        self.position = position
        self.rank = rank
        self.description = description
    }

    /// Returns the i-th of the inputs, from 0 on.
    package static func input(_ index: Int) -> InputID { input(at: InputPosition(index)) }

    /// Returns the input at a position.
    package static func input(at position: InputPosition) -> InputID {
        InputID(position: position, rank: .primary, description: "input-\(position.value + 1)")
    }

    /// Returns the i-th of the backups, from 0 on; if there are more of them than inputs, they start over with the
    /// first.
    package static func backup(_ index: Int, inputCount: Int) -> InputID {
        let rank = SourceRank.firstBackup.advanced(by: index / inputCount)
        return InputID(position: InputPosition(index % inputCount), rank: rank, description: "backup-\(index + 1)")
    }

    /// The schedule of people and programs, which is no feed.
    package static let schedule = InputID(position: InputPosition(-1), rank: .primary, description: "schedule")

    package static func < (lhs: Self, rhs: Self) -> Bool {
        (lhs.position, lhs.rank) < (rhs.position, rhs.rank)
    }
}
