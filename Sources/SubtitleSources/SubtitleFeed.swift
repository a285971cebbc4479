package import MediaCore
package import TimedText

/// A growing document of cues, which finds the new ones in each version.
package struct SubtitleFeed: Sendable {
    private let origin: TimedTextOrigin
    /// The document when it was last read.
    private var newest: [UInt8]?
    /// The cues of the unchanged document, so that those of a day are not read again every second.
    private var whole: TimedTextDocument?
    /// Cues that were given, with when they end.
    private var given: [TimedCue: MediaTime] = [:]
    /// The problems that were told since a version without any, apart from their places.
    private var known: Set<Substring> = []

    /// The time by which cues are given before they begin, so that one that is corrected in time is.
    private static let lead = MediaTime(seconds: 60)
    /// The time after their end for which they are not given again.
    private static let memory = MediaTime(seconds: 3600)

    /// Bytes of the cues that were given lately, each with all definitions of its document: those of two a second, with
    /// as long definitions as there may be.
    static let mostBytes = 128 << 20
    /// The most problems that are told until a version has none: others are alike.
    static let mostProblems = 16
    private static let tooMuch = "more is to be shown at once than anybody could read: the rest is left out"

    /// - Parameter origin: The origin of its times.
    package init(origin: TimedTextOrigin) { self.origin = origin }

    /// A version of the document was read.
    ///
    /// - Parameters:
    ///   - bytes: The whole document.
    ///   - now: UTC.
    /// - Returns: The new cues that are due, in UTC, and new problems.
    /// - Throws: ``TimedTextError`` if it cannot be read at all.
    package mutating func received(
        _ bytes: [UInt8],
        now: MediaTime
    ) throws(TimedTextError) -> (cues: [TimedCue], problems: [String]) {
        // Who writes it may be in the middle of a cue, unless nothing has come since the last look.
        let isGrowing = newest != bytes
        if isGrowing { whole = nil }
        newest = bytes
        let document: TimedTextDocument
        if let whole {
            document = whole
        } else {
            document = try TimedTextDocument(parsing: bytes, isGrowing: isGrowing)
        }
        if !isGrowing { whole = document }
        given = given.filter { $0.value > now - Self.memory }
        let (cues, isCut) = due(document.cues, now: now)
        let all = document.problems + (isCut ? [Self.tooMuch] : [])
        let problems = all.filter { known.count < Self.mostProblems && known.insert(Self.kind(of: $0)).inserted }
        if all.isEmpty { known = [] }
        return (cues, problems)
    }

    /// Returns a problem without its line, which moves in a document that grows or has a window.
    private static func kind(of problem: String) -> Substring {
        guard problem.hasPrefix("line "), let colon = problem.firstIndex(of: ":") else { return problem[...] }
        return problem[colon...]
    }

    /// Returns the new cues that are due.
    ///
    /// - Returns: The cues, in UTC, and true if there is no room for all of them.
    private mutating func due(_ cues: [TimedCue], now: MediaTime) -> (cues: [TimedCue], isCut: Bool) {
        var room = given.keys.reduce(Self.mostBytes) { $0 - Self.size(of: $1) }
        var due: [TimedCue] = []
        for cue in cues {
            let timed = origin.utc(cue, now: now)
            guard timed.end > now - Self.lead, timed.start < now + Self.lead, given[timed] == nil else { continue }
            room -= Self.size(of: timed)
            if room < 0 { return (due, true) }
            given[timed] = timed.end
            due.append(timed)
        }
        return (due, false)
    }

    /// Returns the bytes of a cue, with an allowance beyond its content.
    private static func size(of cue: TimedCue) -> Int { cue.content.byteCount + 256 }
}
