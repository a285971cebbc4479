import MediaCore
import Playlists
import Recording

/// The recorded slots that a peer requests: `first=NUMBER&count=NUMBER`.
struct RecordedQuestion: Hashable, Sendable {
    let numbers: Range<MediaSequenceNumber>

    /// The bytes of an answer about a ladder of ten renditions, for which room is taken before it is made.
    static let usualByteCount = 1 << 20

    /// Reads a query.
    ///
    /// - Parameter query: The query without its question mark; nil if there is none. Fails if a number is missing,
    ///   comes twice or is not decimal, or if there are more slots than an answer may have.
    init?(query: Substring?) {
        var (first, count): (Int64?, Int64?)
        for (name, value) in QueryParameters(query ?? "") {
            guard let number = Self.number(value) else { return nil }
            switch name {
            case "first" where first == nil: first = number
            case "count" where count == nil: count = number
            default: return nil
            }
        }
        guard let first, let count, first <= Self.newest, count <= RecordedSlots.most else { return nil }
        numbers = MediaSequenceNumber(first)..<MediaSequenceNumber(first + count)
    }

    /// A number that no slot reaches.
    private static let newest: Int64 = 1 << 36
    private static let mostDigits = 12

    private static func number(_ text: Substring) -> Int64? {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard (1...mostDigits).contains(text.utf8.count), text.utf8.allSatisfy(digits.contains) else { return nil }
        return Int64(text)
    }
}
