import Logging
package import MediaCore
package import Presentation
import Synchronization
package import Timeline

/// What an operator sees of a channel, and may decide.
extension Channel {
    /// How a channel is.
    package struct Status: Sendable {
        package var inputs: [Input] = []
        package var renditions: [Rendition] = []
        /// Who holds each position, where an operator has said so.
        package var held: [InputID] = []
        /// Health, 0 to 100.
        package var score = 100
        /// What keeps the score below 100, one sentence each.
        package var reasons: [String] = []

        fileprivate mutating func lower(to score: Int, _ reasons: [String]) {
            self.score = min(self.score, score)
            for reason in reasons where !self.reasons.contains(reason) { self.reasons.append(reason) }
        }

        package struct Input: Sendable {
            package var id: InputID
            package var isOnAir: Bool
            package var health: InputHealth.Report
            package var alignment: OffsetMeter.Alignment?
        }

        package struct Rendition: Sendable {
            package var id: RenditionID
            /// The name of an input, `slate`, `hold`, or `none` in a gap.
            package var source: String
        }
    }

    /// How it was within the last second.
    ///
    /// Unlike ``status(at:)`` it never waits for a slot that is being published.
    package var latestStatus: Status { snapshot.withLock { $0.status } ?? status(at: clock.now) }

    /// What a rendition shows is as well as its input; while none shows anything, the best inputs speak for it.
    package func status(at now: MediaTime) -> Status {
        let inputs = inputs.withLock { $0 }.sorted { $0.key < $1.key }
        let reports = inputs.map { ($0.key, $0.value.healthReport(at: now)) }
        var alignments: [InputID: OffsetMeter.Alignment] = [:]
        for (id, input) in inputs where id.rank > 0 { alignments[id] = input.alignment?.alignment }
        let measured = alignments
        return state.withLock { state in
            var status = Status()
            let onAir = state.onAir
            for (id, report) in reports {
                status.inputs.append(
                    Status.Input(
                        id: id,
                        isOnAir: onAir.contains(.input(id)),
                        health: report,
                        alignment: measured[id]
                    )
                )
            }
            for (place, id) in state.renditions.enumerated() {
                guard let id else { continue }
                status.renditions.append(Status.Rendition(id: id, source: onAir[place].label))
                // What no input has is missed by nobody.
                if state.segmenter.isWithdrawn(track: place) { continue }
                let (score, reasons) = Self.judge(onAir[place], rendition: id, reports)
                status.lower(to: score, reasons)
            }
            if onAir.allSatisfy({ $0 == .nothing }) {
                for position in 0..<configuration.inputCount {
                    let best = reports.filter { $0.0.position == position }.max { $0.1.score < $1.1.score }
                    guard let (id, report) = best else { continue }
                    status.lower(to: report.score, report.reasons.map { "\(id): \($0.text)" })
                }
            }
            status.held = state.held.values.sorted()
            return status
        }
    }

    /// A rendition is as well as what fills it.
    private static func judge(
        _ onAir: OnAir,
        rendition: RenditionID,
        _ reports: [(InputID, InputHealth.Report)]
    ) -> (score: Int, reasons: [String]) {
        switch onAir {
        case .nothing: return (100, [])
        case .gap: return (0, ["\(rendition) has a gap at the live edge."])
        // Better than nothing, and no more.
        case .filler(let filler): return (20, ["\(rendition) shows \(filler)."])
        case .input(let id):
            guard let report = reports.first(where: { $0.0 == id })?.1 else { return (100, []) }
            return (report.score, report.reasons.map { "\(id): \($0.text)" })
        }
    }

    /// Fills the slots from an input, beginning with the next that can be.
    ///
    /// - Parameters:
    ///   - input: One of the configured.
    ///   - holds: Whether it stays there until the operator says otherwise; else the next loss ends it.
    package func select(_ input: InputID, holds: Bool) {
        state.withLock { state in
            state.held[input.position] = holds ? input : nil
            for place in state.positions[input.position] ?? [] {
                state.chosen[place] = input
                state.segmenter.select(source: input.rank, track: place, holds: holds)
            }
        }
        keepStatus(at: clock.now)
        note(.selected, "An operator chose it\(holds ? ", and holds it" : "").", input: input)
    }

    /// Chooses by what the inputs have, again.
    package func selectAutomatically() {
        state.withLock { state in
            (state.held, state.chosen) = ([:], [:])
            for place in state.plans.indices { state.segmenter.selectAutomatically(track: place) }
        }
        keepStatus(at: clock.now)
        note(.selected, "An operator leaves the choice to the channel.")
    }

    /// Looks after the inputs: what is frozen or silent is not taken for whole, and the operator hears of what changed.
    func judgeInputs(at now: MediaTime) {
        for (id, input) in inputs.withLock({ $0 }) {
            input.tellSpeed(at: now)
            let (report, change) = input.judge(at: now)
            if let change {
                note(.inputHealth, "Its health \(change)", input: id)
                logger.notice("input health", metadata: ["input": "\(id)", "health": "\(change)"])
            }
            guard configuration.checks != InputHealth.Checks() else { continue }
            state.withLock { state in
                for place in (state.places[id] ?? [:]).values {
                    let isUnfit = state.plans[place].kind == .video ? report.isFrozen : report.isSilent
                    state.segmenter.setFit(!isUnfit, track: place, source: id.rank)
                }
            }
        }
        endpoint.setScore(keepStatus(at: now).score)
        noteFailures(endpoint.failures(now: now))
    }

    /// Leaves behind how it is, for those who must not wait.
    @discardableResult
    private func keepStatus(at now: MediaTime) -> Status {
        let status = status(at: now)
        snapshot.withLock { $0.status = status }
        return status
    }

    /// Puts on record where playlists are refused from now on, and where they are served again.
    private func noteFailures(_ failures: [FailureCondition]) {
        let before = state.withLock { state in
            defer { state.failures = failures }
            return state.failures
        }
        guard failures != before else { return }
        let conditions = failures.map(\.rawValue).joined(separator: ", ")
        note(.endpoint, failures.isEmpty ? "Playlists are served again." : "Playlists are answered 503: \(conditions).")
        logger.warning(
            failures.isEmpty ? "playlists served again" : "playlists refused",
            metadata: ["for": "\(conditions)"]
        )
    }

    /// Why one input gave way to another, and what was assumed about their clocks.
    func switchReason(from old: InputID, to new: InputID, isChosen: Bool, isHeld: Bool) -> String {
        let reports = inputs.withLock { $0 }
        let health = reports[old]?.healthReport(at: clock.now)
        var reason = ""
        if isHeld {
            reason = "An operator chose it, and holds it."
        } else if isChosen {
            reason = "An operator chose it."
        } else if new.rank < old.rank {
            reason = "It is preferred, and has as much of the slot."
        } else if let health, health.score < 100 {
            reason = health.summary
        } else {
            reason = "It was not whole."
        }
        guard configuration.clock == .arrival else { return reason }
        let alignment = reports[old.rank > new.rank ? old : new]?.alignment?.alignment
        return reason + " " + (alignment?.description ?? "How far the one lies behind the other was not measured.")
    }

    /// Whether any slot is filled from this input now.
    func isOnAir(_ id: InputID) -> Bool { state.withLock { $0.onAir.contains(.input(id)) } }
}

extension OnAir {
    fileprivate var label: String {
        switch self {
        case .nothing, .gap: "none"
        case .input(let id): "\(id)"
        case .filler(let filler): "\(filler)"
        }
    }
}
