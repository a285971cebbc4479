import MediaCore

extension DateRange {
    /// An interstitial: other content that is played at some point of the stream (RFC 8216bis Appendix D).
    package static let interstitialClass = "com.apple.hls.interstitial"
    /// A hint to load early what another range names (Appendix F).
    package static let preloadClass = "com.apple.hls.preload"

    package var isInterstitial: Bool { className == Self.interstitialClass }

    /// Returns the faults of the range as one of its class.
    ///
    /// - Parameter ranges: All ranges of the playlist, one for each ID.
    /// - Returns: Nothing for an unknown class.
    func reasonsOfClass(among ranges: [DateRange]) -> [DateRangeProblem.Reason] {
        switch className {
        case Self.interstitialClass: interstitialReasons
        case Self.preloadClass: preloadReasons(among: ranges)
        default: []
        }
    }

    private var interstitialReasons: [DateRangeProblem.Reason] {
        // § D.2: it has one of the two, and never both.
        let assets = ["X-ASSET-URI", "X-ASSET-LIST"].filter { self[custom: $0] != nil }
        return (assets.count == 1 ? [] : [.assetAmbiguous]) + ClassAttribute.ofInterstitials.compactMap(reason)
    }

    private func preloadReasons(among ranges: [DateRange]) -> [DateRangeProblem.Reason] {
        var reasons = ClassAttribute.ofPreloads.compactMap(reason)
        if duration == nil, end == nil { reasons.append(.preloadWithoutEnd) }
        if !cues.isEmpty || endsOnNext { reasons.append(.preloadWithCue) }
        if case .string(let id) = self[custom: "X-TARGET-ID"], case .string(let name) = self[custom: "X-TARGET-CLASS"],
            ranges.contains(where: { $0.id == id && $0.className != name })
        {
            reasons.append(.targetOfOtherClass)
        }
        return reasons
    }

    private func reason(_ attribute: ClassAttribute) -> DateRangeProblem.Reason? {
        let isRight = self[custom: attribute.name].map(attribute.allows) ?? !attribute.isRequired
        return isRight ? nil : .unexpected(attribute: attribute.name, expected: attribute.expected)
    }
}

/// An attribute that a class defines, and its permitted values.
private struct ClassAttribute: Sendable {
    let name: String
    var isRequired = false
    /// The permitted values, in words that follow "is not".
    let expected: String
    let allows: @Sendable (DateRange.CustomAttribute.Value) -> Bool

    static let ofInterstitials = [
        // § D.2: only lists may be relative URIs.
        text("X-ASSET-URI", "an absolute URI", isAbsolute),
        text("X-ASSET-LIST", "a URI") { !$0.isEmpty },
        number("X-RESUME-OFFSET", "a number of seconds") { _ in true },
        number("X-PLAYOUT-LIMIT", "a number of seconds that is not negative") { !$0.hasPrefix("-") },
        list("X-SNAP", ["OUT", "IN"]),
        list("X-RESTRICT", ["SKIP", "JUMP"]),
        choice("X-CONTENT-MAY-VARY", ["YES", "NO"]),
        choice("X-TIMELINE-OCCUPIES", ["POINT", "RANGE"]),
        choice("X-TIMELINE-STYLE", ["HIGHLIGHT", "PRIMARY"]),
        number("X-SKIP-CONTROL-OFFSET", "a whole number of seconds", isWhole),
        number("X-SKIP-CONTROL-DURATION", "a whole number of seconds", isWhole),
        text("X-SKIP-CONTROL-LABEL-ID", "a name of letters, '-' and '_'", DateRange.isSkipLabel),
    ]

    static let ofPreloads = ["X-URI", "X-TARGET-ID", "X-TARGET-CLASS"].map { name in
        var attribute = text(name, "there as a quoted string") { !$0.isEmpty }
        attribute.isRequired = true
        return attribute
    }

    private static func text(
        _ name: String,
        _ expected: String,
        _ allows: @escaping @Sendable (String) -> Bool
    ) -> ClassAttribute {
        ClassAttribute(name: name, expected: expected) {
            if case .string(let text) = $0 { allows(text) } else { false }
        }
    }

    private static func number(
        _ name: String,
        _ expected: String,
        _ allows: @escaping @Sendable (String) -> Bool
    ) -> ClassAttribute {
        ClassAttribute(name: name, expected: expected) {
            if case .number(let text) = $0 { allows(text) } else { false }
        }
    }

    /// An enumerated-string-list (§ 4.2).
    private static func list(_ name: String, _ words: [String]) -> ClassAttribute {
        text(name, "a list of \(words.joined(separator: " and "))") { text in
            let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            return parts.allSatisfy(words.contains) && Set(parts).count == parts.count
        }
    }

    private static func choice(_ name: String, _ words: [String]) -> ClassAttribute {
        text(name, words.joined(separator: " or "), words.contains)
    }

    @Sendable private static func isAbsolute(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:.+/) != nil
    }

    @Sendable private static func isWhole(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }
}

extension DateRange {
    /// Returns true if a client can look up the label of a skip button with it (§ D.3).
    @Sendable static func isSkipLabel(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z_\-]+/) != nil
    }
}
