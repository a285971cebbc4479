import MediaCore

/// The loss of an input, from its last media until viewers have media of it or of its backup again.
struct LossIncident: Hashable, Sendable {
    private let input: InputID
    /// The arrival of its last media.
    let since: MediaTime
    /// The time at which media came again; nil before.
    private(set) var returnedAt: MediaTime?
    /// The time without media for viewers, by its substitute.
    private var substitutes: [SlotOutcome.Substitute: MediaTime] = [:]
    /// The time without media in partly filled segments, by kind.
    private var missing: [MediaKind: MediaTime] = [:]
    /// True if segments were incomplete by a time that is not known.
    private var isDoubtful = false
    /// The backups that have filled segments during the loss.
    private var backups: Set<InputID> = []

    init(of input: InputID, since: MediaTime) {
        self.input = input
        self.since = since
    }

    /// Notes that the input is lost again before viewers have had its media.
    mutating func lostAgain() { returnedAt = nil }

    /// Notes that media comes again; a second call changes nothing.
    mutating func returned(at now: MediaTime) { returnedAt = returnedAt ?? now }

    /// Notes a slot that is decided on.
    mutating func decided(_ slot: SlotOutcome) {
        if let substitute = slot.substitute { substitutes[substitute, default: .zero] += slot.duration }
        missing.merge(slot.missing) { $0 + $1 }
        if slot.isDoubtful { isDoubtful = true }
        backups.formUnion(slot.inputs.filter { $0.rank > input.rank })
    }

    /// The duration of the absence; nil while it lasts.
    var duration: MediaTime? { returnedAt.map { $0 - since } }

    /// The effect on viewers, as a sentence.
    var effect: String {
        let parts = substitutes.sorted { $0.key > $1.key }
            .map { substitute, time in
                switch substitute {
                case .gap: "gaps for \(time.inTenths)"
                case .slate: "the slate for \(time.inTenths)"
                case .hold: "the last picture for \(time.inTenths)"
                case .silence: "no sound for \(time.inTenths)"
                }
            }
        if !parts.isEmpty { return "Viewers had \(parts.joined(separator: " and "))." }
        let times = missing.sorted { $0.key.leadership < $1.key.leadership }
            .map { kind, time in "\(time.inTenths) of the \(kind == .video ? "picture" : "sound")" }
        if !times.isEmpty { return "Viewers missed about \(times.joined(separator: " and "))." }
        let least = isDoubtful ? "viewers may have missed a moment" : "viewers missed nothing"
        if backups.isEmpty { return "V\(least.dropFirst())." }
        let names = backups.sorted().map(\.description).joined(separator: " and ")
        return "\(names) filled in: \(least)."
    }
}

extension MediaTime {
    /// The time in seconds, to a tenth: `8.2 s`.
    var inTenths: String {
        let tenths = value(timescale: 10)
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
