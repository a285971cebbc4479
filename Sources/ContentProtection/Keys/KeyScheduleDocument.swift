package import FoundationEssentials
package import MediaCore

/// The current and the next crypto period of a channel, in JSON, for operators and for players that fetch ahead: which
/// keys, where and from when to when, but none of the secrets.
package struct KeyScheduleDocument: Hashable, Sendable, Encodable {
    package struct Entry: Hashable, Sendable, Encodable {
        /// Index of the crypto period.
        package var period: Int64
        /// `video` or `audio`.
        package var trackClass: String
        /// 32 hexadecimal digits.
        package var keyID: String
        package var uri: String
        /// ISO 8601, UTC; both are absent where keys never change.
        package var start: String?
        package var end: String?
    }

    package var entries: [Entry]

    /// - Parameters:
    ///   - keys: Those that there are; what is not known is left out.
    ///   - slot: The live edge.
    ///   - segmentDuration: Length of a slot.
    ///   - uri: Where a key is fetched.
    /// - Throws: What `keys` throws.
    package init(
        _ keys: any KeyDirectory,
        at slot: MediaSequenceNumber,
        segmentDuration: MediaTime,
        uri: (KeyID) -> String
    ) throws {
        let time = { (period: CryptoPeriod) in
            keys.periods.firstSlot(of: period).map { (segmentDuration * $0.value).iso8601 }
        }
        var entries: [Entry] = []
        for period in keys.periods.periods(from: slot, following: 1) {
            for keyClass in KeyClass.allCases {
                guard let keyID = try keys.key(for: period, keyClass)?.keyID else { continue }
                entries.append(
                    Entry(
                        period: period.index,
                        trackClass: keyClass.rawValue,
                        keyID: keyID.description,
                        uri: uri(keyID),
                        start: time(period),
                        end: time(period.next)
                    )
                )
            }
        }
        self.entries = entries
    }

    package func encode(to encoder: any Encoder) throws {
        try entries.encode(to: encoder)
    }

    /// A JSON array of entries, the same bytes for the same entries.
    package func json() throws -> Data {
        try JSONEncoder.readable.encode(self)
    }
}
