/// Points in time as text (ISO 8601; RFC 8216bis § 4.4.4.6 for EXT-X-PROGRAM-DATE-TIME).
extension MediaTime {
    /// UTC with milliseconds, rounded half up: `2026-11-21T08:00:00.000Z`.
    package var iso8601: String {
        var text = ""
        text.append(self)
        return text
    }
}

extension String {
    /// Appends a point in time as ``MediaTime/iso8601`` writes it.
    package mutating func append(_ time: MediaTime) {
        let (day, millisecond) = time.milliseconds.flooredQuotientAndRemainder(dividingBy: 86_400_000)
        let date = CivilDate(daysSince1970: day)
        append(date.year, digits: 4)
        append("-")
        append(date.month, digits: 2)
        append("-")
        append(date.day, digits: 2)
        append("T")
        append(millisecond / 3_600_000, digits: 2)
        append(":")
        append(millisecond / 60_000 % 60, digits: 2)
        append(":")
        append(millisecond / 1000 % 60, digits: 2)
        append(".")
        append(millisecond % 1000, digits: 3)
        append("Z")
    }

    /// Appends at least `digits` digits, with leading zeros, and with a minus sign for a negative number.
    package mutating func append(_ value: Int64, digits: Int = 1) {
        let text = String(value.magnitude)
        if value < 0 { append("-") }
        for _ in 0..<max(0, digits - text.utf8.count) { append("0") }
        append(text)
    }
}
