import Inspection
import MediaCore
import NIOCore
import Playlists

/// Checks the segments of one media playlist, in their order: each by itself and against the one before.
struct SegmentRules: Sendable {
    /// A segment as its playlist lists it.
    struct Listed: Sendable {
        var number: MediaSequenceNumber
        /// RFC 8216bis § 6.2.1.
        var discontinuitySequence: Int
        var segment: MediaPlaylist.Segment
    }

    private struct Previous {
        var listed: Listed
        var span: SegmentSpan?
        var transportState: TransportStreamState?
    }

    private var previous: Previous?

    /// Looks into the next segment.
    ///
    /// - Parameters:
    ///   - body: The bytes, of which nothing is encrypted but samples.
    ///   - listed: The segment as the playlist lists it.
    ///   - initialization: The section that its EXT-X-MAP names; nil if it has none.
    /// - Returns: The rules that it breaks.
    mutating func violations(
        in body: ByteBuffer,
        _ listed: Listed,
        _ initialization: ParsedInitialization?
    ) -> [RuleViolation] {
        let before = previous?.listed.discontinuitySequence == listed.discontinuitySequence ? previous : nil
        let follows = before.map { $0.listed.number.advanced(by: 1) == listed.number } ?? false
        let reading = SegmentReading(body, initialization, after: follows ? before?.transportState : nil)
        previous = Previous(listed: listed, span: reading.span, transportState: reading.transportState)
        var found = reading.violations.map { RuleViolation($0.rule, number: listed.number, $0.detail) }
        if let before, let start = before.span, let span = reading.span, start.wraps == span.wraps {
            found += Self.violations(from: before.listed, start, to: listed, span)
        }
        return found
    }

    /// Compares the media of two segments with their durations and dates.
    ///
    /// Cuts at frames and times in milliseconds make a frame of tolerance.
    private static func violations(
        from before: Listed,
        _ start: SegmentSpan,
        to listed: Listed,
        _ span: SegmentSpan
    ) -> [RuleViolation] {
        var found: [RuleViolation] = []
        let tolerance = max(start.frame, span.frame) + 180
        let distance = span.distance(from: start.start, to: span.start)
        if before.number.advanced(by: 1) == listed.number {
            let duration = before.segment.duration.time
            if abs(distance - duration.ticks) > tolerance {
                let times = "\(MediaTime(ticks: distance)) after the one before, whose EXTINF is \(duration)"
                found.append(RuleViolation(.mediaContradictsDuration, number: listed.number, "it starts \(times)"))
            }
            if let end = start.end, case let hole = span.distance(from: end, to: span.start), abs(hole) > tolerance {
                let times = "\(MediaTime(ticks: abs(hole))) \(hole < 0 ? "before" : "after") the end of the one before"
                found.append(RuleViolation(.decodeTimesBroken, number: listed.number, "it starts \(times)"))
            }
        }
        // Clocks that drift apart are slewed: see `PlaylistRules`.
        let dates = listed.segment.programDateTime - before.segment.programDateTime
        if abs(distance - dates.ticks) > tolerance + abs(dates.ticks) / 500 {
            let times = "\(MediaTime(ticks: distance)) after \(before.number), and is dated \(dates) after it"
            found.append(RuleViolation(.mediaContradictsDate, number: listed.number, "it starts \(times)"))
        }
        return found
    }
}
