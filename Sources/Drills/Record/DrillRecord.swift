/// The record of a drill: all observations, from which measurements are computed.
///
/// Times are milliseconds since the drill's zero, and negative before it.
struct DrillRecord: Hashable, Codable, Sendable {
    /// UTC of zero, as in ISO 8601.
    var zero: String
    /// The time from the first start of anything to the end.
    var span: Span
    /// Seconds (EXT-X-TARGETDURATION); 0 if no playlist was seen.
    var targetDuration: Int
    /// The parts that faults can be done to, in the order in which they are shown.
    var parts: [Part] = []
    var renditions: [Rendition] = []
    /// The times when the programme was left, as the encoders meant it.
    var breaks: [Span] = []
    /// The date ranges that announced the breaks to players.
    var ranges: [Range] = []
    var events: [Event] = []
    /// True if the events of all packagers were read; without them, switches and fillers are not known.
    var hasEvents = true
    var player = Player()
    /// Times that playlists went without a change, each to the request that ended or confirmed it.
    var ages: [Age] = []
    var violations: [Finding] = []
    /// The differences between the members of a pair; nil if there is no pair.
    var differences: [Finding]?
    /// Sequence numbers that came with other bytes than before.
    var reuses: [Finding] = []
    /// The requests of the audience, and those that were not answered as they should be; nil if there is none.
    var audience: Audience?

    init(zero: String, span: Span, targetDuration: Int = 0) {
        self.zero = zero
        self.span = span
        self.targetDuration = targetDuration
    }

    /// An encoder or a packager.
    struct Part: Hashable, Codable, Sendable {
        /// `input-1`, `backup-1`, `packager-1`.
        var name: String
        var faults: [Fault] = []
    }

    struct Fault: Hashable, Codable, Sendable {
        var title: String
        var start: Int
        /// The end of the fault; nil if it never ends or is instantaneous.
        var end: Int?
        /// True if it is over as soon as it begins.
        var isInstant = false
    }

    struct Rendition: Hashable, Codable, Sendable {
        var name: String
        var isVideo: Bool
        /// The slots in the order of their numbers.
        var slots: [Slot] = []
    }

    /// A segment as it was listed.
    struct Slot: Hashable, Codable, Sendable {
        var number: Int
        /// The time by EXT-X-PROGRAM-DATE-TIME.
        var span: Span
        var kind: Kind
        var isDiscontinuity = false
        /// The time when it was first seen in a playlist.
        var listed: Int

        enum Kind: String, Codable, Sendable {
            case media, gap, filler
        }
    }

    /// A break as playlists tell of it (EXT-X-DATERANGE).
    struct Range: Hashable, Codable, Sendable {
        var id: String
        var start: Int
        /// The end of the break; nil if no playlist has given it.
        var end: Int?
        /// The time when it was first seen in a playlist.
        var listed: Int
    }

    /// An event of a packager, or of the drill itself.
    struct Event: Hashable, Codable, Sendable {
        var time: Int
        /// The source of the event: `packager-1`, `drill`, `player`.
        var source: String
        /// The name in the control API.
        var kind: String
        var input: String?
        /// The names of the renditions that it concerns.
        var renditions: [String] = []
        var slot: Int?
        var message: String

        /// True for an event of this rendition, or of the whole channel.
        func concerns(_ rendition: String) -> Bool { renditions.isEmpty || renditions.contains(rendition) }
    }

    struct Player: Hashable, Codable, Sendable {
        /// The time when the first picture was there; nil: never.
        var started: Int?
        var buffer: [BufferLevel] = []
        var stalls: [Span] = []
        var jumps: [Jump] = []
    }

    struct BufferLevel: Hashable, Codable, Sendable {
        var time: Int
        /// The media ahead of the playhead, in milliseconds.
        var level: Int
    }

    /// Media time that the player passed over.
    struct Jump: Hashable, Codable, Sendable {
        var time: Int
        /// Milliseconds.
        var length: Int
    }

    struct Age: Hashable, Codable, Sendable {
        var time: Int
        var rendition: String
        /// Milliseconds.
        var age: Int
    }

    /// The counts of a crowd of viewers.
    struct Audience: Hashable, Codable, Sendable {
        var viewers: Int
        var requests: Int
        var failures: [Finding]
    }

    /// A fault that was found.
    struct Finding: Hashable, Codable, Sendable {
        /// The time of the fault; nil if it has none.
        var time: Int?
        var message: String
    }
}
