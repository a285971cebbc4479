package import MediaCore

/// A point of UTC as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 § 5.6.7, IMF-fixdate).
package enum HTTPDate {
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The whole second that `time` lies in; `time` counts from 1970.
    package static func text(_ time: MediaTime) -> String {
        let seconds = max(0, time.ticks / MediaTime.timescale)
        let (days, second) = Int(seconds).quotientAndRemainder(dividingBy: 86_400)
        let (year, month, day) = civilDate(daysSince1970: days)
        let date = "\(weekdays[days % 7]), \(padded(day)) \(months[month - 1]) \(year)"
        return "\(date) \(padded(second / 3600)):\(padded(second / 60 % 60)):\(padded(second % 60)) GMT"
    }

    private static func padded(_ value: Int) -> String {
        value < 10 ? "0\(value)" : String(value)
    }

    /// Gregorian year, month (1 to 12) and day (1 to 31).
    private static func civilDate(daysSince1970 days: Int) -> (year: Int, month: Int, day: Int) {
        // Counted from 1 March 2000 backwards to 1 March 0000, so that the leap day ends a year; 146,097 days are 400 years.
        let (era, dayOfEra) = (days + 719_468).quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}
