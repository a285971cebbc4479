import MediaCore
import Playlists

extension ListedSlot: Codable {
    private enum CodingKeys: String, CodingKey {
        case number, segments, dateRanges
        case startsDiscontinuity = "discontinuity"
        case longestListing = "listing"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        number = try container.decodeNumber(forKey: .number)
        startsDiscontinuity = try container.decodeIfPresent(Bool.self, forKey: .startsDiscontinuity) ?? false
        longestListing = MediaTime(
            ticks: try container.decode(Int64.self, in: .sensible, forKey: .longestListing)
        )
        segments = try container.decode([RenditionID: ListedSegment].self, forKey: .segments)
        for (id, segment) in segments {
            let uris = [segment.line.uri, segment.line.map?.uri].compactMap(\.self)
            try container.check(uris.allSatisfy { $0.isPath(below: id) }, .segments)
            segments[id]?.line.startsDiscontinuity = startsDiscontinuity
        }
        try container.check(isNear(self), .segments)
        dateRanges = try container.decodeIfPresent(SavedDateRanges.self, forKey: .dateRanges)?.lines ?? DateRangeLines()
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(number.value, forKey: .number)
        try container.encodeIfPresent(startsDiscontinuity ? true : nil, forKey: .startsDiscontinuity)
        try container.encode(longestListing.ticks, forKey: .longestListing)
        try container.encode(segments, forKey: .segments)
        try container.encodeIfPresent(SavedDateRanges(dateRanges), forKey: .dateRanges)
    }
}

extension String {
    /// Returns true if it is the path of a file of a rendition.
    func isPath(below id: RenditionID) -> Bool {
        let parts = split(separator: "/", omittingEmptySubsequences: false)
        return parts.count == 2 && parts[0] == id.name && String(parts[1]).isPathComponent
    }
}
