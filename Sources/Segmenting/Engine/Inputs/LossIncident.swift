import MediaCore

/// The loss of an input, from its last media until viewers have media of it or of its backup again.
struct LossIncident: Hashable, Sendable {
    /// The arrival of its last media.
    let since: MediaTime
    /// The time at which media came again; nil before.
    private(set) var returnedAt: MediaTime?
    /// The time without media for viewers, by its substitute.
    private var missed: [Substitute: MediaTime] = [:]
    /// The backups that have filled segments during the loss.
    private var backups: Set<InputID> = []

    /// The substitute in a segment that an input is missing from, the worst last.
    enum Substitute: Int, Hashable, Comparable, Sendable {
        case hold, slate, gap

        static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    init(since: MediaTime) {
        self.since = since
    }

    /// Notes that the input is lost again before viewers have had its media.
    mutating func lostAgain() { returnedAt = nil }

    /// Notes that media comes again; a second call changes nothing.
    mutating func returned(at now: MediaTime) { returnedAt = returnedAt ?? now }

    /// Notes a slot that is decided on.
    ///
    /// - Parameters:
    ///   - duration: The length of the slot.
    ///   - substitute: The worst substitute of any rendition; nil if all have media.
    ///   - backups: The inputs that fill it in place of the lost one.
    mutating func decided(_ duration: MediaTime, _ substitute: Substitute?, _ backups: Set<InputID>) {
        if let substitute { missed[substitute, default: .zero] += duration }
        self.backups.formUnion(backups)
    }

    /// The duration of the absence; nil while it lasts.
    var duration: MediaTime? { returnedAt.map { $0 - since } }

    /// The effect on viewers, as a sentence.
    var effect: String {
        let parts = missed.sorted { $0.key > $1.key }
            .map { substitute, time in
                switch substitute {
                case .gap: "gaps for \(time.inTenths)"
                case .slate: "the slate for \(time.inTenths)"
                case .hold: "the last picture for \(time.inTenths)"
                }
            }
        if !parts.isEmpty { return "Viewers had \(parts.joined(separator: " and "))." }
        if backups.isEmpty { return "Viewers missed nothing." }
        let names = backups.sorted().map(\.description).joined(separator: " and ")
        return "\(names) filled in: viewers missed nothing."
    }
}

extension MediaTime {
    /// The time in seconds, to a tenth: `8.2 s`.
    var inTenths: String {
        let tenths = value(timescale: 10)
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
