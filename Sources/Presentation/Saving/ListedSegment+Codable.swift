import MediaCore
import Playlists

extension ListedSegment: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind, uri, start, duration, timescale, map, filler, fingerprint, selection
        case iFrame = "picture"
        case isIndependent = "independent"
        case byteCount = "bytes"
        case entityTag = "tag"
        case mediaNumber = "media"
        case mapEntityTag = "mapTag"
        case keys = "key"
        case mapKeys = "mapKey"
        case mapIsClear = "mapClear"
    }

    /// Decodes a segment; one without `tag` is a gap.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        kind = try container.require(MediaKind(rawValue: try container.decode(String.self, forKey: .kind)), .kind)
        entityTag = try container.decodeIfPresent(String.self, forKey: .entityTag)
        byteCount = try container.decodeIfPresent(Int.self, forKey: .byteCount) ?? 0
        try container.check((0...1 << 36).contains(byteCount), .byteCount)
        mediaNumber = try container.decodeNumber(forKey: .mediaNumber)
        let timescale = try container.decode(Int64.self, in: 1...1 << 24, forKey: .timescale)
        // At most an hour.
        let duration = try container.decode(Int64.self, in: 0...timescale * 3600, forKey: .duration)
        line = MediaPlaylist.Segment(
            uri: try container.decode(String.self, forKey: .uri),
            duration: SegmentDuration(value: duration, timescale: timescale),
            programDateTime: MediaTime(ticks: try container.decode(Int64.self, in: .sensible, forKey: .start)),
            isGap: entityTag == nil,
            keys: try container.decodeIfPresent(SavedKeys.self, forKey: .keys)?.keys ?? []
        )
        if let uri = try container.decodeIfPresent(String.self, forKey: .map) {
            // The map has its segment's keys unless the record says otherwise.
            let isClear = try container.decodeIfPresent(Bool.self, forKey: .mapIsClear) ?? false
            let keys = try container.decodeIfPresent(SavedKeys.self, forKey: .mapKeys)?.keys ?? line.keys
            line.map = MediaInitialization(uri: uri, keys: isClear ? [] : keys)
            mapEntityTag = try container.decode(String.self, forKey: .mapEntityTag)
        }
        fingerprint = try container.decodeIfPresent(String.self, forKey: .fingerprint)
        if let name = try container.decodeIfPresent(String.self, forKey: .filler) {
            filler = try container.require(PublishedSegment.Filler(rawValue: name), .filler)
        }
        if let bounds = try container.decodeIfPresent([Int].self, forKey: .iFrame) {
            try container.check(bounds.count == 2 && 0 <= bounds[0] && bounds[0] < bounds[1], .iFrame)
            try container.check(bounds[1] <= byteCount, .iFrame)
            iFrame = bounds[0]..<bounds[1]
        }
        isIndependent = try container.decodeIfPresent(Bool.self, forKey: .isIndependent) ?? true
        selection = try container.decodeIfPresent(SourceSelection.self, forKey: .selection)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind.rawValue, forKey: .kind)
        try container.encode(line.uri, forKey: .uri)
        try container.encode(line.programDateTime.ticks, forKey: .start)
        try container.encode(line.duration.value, forKey: .duration)
        try container.encode(line.duration.timescale, forKey: .timescale)
        try container.encode(mediaNumber.value, forKey: .mediaNumber)
        try container.encodeIfPresent(entityTag, forKey: .entityTag)
        try container.encodeIfPresent(entityTag.map { _ in byteCount }, forKey: .byteCount)
        try container.encodeIfPresent(SavedKeys(line.keys), forKey: .keys)
        try container.encodeIfPresent(line.map?.uri, forKey: .map)
        try container.encodeIfPresent(mapEntityTag, forKey: .mapEntityTag)
        if let map = line.map, map.keys != line.keys {
            try container.encodeIfPresent(SavedKeys(map.keys), forKey: .mapKeys)
            try container.encodeIfPresent(map.keys.isEmpty ? true : nil, forKey: .mapIsClear)
        }
        try container.encodeIfPresent(fingerprint, forKey: .fingerprint)
        try container.encodeIfPresent(filler?.rawValue, forKey: .filler)
        try container.encodeIfPresent(iFrame.map { [$0.lowerBound, $0.upperBound] }, forKey: .iFrame)
        try container.encodeIfPresent(isIndependent ? nil : false, forKey: .isIndependent)
        try container.encodeIfPresent(selection, forKey: .selection)
    }
}
