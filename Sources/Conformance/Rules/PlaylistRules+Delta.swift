import MediaCore
import Playlists

/// The rules for a delta update (RFC 8216bis § 6.2.5.1).
extension PlaylistRules {
    /// Returns the violations in the answer to `_HLS_skip=YES`.
    ///
    /// - Parameters:
    ///   - delta: The answer.
    ///   - whole: The version that the client had when it asked.
    static func violations(ofDelta delta: MediaPlaylist, after whole: MediaPlaylist) -> [RuleViolation] {
        guard let boundary = whole.serverControl?.canSkipUntil, !delta.isEnded else { return [] }
        func broken(_ text: String) -> [RuleViolation] { [RuleViolation(.deltaContradicted, text)] }
        let left = delta.duration
        // Which end of a segment is further from the end than the boundary is not said, and nothing turns on it.
        let target = MediaTime(seconds: Int64(delta.targetDuration))
        let text = "\(left.decimalSeconds) s are left, and CAN-SKIP-UNTIL is \(boundary.decimalSeconds) s"
        let skipped = delta.skip?.segmentCount ?? 0
        if skipped == 0, left > boundary + target * 2 { return broken("nothing is skipped: \(text)") }
        if skipped > 0, left + target < boundary { return broken("too much is skipped: \(text)") }
        guard let filled = delta.filled(from: whole) else {
            let known = "\(whole.mediaSequence)..<\(whole.end)"
            return broken("\(delta.mediaSequence)..<\(delta.first) is skipped, and \(known) is what was there")
        }
        // Of a number that is wrong every line below would be.
        return violations(from: whole, to: filled).first.map { broken("\($0.rule.rawValue): \($0.detail)") } ?? []
    }
}

extension MediaPlaylist {
    /// Fills in what a delta update leaves out (RFC 8216bis § 6.3.7).
    ///
    /// - Parameter old: An earlier version, which is whole.
    /// - Returns: The whole playlist; nil if the earlier version lacks some of what is left out.
    func filled(from old: MediaPlaylist) -> MediaPlaylist? {
        guard skip != nil else { return self }
        guard old.skip == nil, mediaSequence >= old.mediaSequence, first <= old.end else { return nil }
        let offset = Int(mediaSequence.value - old.mediaSequence.value)
        var skipped = Array(old.segments[offset..<offset + Int(first.value - mediaSequence.value)])
        // Date ranges are no segment's: all of them are there.
        for index in skipped.indices { skipped[index].dateRanges = [] }
        var whole = self
        whole.skip = nil
        if let last = skipped.last { whole.begin(inScopeOf: last) }
        whole.segments.insert(contentsOf: skipped, at: 0)
        return whole
    }

    /// Brings the keys and the map of a segment into force above all others, until the first of their tags.
    private mutating func begin(inScopeOf segment: Segment) {
        let keyed = segments.firstIndex { !$0.keys.isEmpty } ?? segments.endIndex
        for index in segments[..<keyed].indices { segments[index].keys = segment.keys }
        let mapped = segments.firstIndex { $0.map != nil } ?? segments.endIndex
        for index in segments[..<mapped].indices { segments[index].map = segment.map }
        guard let open = openSegments.first else { return }
        if keyed == segments.endIndex, open.keys.isEmpty { openSegments[0].keys = segment.keys }
        if mapped == segments.endIndex, open.map == nil { openSegments[0].map = segment.map }
    }
}
