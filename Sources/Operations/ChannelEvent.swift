package import MediaCore
package import Playlists

/// An event that an operator wants to know of, with its time and place.
package struct ChannelEvent: Hashable, Sendable {
    /// UTC.
    package var time: MediaTime
    package var channel: String
    package var kind: Kind
    package var severity: Severity
    /// `input-1`, `backup-1`; nil if it concerns none.
    package var input: String?
    /// The renditions that it concerns, in their order.
    package var renditions: [RenditionID]
    package var slot: MediaSequenceNumber?
    /// The message, in one sentence.
    package var message: String

    /// The kinds, whose raw values are their names in the control API.
    package enum Kind: String, Sendable, CaseIterable {
        case inputOpened = "input-opened"
        case inputLost = "input-lost"
        /// A lost input is back, and viewers have media again.
        case inputReturned = "input-returned"
        case inputEnded = "input-ended"
        /// A part of an input cannot be used.
        case inputProblem = "input-problem"
        /// An input has other tracks, or a rendition is no longer made of any.
        case tracks
        /// An input's health has crossed a threshold.
        case inputHealth = "input-health"
        /// Renditions have media for the first time.
        case onAir = "on-air"
        /// Another input fills renditions' slots from here on.
        case switched
        /// Renditions have no media from here on.
        case gap
        /// Renditions have media again.
        case media
        /// The programme is spliced: a segment begins with it, or cannot.
        case splice
        /// A prepared file or the last picture stands in for media from here on.
        case filler
        case discontinuity
        /// A backup's place relative to its primary was found or assumed.
        case aligned
        /// The place of an input in time by its arrival: in sync with others, or too fast or too slow.
        case timing
        /// An operator chose an input, or ended the choice.
        case selected
        /// The window of an earlier run, or of a peer, was taken over.
        case restored
        /// The peer has another configuration.
        case peer
        /// The journal could not be written, or can be again.
        case journal
        /// The recording could not be written or read, or can be again.
        case recording
        /// The files of `--output` could not be written, or can be again.
        case output
        /// A destination of `--push` takes nothing, or takes everything again.
        case push
        /// Memory is scarce, or no longer.
        case memory
        /// The machine's clock was set.
        case clock
        /// A content key is missing, or there again.
        case keys
        /// The origin began or ceased to answer 503.
        case endpoint
        /// The configuration was reloaded.
        case configuration
        /// The configuration was to be read again or changed, and was refused.
        case configurationRefused = "configuration-refused"
        /// A client of the control API has selected an input or posted something.
        case command
        /// The control API has refused a client: 401 or 403.
        case accessRefused = "access-refused"
        /// A server has as many connections as it may have, or no longer.
        case connections
        /// A publisher of an input's feed was refused.
        case publisherRefused = "publisher-refused"
        /// Events are not kept on disk, or are again.
        case events
        /// A webhook takes no events, or takes them again.
        case webhook
    }

    /// The channel of events that concern the whole process; no channel can have this name.
    package static let allChannels = "*"

    /// - Parameters:
    ///   - time: UTC.
    ///   - channel: Its name, or ``allChannels``.
    ///   - kind: The kind of event.
    ///   - severity: The severity; nil for the usual one of its kind.
    ///   - input: The input that it concerns.
    ///   - renditions: The renditions that it concerns.
    ///   - slot: The slot that it concerns.
    ///   - message: One sentence.
    package init(
        time: MediaTime,
        channel: String,
        kind: Kind,
        severity: Severity? = nil,
        input: String? = nil,
        renditions: [RenditionID] = [],
        slot: MediaSequenceNumber? = nil,
        message: String
    ) {
        self.time = time
        self.channel = channel
        self.kind = kind
        self.severity = severity ?? kind.usualSeverity
        self.input = input
        self.renditions = renditions
        self.slot = slot
        self.message = message
    }
}
