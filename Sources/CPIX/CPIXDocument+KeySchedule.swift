package import ContentProtection
package import MediaCore

extension CPIXDocument {
    /// A document of the keys of some crypto periods, with their values.
    ///
    /// - Parameters:
    ///   - contentID: The ID of the content that they protect.
    ///   - schedule: The schedule that the keys come from.
    ///   - cryptoPeriods: The periods, in order.
    ///   - slotDuration: The length of a slot.
    ///   - scheme: The scheme that they are used with.
    /// - Throws: `OpenSSLError` if keys cannot be derived.
    package init(
        contentID: String,
        _ schedule: KeySchedule,
        periods cryptoPeriods: [CryptoPeriod],
        slotDuration: MediaTime,
        scheme: EncryptionScheme
    ) throws(OpenSSLError) {
        self.init(contentID: contentID, keys: [], periods: [], usageRules: [])
        for period in cryptoPeriods {
            let id = add(period, of: schedule.periods, slotDuration: slotDuration)
            for keyClass in schedule.classes.all {
                let key = try schedule.keys(for: period, keyClass)
                keys.append(
                    Key(keyID: key.keyID, scheme: scheme, explicitIV: key.constantIV, value: key.contentKey)
                )
                usageRules.append(UsageRule(keyID: key.keyID, keyClass, in: id, of: schedule.classes))
            }
        }
    }

    /// Adds a period by its index and by its time.
    ///
    /// - Returns: Its ID; nil for the one period of keys that never change, which no rule names.
    package mutating func add(
        _ period: CryptoPeriod,
        of cryptoPeriods: CryptoPeriods,
        slotDuration: MediaTime
    ) -> String? {
        guard cryptoPeriods.slotsPerPeriod != nil else { return nil }
        let id = "period_\(period)"
        periods.append(
            Period(
                id: id,
                index: period.index,
                start: cryptoPeriods.start(of: period, slotDuration: slotDuration),
                end: cryptoPeriods.start(of: period.next, slotDuration: slotDuration)
            )
        )
        return id
    }
}

extension CPIXDocument.UsageRule {
    /// A rule for all tracks of a class.
    package init(keyID: KeyID, _ keyClass: KeyClass, in periodID: String?, of classes: KeyClasses = KeyClasses()) {
        self.init(
            keyID: keyID,
            trackType: keyClass.rawValue.uppercased(),
            periodIDs: periodID.map { [$0] } ?? [],
            video: classes.filters(of: keyClass),
            audio: keyClass == .audio ? [CPIXDocument.AudioFilter()] : []
        )
    }
}
