extension ChannelStatus {
    /// Published media held in memory.
    package struct Memory: Hashable, Codable, Sendable {
        package var bytes: Int
        var limit: Int
        /// Segments that were removed before slow players had them.
        var droppedEarly: Int
        /// The shortage in one phrase; nil if everything fits.
        var problem: String?

        package init(bytes: Int, limit: Int, droppedEarly: Int = 0, problem: String? = nil) {
            self.bytes = bytes
            self.limit = limit
            self.droppedEarly = droppedEarly
            self.problem = problem
        }
    }
}
