import MediaCore
import Playlists

/// A range of the past as a URL names it, in seconds of UTC counted from 1970.
package enum PastRange: Hashable, Sendable {
    /// The range from one second up to another; without an end it grows for as long as a range may last.
    case span(start: Int64, end: Int64?)
    /// The live stream of so many seconds ago.
    case delayed(seconds: Int64)

    /// The most seconds of a range.
    package static let longest: Int64 = 86_400
    /// The longest delay in seconds: two weeks.
    package static let longestDelay: Int64 = 1_209_600

    /// The digits of a number of seconds, which reach beyond the year 5000.
    private static let mostDigits = 11

    /// Reads the component of a path: `START-END`, `START-` or `-DELAY`.
    ///
    /// Numbers have no leading zeros, so that a range has one URL.
    package init?(component: some StringProtocol) {
        let parts = component.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let (first, last) = (Self.number(parts[0]), Self.number(parts[1]))
        switch (first, last) {
        case (let start?, let end?): self = .span(start: start, end: end)
        case (let start?, nil) where parts[1].isEmpty: self = .span(start: start, end: nil)
        case (nil, let delay?) where parts[0].isEmpty && delay > 0: self = .delayed(seconds: delay)
        default: return nil
        }
    }

    /// The range as the component of a path.
    package var component: String {
        switch self {
        case .span(let start, let end): "\(start)-\(end.map { String($0) } ?? "")"
        case .delayed(let seconds): "-\(seconds)"
        }
    }

    /// Reads the parameters `start`, `end` and `time-delay` of a query, in seconds or in ISO 8601; fails if none of
    /// them is there.
    ///
    /// - Parameter query: The query without its question mark.
    /// - Throws: ``PastRefusal`` if they are malformed, or exclude each other.
    package init?(query: Substring) throws(PastRefusal) {
        var (start, end, delay): (Substring?, Substring?, Substring?)
        for (name, value) in QueryParameters(query) {
            switch name {
            case "start": try Self.set(&start, value)
            case "end": try Self.set(&end, value)
            case "time-delay", "time_delay": try Self.set(&delay, value)
            default: break
            }
        }
        switch (start, end, delay) {
        case (nil, nil, nil): return nil
        case (let start?, let end, nil):
            self = .span(
                start: try Self.seconds(start, .down),
                end: try end.map { value throws(PastRefusal) in try Self.seconds(value, .up) }
            )
        case (nil, nil, let delay?):
            guard let seconds = Self.number(delay) else { throw .malformed }
            if seconds == 0 { return nil }
            self = .delayed(seconds: seconds)
        case (nil, .some, _): throw .endWithoutStart
        case (.some, _, .some): throw .delayWithStart
        }
    }

    /// Returns false if a query certainly names no range.
    package static func mayBe(in query: Substring) -> Bool {
        QueryParameters(query).contains { ["start", "end", "time-delay", "time_delay"].contains($0.name) }
    }

    private enum Rounding { case down, up }

    private static func set(_ place: inout Substring?, _ value: Substring) throws(PastRefusal) {
        guard place == nil else { throw .malformed }
        place = value
    }

    /// Returns the seconds of a value.
    ///
    /// Fractions are rounded so that the range includes all of the second.
    private static func seconds(_ value: Substring, _ rounding: Rounding) throws(PastRefusal) -> Int64 {
        if let number = number(value) { return number }
        guard let text = PercentEncoding.decoded(value), let time = MediaTime(iso8601: text), time >= .zero else {
            throw .malformed
        }
        let (seconds, rest) = time.ticks.quotientAndRemainder(dividingBy: MediaTime.timescale)
        return rest > 0 && rounding == .up ? seconds + 1 : seconds
    }

    private static func number(_ text: Substring) -> Int64? { number(String(text)) }

    private static func number(_ text: some StringProtocol) -> Int64? {
        guard (1...mostDigits).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit),
            text == "0" || text.utf8.first != UInt8(ascii: "0")
        else { return nil }
        return Int64(text)
    }
}
