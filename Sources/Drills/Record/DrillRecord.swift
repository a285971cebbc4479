/// What happened in a drill, as far as it could be seen: the raw material of all measurements.
///
/// Times are milliseconds since the drill's zero, and negative before it.
package struct DrillRecord: Hashable, Codable, Sendable {
    /// UTC of zero, as in ISO 8601.
    var zero: String
    /// From the first start of anything to the end.
    var span: Span
    /// Seconds (EXT-X-TARGETDURATION); 0 where no playlist was seen.
    var targetDuration: Int
    /// What faults can be done to, in the order in which they are shown.
    package var parts: [Part] = []
    package var renditions: [Rendition] = []
    /// When the programme was left, as the encoders meant it.
    var breaks: [Span] = []
    /// What players were told of that.
    package var ranges: [Range] = []
    var events: [Event] = []
    var player = Player()
    /// Times that playlists went without a change, each to the request that ended or confirmed it.
    var ages: [Age] = []
    var violations: [Finding] = []
    /// Where the members of a pair differ; nil where there is no pair.
    var differences: [Finding]?
    /// Sequence numbers that came with other bytes than before.
    var reuses: [Finding] = []
    /// What the audience asked for, and what of that was not answered as it should be; nil where there is none.
    var audience: Audience?

    init(zero: String, span: Span, targetDuration: Int = 0) {
        self.zero = zero
        self.span = span
        self.targetDuration = targetDuration
    }

    /// An encoder or a packager.
    package struct Part: Hashable, Codable, Sendable {
        /// `input-1`, `backup-1`, `packager-1`.
        package var name: String
        var faults: [Fault]

        package init(name: String, faults: [Fault] = []) {
            self.name = name
            self.faults = faults
        }
    }

    package struct Fault: Hashable, Codable, Sendable {
        var title: String
        package var start: Int
        /// Nil: it stays, or is over at once.
        package var end: Int?
        /// Whether it is over as soon as it begins.
        var isInstant: Bool

        package init(title: String, start: Int, end: Int?, isInstant: Bool = false) {
            self.title = title
            self.start = start
            self.end = end
            self.isInstant = isInstant
        }
    }

    package struct Rendition: Hashable, Codable, Sendable {
        package var name: String
        var isVideo: Bool
        /// In order of their numbers.
        package var slots: [Slot]

        package init(name: String, isVideo: Bool, slots: [Slot] = []) {
            self.name = name
            self.isVideo = isVideo
            self.slots = slots
        }
    }

    /// A segment as it was listed.
    package struct Slot: Hashable, Codable, Sendable {
        package var number: Int
        /// By EXT-X-PROGRAM-DATE-TIME.
        var span: Span
        package var kind: Kind
        var isDiscontinuity: Bool
        /// When it was first seen in a playlist.
        package var listed: Int

        package enum Kind: String, Codable, Sendable {
            case media, gap, filler
        }

        package init(number: Int, span: Span, kind: Kind, isDiscontinuity: Bool = false, listed: Int) {
            self.number = number
            self.span = span
            self.kind = kind
            self.isDiscontinuity = isDiscontinuity
            self.listed = listed
        }
    }

    /// A break as playlists tell of it (EXT-X-DATERANGE).
    package struct Range: Hashable, Codable, Sendable {
        package var id: String
        package var start: Int
        /// Nil where nobody has said that it is over.
        package var end: Int?
        /// When it was first seen in a playlist.
        package var listed: Int

        package init(id: String, start: Int, end: Int? = nil, listed: Int) {
            (self.id, self.start, self.end, self.listed) = (id, start, end, listed)
        }
    }

    /// What a packager told its operator, or the drill did.
    package struct Event: Hashable, Codable, Sendable {
        package var time: Int
        /// Who says so: `packager-1`, `drill`, `player`.
        package var source: String
        /// As the operator's API calls it.
        package var kind: String
        var input: String?
        /// The names of the renditions that it concerns.
        package var renditions: [String] = []
        package var slot: Int?
        var message: String

        /// True for an event of this rendition, or of the whole channel.
        func concerns(_ rendition: String) -> Bool { renditions.isEmpty || renditions.contains(rendition) }
    }

    package struct Player: Hashable, Codable, Sendable {
        /// When the first picture was there; nil: never.
        var started: Int?
        package var buffer: [BufferLevel] = []
        var stalls: [Span] = []
        var jumps: [Jump] = []

        init() {}
    }

    package struct BufferLevel: Hashable, Codable, Sendable {
        package var time: Int
        /// Milliseconds of media ahead of what is played.
        var level: Int

        package init(time: Int, level: Int) {
            self.time = time
            self.level = level
        }
    }

    /// Media time that the player passed over.
    package struct Jump: Hashable, Codable, Sendable {
        package var time: Int
        /// Milliseconds.
        var length: Int

        package init(time: Int, length: Int) {
            self.time = time
            self.length = length
        }
    }

    package struct Age: Hashable, Codable, Sendable {
        package var time: Int
        package var rendition: String
        /// Milliseconds.
        var age: Int

        package init(time: Int, rendition: String, age: Int) {
            self.time = time
            self.rendition = rendition
            self.age = age
        }
    }

    /// Many viewers together.
    package struct Audience: Hashable, Codable, Sendable {
        var viewers: Int
        var requests: Int
        var failures: [Finding]
    }

    /// Something that is not as it should be.
    package struct Finding: Hashable, Codable, Sendable {
        /// Nil where it is about no moment.
        package var time: Int?
        var message: String

        package init(time: Int?, message: String) {
            self.time = time
            self.message = message
        }
    }
}
