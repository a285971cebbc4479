package import ContentProtection
package import MediaCore

extension CPIXDocument {
    /// The keys of a channel's crypto period.
    ///
    /// - Parameters:
    ///   - period: The period of the channel.
    ///   - start: The beginning of the period, in UTC; nil if keys never change.
    ///   - classes: The classes whose keys are wanted.
    ///   - all: All classes of the channel.
    /// - Returns: A key for each class.
    /// - Throws: ``CPIXError`` if there is none for a class, or more than one, or one without a value.
    package func keys(
        of period: CryptoPeriod,
        from start: MediaTime?,
        _ classes: [KeyClass],
        of all: KeyClasses = KeyClasses()
    ) throws(CPIXError) -> [PeriodKey] {
        if let rule = usageRules.first(where: { !$0.otherFilters.isEmpty }) {
            throw CPIXError(
                "ContentKeyUsageRule of \(rule.keyID.uuid)",
                "this packager cannot tell what its \(rule.otherFilters[0]) is for, and so no rule can be used"
            )
        }
        let current = periods.filter { $0.covers(period, from: start) }
        let rules = usageRules.filter { rule in
            rule.periodIDs.isEmpty || current.contains { $0.id.map(rule.periodIDs.contains) ?? false }
        }
        var found: [PeriodKey] = []
        for keyClass in classes {
            let key = try self.key(rules.filter { $0.isFor(keyClass, of: all) }, keyClass, period, start)
            if let other = found.first(where: { $0.keyID == key.keyID }) {
                throw CPIXError(
                    "ContentKey \(key.keyID.uuid)",
                    "\(other.keyClass.rawValue) and \(keyClass.rawValue) have the same key; each needs its own"
                )
            }
            found.append(key)
        }
        return found
    }

    private func key(
        _ rules: [UsageRule],
        _ keyClass: KeyClass,
        _ period: CryptoPeriod,
        _ start: MediaTime?
    ) throws(CPIXError) -> PeriodKey {
        let what =
            "for \(keyClass.rawValue) in crypto period \(period)"
            + (start.map { ", which begins at \($0.iso8601)" } ?? "")
        let candidates = Set(rules.map(\.keyID))
        guard candidates.count < 2 else {
            let remedy = Set(rules.map(\.video)).count > 1 ? "; key-classes can tell them apart" : ""
            throw CPIXError(
                "ContentKeyUsageRuleList",
                "it has \(candidates.count) keys \(what); one is expected\(remedy)"
            )
        }
        guard let keyID = candidates.first, let key = keys.first(where: { $0.keyID == keyID }) else {
            throw CPIXError("ContentKeyUsageRuleList", "it has no key \(what)")
        }
        guard let value = key.value else {
            throw CPIXError("ContentKey \(keyID.uuid)", "it has no value, and is wanted \(what)")
        }
        return PeriodKey(
            period: period,
            keyClass: keyClass,
            keyID: keyID,
            contentKey: value,
            // The key ID is public and differs for every key, as an initialization vector must.
            constantIV: key.explicitIV ?? keyID.bytes,
            signalling: try signalling(of: keyID),
            displayProtection: try key.displayProtection()
        )
    }
}
