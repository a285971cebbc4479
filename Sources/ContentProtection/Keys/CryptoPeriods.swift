package import MediaCore

/// The division of slots into crypto periods.
package struct CryptoPeriods: Hashable, Sendable {
    /// Slots in a crypto period; nil if the keys never change, which makes all time period 0.
    package let slotsPerPeriod: Int64?

    /// - Parameter slotsPerPeriod: Positive, or nil for keys that never change.
    package init(slotsPerPeriod: Int64?) {
        precondition(slotsPerPeriod.map { $0 > 0 } ?? true, "a crypto period has slots")
        self.slotsPerPeriod = slotsPerPeriod
    }

    package func period(of slot: MediaSequenceNumber) -> CryptoPeriod {
        guard let slotsPerPeriod else { return CryptoPeriod(0) }
        let (quotient, remainder) = slot.value.quotientAndRemainder(dividingBy: slotsPerPeriod)
        return CryptoPeriod(remainder < 0 ? quotient - 1 : quotient)
    }

    /// The first slot of a period; nil if keys never change, since then it has no beginning.
    package func firstSlot(of period: CryptoPeriod) -> MediaSequenceNumber? {
        slotsPerPeriod.map { MediaSequenceNumber(period.index * $0) }
    }

    /// The beginning of a period in UTC; nil if keys never change, or it is thousands of years away.
    ///
    /// Slots that are read of a damaged playlist may have any number.
    package func start(of period: CryptoPeriod, slotDuration: MediaTime) -> MediaTime? {
        guard let slot = firstSlot(of: period) else { return nil }
        let (ticks, isBeyond) = slotDuration.ticks.multipliedReportingOverflow(by: slot.value)
        guard !isBeyond, ticks.magnitude <= MediaTime.eventTimes.upperBound.ticks.magnitude else { return nil }
        return MediaTime(ticks: ticks)
    }

    /// The period of a slot and those that follow it.
    ///
    /// - Parameters:
    ///   - slot: A slot of the first period.
    ///   - count: The number of periods that follow; there are none if keys never change.
    /// - Returns: In order.
    package func periods(from slot: MediaSequenceNumber, following count: Int) -> [CryptoPeriod] {
        var periods = [period(of: slot)]
        while slotsPerPeriod != nil, periods.count <= count { periods.append(periods[periods.count - 1].next) }
        return periods
    }
}
