/// A day of the proleptic Gregorian calendar.
///
/// Years are counted from 1 March, so that the leap day is the last day of one; 400 of them, an era, always have
/// 146,097 days.
package struct CivilDate: Hashable {
    package var year: Int64
    /// 1 to 12.
    package var month: Int64
    /// 1 to 31.
    package var day: Int64

    private static let daysPerEra: Int64 = 146_097
    /// The days from 1 March of year 0 to 1 January 1970.
    private static let daysTo1970: Int64 = 719_468

    package init(year: Int64, month: Int64, day: Int64) {
        self.year = year
        self.month = month
        self.day = day
    }

    package init(daysSince1970 days: Int64) {
        let (era, dayOfEra) = (days + Self.daysTo1970).flooredQuotientAndRemainder(dividingBy: Self.daysPerEra)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    }

    /// Days from 1970-01-01; nil if the calendar has no such day.
    package var daysSince1970: Int64? {
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        let (era, yearOfEra) = (month <= 2 ? year - 1 : year).flooredQuotientAndRemainder(dividingBy: 400)
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * Self.daysPerEra + dayOfEra - Self.daysTo1970
        // 30 February counts to a day of March: such a day does not come back as itself.
        return CivilDate(daysSince1970: days) == self ? days : nil
    }
}

extension Int64 {
    /// The quotient rounded down, and a remainder that is never negative; `divisor` is positive.
    package func flooredQuotientAndRemainder(dividingBy divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
