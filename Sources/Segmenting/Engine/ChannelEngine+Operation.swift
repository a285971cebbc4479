import ContentProtection
import Logging
package import MediaCore
import Operations
package import Playlists
package import Timeline

/// The state of a channel as an operator sees it, and the operator's decisions.
extension ChannelEngine {
    /// The state of a channel.
    package struct Status: Sendable {
        package var inputs: [Input] = []
        package var renditions: [Rendition] = []
        /// The inputs that hold their positions by an operator's choice.
        package var held: [InputID] = []
        /// The health, 0 to 100.
        package var score = 100
        /// The reasons for a score below 100, one sentence each.
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
            /// The name of an input, `subtitles` for those that come separately from the feeds, `slate`, `hold`, or
            /// `none` in a gap.
            package var source: String
        }
    }

    /// Returns the state; a rendition has the health of its input, and while none shows anything, the best inputs
    /// count.
    package func status(at now: MediaTime) -> Status {
        var status = Status()
        for index in inputs.range {
            let feed = inputs[index]
            status.inputs.append(
                Status.Input(
                    id: feed.id,
                    isOnAir: renditions.isOnAir(feed.id),
                    health: feed.health.report(at: now),
                    alignment: feed.id.rank > .primary ? inputs.alignment(of: index) : nil
                )
            )
        }
        for place in renditions.indices {
            guard let id = renditions[place].id else { continue }
            let onAir = renditions[place].onAir
            status.renditions.append(Status.Rendition(id: id, source: renditions[place].source))
            // Viewers miss no track that all inputs lack.
            if segmenter.isWithdrawn(track: place) { continue }
            let (score, reasons) = Self.judge(onAir, rendition: id, status.inputs)
            status.lower(to: score, reasons)
        }
        if renditions.allSatisfy({ $0.onAir == .nothing }) {
            for position in configuration.positions {
                let here = status.inputs.filter { $0.id.position == position }
                guard let best = here.max(by: { $0.health.score < $1.health.score }) else { continue }
                status.lower(to: best.health.score, best.health.reasons.map { "\(best.id): \($0.text)" })
            }
        }
        for keyClass in KeyClass.allCases where keys.outages[keyClass]?.effect == .gaps {
            status.lower(to: 0, ["There is no key for \(keyClass.rawValue): its segments are gaps."])
        }
        status.held = choices.heldInputs
        return status
    }

    /// Returns the health of a rendition's content.
    private static func judge(
        _ onAir: OnAir,
        rendition: RenditionID,
        _ inputs: [Status.Input]
    ) -> (score: Int, reasons: [String]) {
        switch onAir {
        case .nothing: return (100, [])
        case .gap, .cutShort: return (0, ["\(rendition) has a gap at the live edge."])
        // A filler scores slightly better than a gap.
        case .filler(let filler): return (20, ["\(rendition) shows \(filler)."])
        case .input(let id):
            guard let report = inputs.first(where: { $0.id == id })?.health else { return (100, []) }
            return (report.score, report.reasons.map { "\(id): \($0.text)" })
        }
    }

    /// Fills the slots from an input, beginning with the next possible one.
    ///
    /// - Parameters:
    ///   - input: One of the configured inputs.
    ///   - holds: True if it stays until the operator decides otherwise; false if the next loss ends it.
    ///   - client: The client of the control API; nil if unknown.
    mutating func select(_ input: InputID, holds: Bool, by client: String?) {
        choices.select(input, holds: holds, by: client)
        putOnAir(input, holds: holds)
        log(.notice, "input selected", input, ["by": "\(client ?? "the control API")", "held": "\(holds)"])
    }

    /// Holds an input that an operator held before this channel took the place of another one.
    mutating func keep(_ input: InputID) {
        choices.keep(input)
        putOnAir(input, holds: true)
        log(.notice, "input selection kept", input, ["held": "true"])
    }

    /// Tells that the hold of an input is over that only the channel before this one had.
    ///
    /// - Parameter input: The name that it had, and its feed.
    mutating func endHold(of input: String) {
        note(
            .selected,
            "The hold of \(input) is over, since the channel no longer has this feed, and the packager chooses the input again."
        )
        log(.notice, "input hold is over", ["input": "\(input)"])
    }

    private mutating func putOnAir(_ input: InputID, holds: Bool) {
        for place in renditions.choose(input) {
            segmenter.select(source: input.rank, track: place, holds: holds)
        }
        watches.status = status(at: now)
        note(.selected, choices.sentence(on: input, holds: holds), input: input)
    }

    /// Chooses again by the media of the inputs.
    ///
    /// - Parameter client: The client of the control API, where that is known.
    mutating func selectAutomatically(by client: String?) {
        choices.selectAutomatically()
        for place in renditions.indices {
            renditions[place].chosen = nil
            segmenter.selectAutomatically(track: place)
        }
        watches.status = status(at: now)
        note(.selected, "Left to the channel \(InputChoices.author(client)).")
        log(.notice, "input selection is automatic", ["by": "\(client ?? "the control API")"])
    }

    /// Judges the inputs: a frozen or silent one does not count as whole, and changes are reported.
    mutating func judgeInputs() {
        for feed in inputs.range {
            reportSpeed(of: feed)
            let (report, change) = inputs[feed].judge(at: now)
            let id = inputs[feed].id
            // A file that has no more packets has come to its end.
            if let change, !inputs[feed].hasEnded {
                let severity: ChannelEvent.Severity = inputs[feed].threshold.isHealthy ? .info : .warning
                note(.inputHealth, "Its health \(change)", severity: severity, input: id)
                // The log reports this switch with the loss or the return of the input that caused it.
                let isHealthy = inputs[feed].threshold.isHealthy
                if !isHealthy { inputs[feed].isDeclineReported = !report.isAway }
                log(inputs[feed].isDeclineReported ? .notice : .debug, "input health", id, ["health": "\(change)"])
            }
            guard configuration.checks != InputHealth.Checks() else { continue }
            for place in (inputs[feed].places ?? [:]).values {
                let isUnfit =
                    switch renditions[place].plan.kind {
                    case .video: report.isFrozen
                    case .audio: report.isSilent
                    case .text: false
                    }
                segmenter.setFit(!isUnfit, track: place, source: id.rank)
            }
        }
        watches.status = status(at: now)
    }
}

extension ChannelEngine.Rendition {
    /// The source of its newest slot, as ``ChannelEngine/Status/Rendition/source`` names it.
    fileprivate var source: String {
        switch onAir {
        // Subtitles that come separately from the feeds are of no input.
        case .nothing: plan.subtitles == nil ? "none" : "subtitles"
        case .gap, .cutShort: "none"
        case .input(let id): "\(id)"
        case .filler(let filler): "\(filler)"
        }
    }
}
