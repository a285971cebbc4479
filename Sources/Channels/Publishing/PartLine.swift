import MediaCore
import Packaging
import Presentation
import Segmenting

/// The parts of a rendition from their decision to their publication, in order.
///
/// They are written one after the other. A part that cannot be written, or not in time, is a gap, and so are the
/// unwritten parts of its slot (RFC 8216bis § 4.4.4.9). The parts before it stay as they are.
struct PartLine {
    private struct Entry {
        var state: State
        /// The part without its media.
        let gap: PublishedPart
        let decidedAt: MediaTime
        /// The batch that must be carried out first.
        let batch: Int

        enum State {
            case waiting(ChannelEngine.PartDecision)
            case underWay
            case final(PublishedPart)
        }

        var isWaiting: Bool { if case .waiting = state { true } else { false } }
        var isFinal: Bool { if case .final = state { true } else { false } }
    }

    /// The reason why a slot has no more parts with media.
    enum Loss {
        case late
        case failed(any Error)
    }

    /// The work that a new part leaves to others.
    struct Work: Hashable {
        /// True if the caller must begin to write.
        var mustWrite = false
        /// True if a part can be published though its writer may stand still.
        var mustPublish = false
    }

    /// The parts that are not published yet, oldest first.
    private var entries: [Entry] = []
    private var losses: [(number: MediaSequenceNumber, loss: Loss)] = []
    private var isWriting = false
    /// The time that a part may take to be written; nil for any time.
    private let patience: MediaTime?

    /// Nearly twice the parts of the longest slot.
    static let capacity = 512
    /// The number of slots after which a loss is forgotten.
    private static let memory: Int64 = 4

    init(patience: MediaTime?) {
        self.patience = patience
    }

    /// The number of parts that are not published yet.
    var count: Int { entries.count }

    /// Adds a part.
    ///
    /// - Parameters:
    ///   - part: The part.
    ///   - now: The time now, in UTC.
    ///   - batch: The number of the batch that has to be carried out before it is published.
    /// - Returns: The work that follows.
    mutating func add(_ part: ChannelEngine.PartDecision, at now: MediaTime, after batch: Int) -> Work {
        let number = part.cut.number
        losses.removeAll { $0.number.value <= number.value - Self.memory }
        while let oldest = entries.first(where: { !$0.isFinal }), isOverdue(oldest, at: now) {
            lose(oldest.gap.number, .late)
        }
        if entries.count < Self.capacity {
            let gap = PublishedPart(gap: part)
            let state: Entry.State = loss(of: number) == nil ? .waiting(part) : .final(gap)
            entries.append(Entry(state: state, gap: gap, decidedAt: now, batch: batch))
        } else {
            lose(number, .late)
        }
        let work = Work(
            mustWrite: !isWriting && entries.contains(where: \.isWaiting),
            mustPublish: entries.first?.isFinal ?? false
        )
        if work.mustWrite { isWriting = true }
        return work
    }

    /// Takes the next part to be written; nil if none is left, and the caller must stop.
    mutating func next() -> ChannelEngine.PartDecision? {
        for index in entries.indices {
            guard case .waiting(let part) = entries[index].state else { continue }
            entries[index].state = .underWay
            return part
        }
        isWriting = false
        return nil
    }

    /// Takes the result of the part that was taken last; it is dropped if the slot was lost before.
    mutating func finish(_ result: Result<PublishedPart, any Error>) {
        let index = entries.firstIndex { if case .underWay = $0.state { true } else { false } }
        guard let index else { return }
        switch result {
        case .success(let part): entries[index].state = .final(part)
        case .failure(let error): lose(entries[index].gap.number, .failed(error))
        }
    }

    /// Takes the next part to be published.
    ///
    /// - Parameter batch: The number of the newest batch that is carried out.
    /// - Returns: The part; nil if there is none.
    mutating func takePublishable(after batch: Int) -> PublishedPart? {
        guard let first = entries.first, first.batch <= batch, case .final(let part) = first.state else {
            return nil
        }
        entries.removeFirst()
        return part
    }

    /// The loss of a slot; nil if none of its parts was lost in writing.
    func loss(of number: MediaSequenceNumber) -> Loss? { losses.first { $0.number == number }?.loss }

    private func isOverdue(_ entry: Entry, at now: MediaTime) -> Bool {
        patience.map { now - entry.decidedAt > $0 } ?? false
    }

    private mutating func lose(_ number: MediaSequenceNumber, _ loss: Loss) {
        if self.loss(of: number) == nil { losses.append((number, loss)) }
        for index in entries.indices where entries[index].gap.number == number && !entries[index].isFinal {
            entries[index].state = .final(entries[index].gap)
        }
    }
}
