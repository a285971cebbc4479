extension ChannelStatus {
    /// The state of what is kept on a disk: the journal, or the files of `--output`.
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
