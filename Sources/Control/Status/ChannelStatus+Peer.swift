extension ChannelStatus {
    /// The other packager of a pair.
    package struct Peer: Hashable, Codable, Sendable {
        var url: String
        /// The problem in one phrase; nil if the peer answered the last request.
        var problem: String?

        package init(url: String, problem: String? = nil) {
            self.url = url
            self.problem = problem
        }
    }
}
