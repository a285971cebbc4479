package import FoundationEssentials
package import MediaCore

/// The current and the next crypto period of a channel, in JSON, for operators and for players that fetch ahead.
///
/// It has the IDs, addresses and times of keys, and no secrets.
package struct KeyScheduleDocument: Hashable, Sendable, Encodable {
    package struct Entry: Hashable, Sendable, Encodable {
        /// Index of the crypto period.
        package var period: Int64
        /// `video`, `audio`, or a class of video that is apart, such as `uhd`.
        package var trackClass: String
        /// 32 hexadecimal digits.
        package var keyID: String
        /// The URI of the key itself; absent if only licence servers have it.
        package var uri: String?
        /// The names that playlists have for it, by KEYFORMAT; absent if there is none.
        package var uris: [String: String]?
        /// The URI of Clear Key licences; absent if they are beside the playlists.
        package var licenseURI: String?
        /// Seconds after which a player asks for it again; absent if it need not.
        package var lease: UInt32?
        /// ISO 8601, in the stream's UTC (EXT-X-PROGRAM-DATE-TIME); both are absent if keys never change.
        package var start: String?
        package var end: String?
        /// The times between which a player that plays already fetches it, at a random moment: all at once would be a
        /// storm.
        package var fetchFrom: String?
        package var fetchUntil: String?
    }

    package var entries: [Entry]

    /// - Parameters:
    ///   - keys: The keys; unknown ones are left out.
    ///   - slot: The live edge.
    ///   - segmentDuration: Length of a slot.
    ///   - spread: The time that players have to fetch a key; nil for the longest possible.
    ///   - delay: The delay of viewers: they fetch a key so much later.
    ///   - licenseURI: The URI of Clear Key licences; nil for the directory of the playlists.
    ///   - leaseSeconds: The seconds for which a key may be used; nil for as long as playback lasts.
    ///   - references: Returns the public part of a key, once for each key system.
    /// - Throws: The error of `keys`.
    package init(
        _ keys: any KeyDirectory,
        at slot: MediaSequenceNumber,
        segmentDuration: MediaTime,
        spread: MediaTime?,
        delay: MediaTime = .zero,
        licenseURI: String? = nil,
        leaseSeconds: UInt32? = nil,
        references: (PeriodKey) -> [KeyReference]
    ) throws {
        let time = { (period: CryptoPeriod) in
            keys.periods.firstSlot(of: period).map { (segmentDuration * $0.value).iso8601 }
        }
        var entries: [Entry] = []
        for period in keys.periods.periods(from: slot, following: 1) {
            let window = keys.periods.firstSlot(of: period).map { start in
                Self.fetchWindow(before: start, keys.periods, segmentDuration, spread)
            }
            for keyClass in keys.classes.all {
                guard let key = try keys.key(for: period, keyClass) else { continue }
                let named = references(key)
                let licensed = named.compactMap { key in key.system.keyFormat.map { ($0, key.uri) } }
                entries.append(
                    Entry(
                        period: period.index,
                        trackClass: keyClass.rawValue,
                        keyID: key.keyID.description,
                        uri: named.first { $0.system == .identity }?.uri,
                        uris: licensed.isEmpty ? nil : Dictionary(licensed) { first, _ in first },
                        licenseURI: licenseURI,
                        lease: leaseSeconds,
                        start: time(period),
                        end: time(period.next),
                        fetchFrom: window.map { ($0.lowerBound + delay).iso8601 },
                        fetchUntil: window.map { ($0.upperBound + delay).iso8601 }
                    )
                )
            }
        }
        self.entries = entries
    }

    /// Returns the best time for fetching the key of a period.
    ///
    /// The key is available from the first slot of the period before. The moments around a change of keys are left to
    /// players that have just joined: three seconds, or a quarter of the time if that is shorter.
    private static func fetchWindow(
        before start: MediaSequenceNumber,
        _ periods: CryptoPeriods,
        _ segmentDuration: MediaTime,
        _ spread: MediaTime?
    ) -> ClosedRange<MediaTime> {
        let earliest = segmentDuration * (start.value - (periods.slotsPerPeriod ?? 0) + 1)
        let end = segmentDuration * start.value
        let margin = min(MediaTime(seconds: 3), MediaTime(ticks: max(0, (end - earliest).ticks) / 4))
        let latest = max(earliest, end - margin)
        let first = spread.map { max(earliest, latest - $0) } ?? earliest
        return min(max(first, earliest + margin), latest)...latest
    }

    package func encode(to encoder: any Encoder) throws {
        try entries.encode(to: encoder)
    }

    /// A JSON array of entries, the same bytes for the same entries.
    package func json() throws -> Data {
        try JSONEncoder.readable.encode(self)
    }
}
