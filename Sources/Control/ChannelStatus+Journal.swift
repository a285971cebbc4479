extension ChannelStatus {
    /// Whether what must outlive the process is being written.
    package struct Journal: Hashable, Codable, Sendable {
        package var isHealthy: Bool
        /// One phrase.
        package var problem: String?

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
