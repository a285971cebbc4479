/// Points in time as text (ISO 8601; RFC 8216bis § 4.4.4.6 for EXT-X-PROGRAM-DATE-TIME).
extension MediaTime {
    /// UTC with milliseconds, rounded half up: `2026-11-21T08:00:00.000Z`.
    package var iso8601: String {
        var text = ""
        text.append(self)
        return text
    }

    /// UTC in whole seconds, of which nothing is rounded up, without separators: `20261121T080000Z`.
    package var basicISO8601: String {
        let second = ticks.flooredQuotientAndRemainder(dividingBy: Self.timescale).quotient
        return MediaTime(seconds: second).iso8601.prefix { $0 != "." }.filter { $0 != "-" && $0 != ":" } + "Z"
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
        append(hoursOf: millisecond)
        append("Z")
    }

    /// Appends milliseconds, which are not negative, as hours, minutes and seconds: `08:00:00.000`.
    package mutating func append(hoursOf milliseconds: Int64) {
        append(milliseconds / 3_600_000, digits: 2)
        append(":")
        append(milliseconds / 60_000 % 60, digits: 2)
        append(":")
        append(milliseconds / 1000 % 60, digits: 2)
        append(".")
        append(milliseconds % 1000, digits: 3)
    }

    /// Appends at least `digits` digits, with leading zeros, and with a minus sign for a negative number.
    package mutating func append(_ value: Int64, digits: Int = 1) {
        let text = String(value.magnitude)
        if value < 0 { append("-") }
        for _ in 0..<max(0, digits - text.utf8.count) { append("0") }
        append(text)
    }
}
