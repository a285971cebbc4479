import MediaCore

/// Timestamps of WebVTT: `mm:ss.ttt`, or with hours before them (WebVTT § 4.1).
enum WebVTTTimestamp {
    /// The most hours of a timestamp, longer than any document; times up to it overflow no arithmetic.
    private static let mostHours: Int64 = 1 << 32

    /// Reads a timestamp; returns nil for other text.
    static func time(_ text: some StringProtocol) -> MediaTime? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3, let last = parts.last else { return nil }
        let seconds = last.split(separator: ".", omittingEmptySubsequences: false)
        guard seconds.count == 2, seconds[0].utf8.count == 2, seconds[1].utf8.count == 3,
            let second = seconds[0].number, second < 60, let millisecond = seconds[1].number,
            parts[parts.count - 2].utf8.count == 2, let minute = parts[parts.count - 2].number, minute < 60
        else { return nil }
        let hours = parts.count == 3 ? parts[0].number : 0
        guard let hours, hours <= mostHours, parts.count == 2 || parts[0].utf8.count >= 2 else { return nil }
        return MediaTime(milliseconds: ((hours * 60 + minute) * 60 + second) * 1000 + millisecond)
    }

    /// The text of a time, which is not negative.
    static func text(_ time: MediaTime) -> String {
        var text = ""
        text.append(hoursOf: time.milliseconds)
        return text
    }
}

extension StringProtocol {
    /// The number, if it is made of ASCII digits only; nil otherwise, and where there are too many.
    var number: Int64? { utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(self) : nil }
}
