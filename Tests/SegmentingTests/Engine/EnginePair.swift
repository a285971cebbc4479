import MediaCore
import Timeline

@testable import Segmenting

/// Two packagers that hear the same events at the same times; the second is started anew now and then.
struct EnginePair {
    private let configuration: ChannelEngine.Configuration
    private var engines: [ChannelEngine]
    private(set) var audits: [EngineAudit]
    /// The rules that the second one broke before it was started anew.
    private var earlierViolations: [String] = []

    init(_ configuration: ChannelEngine.Configuration) {
        self.configuration = configuration
        engines = [0, 1].map { _ in ChannelEngine(configuration: configuration, longestRun: 20) }
        audits = [0, 1].map { _ in EngineAudit(configuration) }
    }

    /// The rules that one of them broke.
    var violations: [String] { earlierViolations + audits.flatMap(\.violations) }
    /// True while the second one waits for a slot that both have whole.
    var isJoining: Bool { engines[1].isJoining }

    /// Passes events to both.
    mutating func hear(_ steps: [EngineRun.Step]) {
        for index in engines.indices { hear(steps, index) }
    }

    /// Starts the second one anew.
    ///
    /// - Parameters:
    ///   - joins: True if it joins the first one; otherwise it resumes from its journal.
    ///   - opening: The events before any media.
    ///   - time: The time of the start.
    mutating func restart(joins: Bool, _ opening: [EngineRun.Step], at time: MediaTime) {
        let window = audits[0].window
        earlierViolations += audits[1].violations
        engines[1] = ChannelEngine(configuration: configuration, longestRun: 20)
        audits[1] = EngineAudit(configuration)
        audits[1].ranges.restart(with: window.dateRanges)
        hear([EngineRun.Step(event: joins ? .joins(window) : .resumed(window), at: time)] + opening, 1)
    }

    /// Passes the first one's window to the second one.
    mutating func hearPeer(at time: MediaTime) {
        let window = audits[0].window
        if isJoining { audits[1].ranges.restart(with: window.dateRanges) }
        hear([EngineRun.Step(event: .peerPublished(window), at: time)], 1)
    }

    private mutating func hear(_ steps: [EngineRun.Step], _ index: Int) {
        for step in steps {
            let actions = engines[index].handle(step.event, at: ClockReading(utc: step.at, wallClock: step.at))
            audits[index].observe(actions, at: step.at)
        }
    }

    /// Returns the first slot that both must have alike.
    ///
    /// Where slots are decided when they are over, each is alike. Where parts are final as they come, a fault shows to
    /// each member as late as its deadlines say: both agree again from the second slot after it. A member that joins may
    /// have begun a slot before it takes over its peer's choice of sources: both agree from the next one on.
    func firstOfAgreement(after fault: MediaTime) -> MediaSequenceNumber {
        guard configuration.horizon != .slot, let first = audits[1].first else { return MediaSequenceNumber(0) }
        return max(configuration.grid.slot(at: fault).advanced(by: 2), first.next)
    }

    /// Compares what both have published lately, as slots, as tags around them and as parts.
    ///
    /// - Parameter first: The first slot to compare.
    /// - Returns: The slots that both have, and the differences.
    func compare(from first: MediaSequenceNumber) -> (slots: [MediaSequenceNumber], differences: [String]) {
        let slots = audits[0].published.keys.filter { $0 >= first && audits[1].published[$0] != nil }.sorted()
        let records: [KeyPath<EngineAudit, [MediaSequenceNumber: String]>] = [\.published, \.told, \.parts.told]
        let differences = slots.flatMap { slot in
            records.compactMap { record -> String? in
                let texts = audits.map { $0[keyPath: record][slot] ?? "" }
                return texts[0] == texts[1] ? nil : "slot \(slot): \(texts[0])\n\(texts[1])"
            }
        }
        return (slots, differences)
    }
}
