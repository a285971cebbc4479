import MediaCore
import Timeline

/// The content of a slot at one position of inputs, as viewers have it.
struct SlotOutcome: Hashable, Sendable {
    /// The substitute for media that no input has, the worst last.
    enum Substitute: Int, Hashable, Comparable, Sendable {
        case silence, hold, slate, gap

        static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    let position: InputPosition
    /// Its end, in UTC.
    let end: MediaTime
    let duration: MediaTime
    /// The inputs that fill it.
    private(set) var inputs: Set<InputID> = []
    /// The worst substitute of any rendition; nil if all have media.
    private(set) var substitute: Substitute?
    /// The longest time without media in partly filled segments, by kind.
    private(set) var missing: [MediaKind: MediaTime] = [:]
    /// True if a segment is incomplete by a time that is not known.
    private(set) var isDoubtful = false

    /// The time without media from which on it is stated.
    private static let notable = MediaTime(milliseconds: 100)

    init(at position: InputPosition, endingAt end: MediaTime, duration: MediaTime) {
        self.position = position
        self.end = end
        self.duration = duration
    }

    /// True if its first input fills all of it.
    var isPlain: Bool {
        substitute == nil && missing.isEmpty && !isDoubtful && inputs.allSatisfy { $0.rank == .primary }
    }

    /// Adds a rendition.
    ///
    /// - Parameters:
    ///   - plan: Its plan.
    ///   - onAir: Its content in this slot.
    ///   - cut: Its segment; nil for none.
    mutating func add(_ plan: RenditionPlan, _ onAir: OnAir, _ cut: CutSegment?) {
        switch onAir {
        case .nothing: break
        case .gap, .cutShort: add(plan.isOnlyCarried ? .silence : .gap)
        case .filler(.slate): add(.slate)
        case .filler(.hold): add(plan.kind == .audio ? .silence : .hold)
        case .input(let input):
            inputs.insert(input)
            if let cut, !cut.isWhole { add(cut, of: plan.kind) }
        }
    }

    private mutating func add(_ substitute: Substitute) {
        self.substitute = max(self.substitute ?? substitute, substitute)
    }

    private mutating func add(_ partial: CutSegment, of kind: MediaKind) {
        let time = partial.end.media - partial.start.media - partial.coverage
        if time >= Self.notable {
            missing[kind] = max(missing[kind] ?? time, time)
        } else if kind == .video {
            // Pictures are missing in between; audio may only lack the frame that follows it.
            isDoubtful = true
        }
    }
}

/// The newest slots that their first inputs have not filled, or not all of them: an input is found lost only some time
/// after its last media.
struct RecentOutcomes: Sendable {
    private var outcomes: [SlotOutcome] = []

    /// The most that are kept, of many minutes.
    private static let most = 1_024

    mutating func note(_ outcome: SlotOutcome) {
        if outcome.isPlain { return }
        outcomes.append(outcome)
        if outcomes.count > Self.most { outcomes.removeFirst(outcomes.count - Self.most) }
    }

    /// Returns the slots at a position that end after a time, in UTC.
    func ending(after time: MediaTime, at position: InputPosition) -> [SlotOutcome] {
        outcomes.filter { $0.position == position && $0.end > time }
    }
}
