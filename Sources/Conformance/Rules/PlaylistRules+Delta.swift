import MediaCore
import Playlists

/// The rules for a delta update (RFC 8216bis § 6.2.5.1).
extension PlaylistRules {
    /// Judges the answer to `_HLS_skip=YES`.
    ///
    /// - Parameters:
    ///   - delta: The answer.
    ///   - whole: The version that the client had at the request.
    /// - Returns: The violations, each once.
    static func violations(ofDelta delta: MediaPlaylist, after whole: MediaPlaylist) -> [RuleViolation] {
        guard let boundary = whole.serverControl?.canSkipUntil, !delta.isEnded else { return [] }
        func broken(_ text: String) -> [RuleViolation] { [RuleViolation(.deltaContradicted, text)] }
        let left = delta.duration
        // The draft does not say which end of a segment counts for the boundary, and both are accepted.
        let target = MediaTime(seconds: Int64(delta.targetDuration))
        let text = "\(left.decimalSeconds) s are left, and CAN-SKIP-UNTIL is \(boundary.decimalSeconds) s"
        let skipped = delta.skip?.segmentCount ?? 0
        if skipped == 0, left > boundary + target * 2 { return broken("nothing is skipped: \(text)") }
        if skipped > 0, left + target < boundary { return broken("too much is skipped: \(text)") }
        guard let filled = delta.filled(from: whole) else {
            let known = "\(whole.mediaSequence)..<\(whole.end)"
            return broken("\(delta.mediaSequence)..<\(delta.first) is skipped, and \(known) is what was there")
        }
        // A wrong number would make every line below it wrong.
        return violations(from: whole, to: filled).first.map { broken("\($0.rule.rawValue): \($0.detail)") } ?? []
    }
}

extension MediaPlaylist {
    /// Fills in the skipped segments of a delta update (RFC 8216bis § 6.3.7).
    ///
    /// - Parameter old: An earlier whole version.
    /// - Returns: The whole playlist; nil if the earlier version lacks some of the skipped segments.
    func filled(from old: MediaPlaylist) -> MediaPlaylist? {
        guard skip != nil else { return self }
        guard old.skip == nil, mediaSequence >= old.mediaSequence, first <= old.end else { return nil }
        let offset = Int(mediaSequence.value - old.mediaSequence.value)
        var skipped = Array(old.segments[offset..<offset + Int(first.value - mediaSequence.value)])
        // Date ranges belong to no segment: the update has all of them.
        for index in skipped.indices { skipped[index].dateRanges = [] }
        var whole = self
        if let last = skipped.last { whole.complete(below: last, as: old) }
        whole.skip = nil
        whole.segments.insert(contentsOf: skipped, at: 0)
        return whole
    }

    /// Adds the keys and the map whose tags were left out: where none is named, those of an earlier version apply.
    ///
    /// - Parameters:
    ///   - last: The last segment that is left out.
    ///   - old: The earlier version.
    private mutating func complete(below last: Segment, as old: MediaPlaylist) {
        let open = end == old.end ? old.openSegments.first : nil
        var (keys, map) = (last.keys, last.map)
        let unkeyed = segments.prefix { $0.keys.isEmpty }.count
        for index in 0..<unkeyed {
            keys = old[first.advanced(by: Int64(index))]?.keys ?? keys
            segments[index].keys = keys
        }
        if unkeyed == segments.count, openSegments.first?.keys == [] { openSegments[0].keys = open?.keys ?? keys }
        let unmapped = segments.prefix { $0.map == nil }.count
        for index in 0..<unmapped {
            map = old[first.advanced(by: Int64(index))]?.map ?? map
            segments[index].map = map
        }
        guard unmapped == segments.count, let next = openSegments.first, next.map == nil else { return }
        openSegments[0].map = open?.map ?? map
    }
}
