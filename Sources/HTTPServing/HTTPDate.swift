package import MediaCore

/// A point of UTC as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT` (RFC 9110 § 5.6.7, IMF-fixdate).
package enum HTTPDate {
    private static let weekdays = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// The whole second that `time` lies in; `time` counts from 1970.
    package static func text(_ time: MediaTime) -> String {
        let (days, second) = parts(time)
        let date = CivilDate(daysSince1970: days)
        var text = "\(weekdays[Int(days % 7)]), "
        text.append(date.day, digits: 2)
        text += " \(months[Int(date.month) - 1]) \(date.year) "
        append(second, to: &text)
        return text + " GMT"
    }

    /// The same second as access logs have it: `06/Nov/1994:08:49:37 +0000`.
    package static func logText(_ time: MediaTime) -> String {
        let (days, second) = parts(time)
        let date = CivilDate(daysSince1970: days)
        var text = ""
        text.append(date.day, digits: 2)
        text += "/\(months[Int(date.month) - 1])/\(date.year):"
        append(second, to: &text)
        return text + " +0000"
    }

    /// The same second in the form of ISO 8601, without a time zone: `1994-11-06T08:49:37`.
    package static func isoText(_ time: MediaTime) -> String {
        let (days, second) = parts(time)
        let date = CivilDate(daysSince1970: days)
        var text = "\(date.year)-"
        text.append(date.month, digits: 2)
        text += "-"
        text.append(date.day, digits: 2)
        text += "T"
        append(second, to: &text)
        return text
    }

    private static func parts(_ time: MediaTime) -> (days: Int64, second: Int64) {
        let (days, second) = max(0, time.ticks / MediaTime.timescale).quotientAndRemainder(dividingBy: 86_400)
        return (days, second)
    }

    /// Hours, minutes and seconds of a day.
    private static func append(_ second: Int64, to text: inout String) {
        text.append(second / 3600, digits: 2)
        text += ":"
        text.append(second / 60 % 60, digits: 2)
        text += ":"
        text.append(second % 60, digits: 2)
    }
}
