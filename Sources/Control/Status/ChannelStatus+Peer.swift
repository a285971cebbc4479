extension ChannelStatus {
    /// The other packager of a pair.
    package struct Peer: Hashable, Codable, Sendable {
        var url: String
        /// One phrase; nil if it answered when it was last asked.
        var problem: String?

        package init(url: String, problem: String? = nil) {
            self.url = url
            self.problem = problem
        }
    }
}
