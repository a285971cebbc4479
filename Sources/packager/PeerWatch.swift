import Control
import Logging
import Synchronization

/// Hears of a channel's peer, for the log and the operator face.
final class PeerWatch: Sendable {
    let url: String
    private let logger: Logger
    private let problem = Mutex<String?>(nil)

    init(url: String, logger: Logger) {
        self.url = url
        self.logger = logger
    }

    /// What the operator face says of it.
    var status: ChannelStatus.Peer { ChannelStatus.Peer(url: url, problem: problem.withLock { $0 }) }

    /// Takes note of how asking it went.
    ///
    /// - Parameter problem: One phrase; nil where it answered.
    func note(_ problem: String?) {
        let isNews = self.problem.withLock { known in
            defer { known = problem }
            return known != problem
        }
        // It is asked many times a second.
        guard isNews, let problem else { return }
        logger.warning("peer", metadata: ["url": "\(url)", "problem": "\(problem)"])
    }
}
