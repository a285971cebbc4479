extension ChannelStatus {
    /// The other packager of a pair.
    package struct Peer: Hashable, Codable, Sendable {
        package var url: String
        /// One phrase; nil where it answered when it was last asked.
        package var problem: String?

        package init(url: String, problem: String? = nil) {
            self.url = url
            self.problem = problem
        }
    }
}
