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
        /// Slots that were removed before their time for want of room, since the start.
        var removedEarly: Int
        /// Slots that viewers had before they were written, since the start.
        var late: Int
        /// Slots that were not written, since the start.
        var lost: Int

        package init(
            isHealthy: Bool,
            problem: String? = nil,
            bytes: Int,
            start: Timestamp? = nil,
            end: Timestamp? = nil,
            removedEarly: Int = 0,
            late: Int = 0,
            lost: Int = 0
        ) {
            self.isHealthy = isHealthy
            self.problem = problem
            self.bytes = bytes
            self.start = start
            self.end = end
            self.removedEarly = removedEarly
            self.late = late
            self.lost = lost
        }

        private enum CodingKeys: String, CodingKey {
            case isHealthy = "healthy"
            case problem, bytes, start, end, removedEarly, late, lost
        }
    }
}
