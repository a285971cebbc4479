package import Fetching
package import Logging
package import MediaCore
package import Operations
import Presentation
import Synchronization

/// Follows a channel's peer, for the log and the control API.
package final class PeerWatch: Sendable {
    package let url: String
    /// The token that is shown to the peer.
    let credentials: String
    /// The authorities for its certificate, one of which must have signed it; nil for the system's.
    let authorities: CertificateAuthorities?
    let channel: String
    /// Makes the beginning of paths of media with a pass; empty if they need none.
    let mediaPrefix: @Sendable () -> String
    private let events: EventLog
    private let clock: any UTCClock
    private let logger: Logger
    private let state = Mutex(State())

    private struct State {
        /// The reason why it does not answer.
        var silence: String?
        /// The problem of its answers.
        var problem: String?
        /// The differences of its configuration.
        var differences: String?
        /// The network of the address at which it was reached last; nil if it was not reached yet.
        var network: String?
    }

    /// - Parameters:
    ///   - url: Its origin.
    ///   - credentials: The token that is shown to the peer.
    ///   - authorities: The authorities for its certificate, one of which must have signed it; nil for the system's.
    ///   - channel: The channel's name.
    ///   - mediaPrefix: Makes the beginning of paths of media, where they need a pass.
    ///   - events: The log that gets the differences.
    ///   - clock: UTC.
    ///   - logger: Gets messages for operators.
    package init(
        url: String,
        credentials: String,
        authorities: CertificateAuthorities? = nil,
        channel: String,
        mediaPrefix: @escaping @Sendable () -> String = { "" },
        events: EventLog,
        clock: any UTCClock,
        logger: Logger
    ) {
        self.url = url
        self.credentials = credentials
        self.authorities = authorities
        self.channel = channel
        self.mediaPrefix = mediaPrefix
        self.events = events
        self.clock = clock
        self.logger = logger
    }

    /// The problem that an operator has to know of, in one phrase; nil if all is well.
    package var problem: String? {
        let state = state.withLock { $0 }
        return state.silence ?? state.problem ?? state.differences
    }

    /// Returns true if a client's address is that at which the peer was reached last, or of the same /64 network of
    /// IPv6.
    package func isReached(at address: String) -> Bool {
        let network = AddressRange.network(of: address)
        return state.withLock { $0.network == network }
    }

    /// Notes the address of a connection to it.
    func reached(at address: String) {
        let network = AddressRange.network(of: address)
        state.withLock { $0.network = network }
    }

    /// Notes if the peer answers.
    ///
    /// - Parameter reason: The reason why it does not, in one phrase; nil if it does.
    func noteSilence(_ reason: String?) {
        guard isNews(reason, \.silence) else { return }
        if let reason {
            logger.warning("peer unavailable", metadata: metadata(of: reason))
        } else {
            logger.notice("peer available again", metadata: subject)
        }
    }

    /// Notes the peer's answer.
    ///
    /// - Parameter problem: One phrase; nil if all is well.
    package func note(_ problem: String?) {
        guard isNews(problem, \.problem) else { return }
        if let problem {
            logger.warning("peer's window cannot be used", metadata: metadata(of: problem))
        } else {
            logger.notice("peer's window can be used again", metadata: subject)
        }
    }

    /// Notes a problem.
    ///
    /// - Returns: True if it has changed: there are many requests a second.
    private func isNews(_ problem: String?, _ field: WritableKeyPath<State, String?>) -> Bool {
        state.withLock { state in
            defer { state[keyPath: field] = problem }
            return state[keyPath: field] != problem
        }
    }

    private var subject: Logger.Metadata { ["channel": "\(channel)", "url": "\(url)"] }

    private func metadata(of problem: String) -> Logger.Metadata {
        subject.merging([
            "problem": "\(problem)", "viewers": "they lose nothing while this packager has its feed",
            "do": "check the other packager, and peer and key-secret on both",
        ]) { $1 }
    }

    /// Reports that it is configured differently, in settings that need not be equal.
    func noteDifferences(_ differences: [String]) {
        let list = differences.joined(separator: "; ")
        let text = differences.isEmpty ? nil : "it has another configuration: \(list)"
        state.withLock { $0.differences = text }
        guard let text else { return }
        let effect = "their playlists may differ until both have the same values"
        let what: Logger.Metadata = [
            "problem": "\(text)", "viewers": "\(effect)", "do": "give both packagers the same values",
        ]
        logger.warning("peer has another configuration", metadata: subject.merging(what) { $1 })
        let message = "The peer has another configuration: \(list); \(effect)."
        events.append(ChannelEvent(time: clock.now, channel: channel, kind: .peer, message: message))
    }
}
