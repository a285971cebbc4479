extension ChannelStatus {
    /// The state of files on a disk: those of the journal, or of `--output`.
    package struct Storage: Hashable, Codable, Sendable {
        var isHealthy: Bool
        /// The problem in one phrase.
        var problem: String?

        package init(isHealthy: Bool, problem: String? = nil) {
            self.isHealthy = isHealthy
            self.problem = problem
        }

        private enum CodingKeys: String, CodingKey {
            case isHealthy = "healthy"
            case problem
        }
    }
}
