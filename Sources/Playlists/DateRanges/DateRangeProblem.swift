import MediaCore

/// A breach of RFC 8216bis § 4.4.5.1, or of the rules of the range's class.
///
/// Clients silently ignore such a range.
package struct DateRangeProblem: Error, Hashable, Sendable {
    var id: String
    package var reason: Reason

    package enum Reason: Hashable, Sendable {
        case startMissing
        case endsBeforeStart
        case lengthContradicted
        case endOnNextWithoutClass
        case endOnNextWithEnd
        case cueContradicted
        case altered
        case overlaps
        /// An interstitial without an asset, or with two kinds of them (§ D.2).
        case assetAmbiguous
        /// An attribute of its class with a value that the class does not permit (§ D.2, § D.3, Appendix F).
        case unexpected(attribute: String, expected: String)
        /// A range of another class than its preload hint says (Appendix F).
        case targetOfOtherClass
        case preloadWithoutEnd
        case preloadWithCue
    }

    init(_ id: String, _ reason: Reason) {
        (self.id, self.reason) = (id, reason)
    }
}

extension DateRangeProblem: CustomStringConvertible {
    package var description: String { "\(id): \(reason)" }
}

extension DateRangeProblem.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .startMissing: "its first tag has no START-DATE"
        case .endsBeforeStart: "END-DATE is before START-DATE"
        case .lengthContradicted: "DURATION and END-DATE contradict each other"
        case .endOnNextWithoutClass: "END-ON-NEXT needs a CLASS"
        case .endOnNextWithEnd: "END-ON-NEXT does not go with DURATION or END-DATE"
        case .cueContradicted: "CUE is PRE and POST at once"
        case .altered: "a later tag alters what an earlier one says"
        case .overlaps: "it overlaps another of its CLASS, which has END-ON-NEXT"
        case .assetAmbiguous: "an interstitial has either X-ASSET-URI or X-ASSET-LIST"
        case .unexpected(let attribute, let expected): "\(attribute) is not \(expected)"
        case .targetOfOtherClass: "the range that X-TARGET-ID names is of another class than X-TARGET-CLASS"
        case .preloadWithoutEnd: "a preload range needs DURATION or END-DATE"
        case .preloadWithCue: "a preload range has neither CUE nor END-ON-NEXT"
        }
    }
}

extension [DateRange] {
    /// The problems of the ranges of one playlist.
    ///
    /// - Returns: Each once, in the order of their ranges' first tags.
    package var problems: [DateRangeProblem] {
        var found: [DateRangeProblem] = []
        var merged: [DateRange] = []
        for tag in self {
            guard let index = merged.firstIndex(where: { $0.id == tag.id }) else {
                if tag.start == nil { found.append(DateRangeProblem(tag.id, .startMissing)) }
                merged.append(tag)
                continue
            }
            if merged[index].isAltered(by: tag) { found.append(DateRangeProblem(tag.id, .altered)) }
            merged[index].add(tag)
        }
        for range in merged {
            found += range.reasons.map { DateRangeProblem(range.id, $0) }
            found += range.reasonsOfClass(among: merged).map { DateRangeProblem(range.id, $0) }
            guard let name = range.className, merged.contains(where: { $0.className == name && $0.endsOnNext }) else {
                continue
            }
            let overlaps = merged.contains { $0.id != range.id && $0.className == name && range.begins(inside: $0) }
            if overlaps { found.append(DateRangeProblem(range.id, .overlaps)) }
        }
        return found
    }
}

extension DateRange {
    /// The problems of the range by itself.
    fileprivate var reasons: [DateRangeProblem.Reason] {
        var reasons: [DateRangeProblem.Reason] = []
        if let start, let end {
            if end < start { reasons.append(.endsBeforeStart) }
            // Both are rounded to milliseconds.
            let isConsistent = duration.map { abs((start + $0 - end).milliseconds) <= 1 } ?? true
            if end >= start, !isConsistent { reasons.append(.lengthContradicted) }
        }
        if endsOnNext, className == nil { reasons.append(.endOnNextWithoutClass) }
        if endsOnNext, duration != nil || end != nil { reasons.append(.endOnNextWithEnd) }
        if cues.contains(.before), cues.contains(.after) { reasons.append(.cueContradicted) }
        return reasons
    }

    /// Returns true if it begins during another one of known length.
    fileprivate func begins(inside other: DateRange) -> Bool {
        guard let start, let begin = other.start, let end = other.end ?? other.duration.map({ begin + $0 }) else {
            return false
        }
        return begin <= start && start < end
    }
}
