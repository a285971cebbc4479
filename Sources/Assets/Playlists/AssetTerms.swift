import ContentProtection
package import MediaCore
package import Playlists

/// The choices that were made for the playlists of an asset.
package struct AssetTerms: Hashable, Sendable {
    /// UTC; the first and the last segment may reach beyond.
    package var range: Range<MediaTime>
    /// Breaks that are cut out, in UTC, in order.
    package var cuts: [Range<MediaTime>]
    /// True if the asset has segments of its own; otherwise it lists those of the channel.
    package var hasMedia: Bool
    /// The form in which the channel's playlists write the addresses of keys.
    package var keyAddresses: KeyAddresses

    package init(
        range: Range<MediaTime>,
        cuts: [Range<MediaTime>] = [],
        hasMedia: Bool = false,
        keyAddresses: KeyAddresses = KeyAddresses()
    ) {
        (self.range, self.cuts, self.hasMedia, self.keyAddresses) = (range, cuts, hasMedia, keyAddresses)
    }

    /// The range without the cuts.
    var pieces: [Range<MediaTime>] {
        var (pieces, start): ([Range<MediaTime>], MediaTime) = ([], range.lowerBound)
        for cut in cuts where cut.upperBound > start && cut.lowerBound < range.upperBound {
            if cut.lowerBound > start { pieces.append(start..<cut.lowerBound) }
            start = cut.upperBound
        }
        if start < range.upperBound { pieces.append(start..<range.upperBound) }
        return pieces
    }

    /// Half a picture.
    ///
    /// Playlists tell times to the millisecond, and UTC may be slewed against media time: a range from
    /// the time of one segment to that of another has none of their neighbours.
    private static let rounding = MediaTime(milliseconds: 20)

    /// Returns true if a segment is listed: it is of the range, and most of it is of no break that is cut out.
    func keeps(_ line: MediaPlaylist.Segment) -> Bool {
        let (start, length) = (line.programDateTime, line.duration.time)
        guard start + Self.rounding < range.upperBound, start + length > range.lowerBound + Self.rounding else {
            return false
        }
        let middle = start + MediaTime(ticks: length.ticks / 2)
        return !cuts.contains { $0.contains(middle) }
    }

    /// Returns the date ranges that begin neither in a cut nor after the asset.
    func kept(_ ranges: [DateRange]) -> [DateRange] {
        ranges.filter { range in
            guard let start = range.start else { return true }
            return start < self.range.upperBound && !cuts.contains { $0.contains(start) }
        }
    }

    /// Changes the line of a segment to that of the asset's playlists.
    ///
    /// - Parameters:
    ///   - line: The line as the channel listed it.
    ///   - number: The number of the segment.
    ///   - listed: The number that the asset's playlist counts for it.
    /// - Returns: The line, with URIs that are relative to the asset's playlists.
    func line(
        _ line: MediaPlaylist.Segment,
        _ number: MediaSequenceNumber,
        listedAs listed: MediaSequenceNumber
    ) -> MediaPlaylist.Segment {
        var line = line.naming(keys: keyAddresses)
        // A segment's vector is its number, which another place in the playlist would change (RFC 8216bis § 5.2).
        if number != listed {
            for index in line.keys.indices
            where line.keys[index].method == .aes128 && line.keys[index].initializationVector == nil {
                line.keys[index].initializationVector = number.initializationVector
            }
        }
        for index in line.keys.indices { line.keys[index].uri = Self.above(line.keys[index].uri) }
        if var map = line.map {
            for index in map.keys.indices { map.keys[index].uri = Self.above(map.keys[index].uri) }
            if !hasMedia { map.uri = Self.above(map.uri) }
            line.map = map
        }
        if !hasMedia { line.uri = Self.above(line.uri) }
        return line
    }

    /// Returns a URI relative to `/NAME/recordings/ID/` for one that is relative to the channel's playlists.
    static func above(_ uri: String) -> String { uri.isRelativeURI ? "\(aboveAsset)\(uri)" : uri }

    /// The place of the channel's playlists, from those of an asset.
    static let aboveAsset = "../../"
}
