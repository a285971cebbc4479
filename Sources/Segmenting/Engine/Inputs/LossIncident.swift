import MediaCore

/// The loss of an input, from its last media until viewers have its media again, or that of its backup.
struct LossIncident: Hashable, Sendable {
    /// When its last media came.
    let since: MediaTime
    /// When media came again; nil before.
    private(set) var returnedAt: MediaTime?
    /// Time without media for viewers, by what they got instead.
    private var missed: [Substitute: MediaTime] = [:]
    /// The backups that have filled segments meanwhile.
    private var backups: Set<InputID> = []

    /// What a segment is filled with that an input is missing from, the worst last.
    enum Substitute: Int, Hashable, Comparable, Sendable {
        case hold, slate, gap

        static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    init(since: MediaTime) {
        self.since = since
    }

    /// The input is lost again before viewers have had its media.
    mutating func lostAgain() { returnedAt = nil }

    /// Media comes again; told a second time, it changes nothing.
    mutating func returned(at now: MediaTime) { returnedAt = returnedAt ?? now }

    /// A slot is decided on.
    ///
    /// - Parameters:
    ///   - duration: Its length.
    ///   - substitute: The worst that any rendition has for it; nil where all have media.
    ///   - backups: Inputs that fill it in place of the lost one.
    mutating func decided(_ duration: MediaTime, _ substitute: Substitute?, _ backups: Set<InputID>) {
        if let substitute { missed[substitute, default: .zero] += duration }
        self.backups.formUnion(backups)
    }

    /// How long it was away; nil while it is.
    var duration: MediaTime? { returnedAt.map { $0 - since } }

    /// What viewers have had of it, as a sentence.
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
    /// Seconds to a tenth: `8.2 s`.
    var inTenths: String {
        let tenths = value(timescale: 10)
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
