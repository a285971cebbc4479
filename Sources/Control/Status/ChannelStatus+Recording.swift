package import Operations

extension ChannelStatus {
    /// The state of a recording.
    package struct Recording: Hashable, Codable, Sendable {
        var isHealthy: Bool
        /// The problem in one phrase.
        var problem: String?
        /// The bytes that it takes on the disk.
        package var bytes: Int
        /// UTC of the start of the oldest slot, and of the end of the newest; nil while there are none.
        var start: Timestamp?
        var end: Timestamp?
        /// Slots that a full disk removed before their time, since the start.
        var removedEarly: Int
        /// Slots that viewers had before they were written, since the start.
        var late: Int
        /// Slots that were not written, since the start.
        var lost: Int
        /// The holes that the other member of a pair fills; nil without one.
        var healing: Healing?

        package init(
            isHealthy: Bool,
            problem: String? = nil,
            bytes: Int,
            start: Timestamp? = nil,
            end: Timestamp? = nil,
            removedEarly: Int = 0,
            late: Int = 0,
            lost: Int = 0,
            healing: Healing? = nil
        ) {
            self.isHealthy = isHealthy
            self.problem = problem
            self.bytes = bytes
            self.start = start
            self.end = end
            self.removedEarly = removedEarly
            self.late = late
            self.lost = lost
            self.healing = healing
        }

        private enum CodingKeys: String, CodingKey {
            case isHealthy = "healthy"
            case problem, bytes, start, end, removedEarly, late, lost, healing
        }

        /// The holes of a recording that the other member of a pair fills.
        package struct Healing: Hashable, Codable, Sendable {
            /// Slots that were filled in since the start.
            var filled: Int
            /// Slots that are known to be incomplete now.
            var missing: Int
            /// Answers and segments of the peer that were refused since the start.
            var refused: Int
            /// The reason why healing waits, in one phrase.
            var problem: String?

            package init(filled: Int = 0, missing: Int = 0, refused: Int = 0, problem: String? = nil) {
                (self.filled, self.missing, self.refused, self.problem) = (filled, missing, refused, problem)
            }
        }
    }
}
