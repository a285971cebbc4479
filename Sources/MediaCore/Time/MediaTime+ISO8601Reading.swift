/// Points in time from text (ISO 8601; RFC 8216bis § 4.4.4.6 for EXT-X-PROGRAM-DATE-TIME).
extension MediaTime {
    /// Reads date, time, an optional fraction of the second, and a zone: `Z`, `±hh:mm`, `±hhmm` or `±hh`.
    ///
    /// Fails for other text: without a zone it does not name a point in time.
    package init?(iso8601 text: some StringProtocol) {
        var scanner = TextScanner(text)
        guard let year = scanner.digits(4), scanner.skip("-"), let month = scanner.digits(2), scanner.skip("-"),
            let day = scanner.digits(2), let days = CivilDate(year: year, month: month, day: day).daysSince1970,
            scanner.skip("T"), let hour = scanner.digits(2), hour < 24,
            scanner.skip(":"), let minute = scanner.digits(2), minute < 60,
            scanner.skip(":"), let microseconds = scanner.decimal(places: 6), microseconds < 61_000_000,
            let zone = scanner.zoneOffset(), scanner.isAtEnd
        else { return nil }
        self = MediaTime(seconds: days * 86_400 + (hour * 60 + minute - zone) * 60)
        self += MediaTime(microseconds, timescale: 1_000_000)
    }
}

extension TextScanner {
    /// Takes a zone; minutes that it is ahead of UTC.
    fileprivate mutating func zoneOffset() -> Int64? {
        if skip("Z") { return 0 }
        let isAhead = skip("+")
        guard isAhead || skip("-"), let hours = digits(2) else { return nil }
        let hasMinutes = skip(":")
        guard let minutes = hasMinutes || !isAtEnd ? digits(2) : 0 else { return nil }
        return (hours * 60 + minutes) * (isAhead ? 1 : -1)
    }
}
