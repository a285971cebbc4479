package import Fetching
package import MediaCore

/// An event that is worth a line while it happens.
package struct ViewerEvent: Hashable, Sendable {
    /// UTC.
    package var at: MediaTime
    package var kind: Kind

    package enum Kind: Hashable, Sendable {
        /// The first picture, so long after the first request.
        case started(after: MediaTime)
        case stalled
        case resumed(after: MediaTime)
        case jumped(by: MediaTime, ViewerReport.JumpReason)
        case passed(ViewerReport.MarkKind, PlayerTrack)
        /// The variant that it played has a gap.
        case changedVariant(to: Int)
        /// A request failed; a fatal one is not tried again before the playlist is.
        case requestFailed(String, FetchError, isFatal: Bool)
        case levelError(PlayerTrack, String)
        /// A playlist broke a rule. It has the name of the multivariant playlist, or that of its track if it is played.
        case ruleBroken(playlist: String, RuleViolation)
        case segmentChanged(playlist: String, MediaSequenceNumber)
        case ended
    }

    package init(at: MediaTime, _ kind: Kind) {
        self.at = at
        self.kind = kind
    }
}

extension ViewerEvent: CustomStringConvertible {
    package var description: String {
        switch kind {
        case .started(let wait): "playing after \(wait.text)"
        case .stalled: "stalled"
        case .resumed(let wait): "playing again after \(wait.text)"
        case .jumped(let length, .hole): "jumped over \(length.text)"
        case .jumped(let length, .resynchronized): "left behind by the window: jumped \(length.text)"
        case .passed(let kind, let track): "passed a new \(kind.rawValue) in \(track.rawValue)"
        case .changedVariant(let variant): "goes on in variant \(variant + 1)"
        case .requestFailed(let resource, let error, let isFatal):
            "\(resource) failed\(isFatal ? " for good" : ""): \(error)"
        case .levelError(let track, let detail): "\(track.rawValue) playlist refused: \(detail)"
        case .ruleBroken(let playlist, let violation): "\(playlist): \(violation)"
        case .segmentChanged(let playlist, let number): "\(playlist): segment \(number) has other bytes than before"
        case .ended: "ended"
        }
    }
}

extension MediaTime {
    /// Seconds, to the millisecond.
    fileprivate var text: String { "\(Double(milliseconds) / 1000) s" }
}

extension ViewerReport {
    /// Enters an event.
    mutating func enter(_ event: ViewerEvent) {
        let at = event.at.milliseconds
        switch event.kind {
        case .started(let wait): startup = wait.milliseconds
        case .stalled, .ended: break
        case .resumed(let wait):
            stalls.append(Stall(at: (event.at - wait).milliseconds, duration: wait.milliseconds))
            stalled += wait.milliseconds
        case .jumped(let length, let reason):
            jumps.append(Jump(at: at, duration: length.milliseconds, reason: reason))
            jumped += length.milliseconds
        case .passed(let kind, let track): marks.append(Mark(at: at, kind: kind, track: track))
        case .changedVariant(let variant): variants.append(VariantChange(at: at, variant: variant))
        case .requestFailed(let resource, let error, let isFatal):
            failures.append(Failure(at: at, resource: resource, error: "\(error)", isFatal: isFatal))
        case .levelError(let track, let detail): levelErrors.append(LevelError(at: at, track: track, detail: detail))
        case .ruleBroken(let playlist, let violation):
            violations.append(Violation(at: at, playlist: playlist, violation: violation))
        case .segmentChanged(let playlist, let number):
            changedSegments.append(ChangedSegment(at: at, playlist: playlist, number: number.value))
        }
    }
}
