package import MediaCore

/// The time from one segment boundary to the next, exact in its track's timescale.
package struct SegmentDuration: Hashable, Sendable {
    package var value: Int64
    /// Units a second; at least 1.
    package var timescale: Int64

    package init(value: Int64, timescale: Int64) {
        self.value = value
        self.timescale = timescale
    }

    package init(_ time: MediaTime) {
        self.init(value: time.ticks, timescale: MediaTime.timescale)
    }

    /// Microseconds, rounded half up: what EXTINF says.
    package var microseconds: Int64 {
        MediaTime.rescale(value, from: timescale, to: 1_000_000)
    }

    /// The nearest length in 90 kHz ticks.
    package var time: MediaTime { MediaTime(value, timescale: timescale) }
}

extension SegmentDuration {
    /// The longest duration that is read, 11 days in microseconds: no sum of them overflows in a text that fits in
    /// memory.
    private static let longest: Int64 = 1_000_000_000_000

    /// Reads a decimal floating-point number of seconds; fails for one beyond 11 days.
    init?(decimalSeconds text: some StringProtocol) {
        var scanner = TextScanner(text)
        guard let microseconds = scanner.decimal(places: 6), microseconds <= Self.longest, scanner.isAtEnd else {
            return nil
        }
        self.init(value: microseconds, timescale: 1_000_000)
    }
}

extension SegmentDuration: CustomStringConvertible {
    /// Seconds with six decimals, as EXTINF carries them.
    package var description: String {
        var text = ""
        text.append(self)
        return text
    }
}

extension String {
    /// Appends a duration as EXTINF carries it.
    mutating func append(_ duration: SegmentDuration) {
        append(duration.microseconds, decimals: 6)
    }
}
