package import MediaCore
package import Operations

/// The state of a channel, as the control API shows it.
///
/// Unknown values are left out.
package struct ChannelStatus: Hashable, Codable, Sendable {
    package var name: String
    package var state: State
    /// UTC of the end of the newest segment.
    var liveEdge: Timestamp?
    /// The distance of the live edge behind the present.
    var liveEdgeAge: Seconds?
    /// Health, 0 to 100.
    var score: Int
    /// The reasons why the score is below 100, one phrase each.
    var reasons: [String]
    /// The conditions for which its playlists are withheld now.
    var failures: [FailureCondition]
    var inputs: [Input]
    package var renditions: [Rendition]
    var selection: Selection
    package var memory: Memory?
    var journal: Storage?
    package var recording: Recording?
    /// The files of `--output`.
    package var output: Storage?
    /// The destinations of `--push`; nil if there are none.
    package var push: [Destination]?
    package var peer: Peer?
    /// The viewers who load from this origin.
    package var audience: Audience?

    package enum State: String, Hashable, Codable, Sendable {
        /// No slot is published yet.
        case starting
        case live
        case ended
    }

    package init(
        name: String,
        state: State,
        liveEdge: Timestamp? = nil,
        liveEdgeAge: Seconds? = nil,
        score: Int,
        reasons: [String] = [],
        failures: [FailureCondition] = [],
        inputs: [Input],
        renditions: [Rendition],
        selection: Selection,
        memory: Memory? = nil,
        journal: Storage? = nil,
        recording: Recording? = nil,
        output: Storage? = nil,
        push: [Destination]? = nil,
        peer: Peer? = nil
    ) {
        self.name = name
        self.state = state
        self.liveEdge = liveEdge
        self.liveEdgeAge = liveEdgeAge
        self.score = score
        self.reasons = reasons
        self.failures = failures
        self.inputs = inputs
        self.renditions = renditions
        self.selection = selection
        self.memory = memory
        self.journal = journal
        self.recording = recording
        self.output = output
        self.push = push
        self.peer = peer
    }
}
