package import MediaCore
import NIOCore
package import Playlists

/// A part that viewers have of one of the newest slots: enough for another process to list it again.
///
/// It names its bytes but does not hold them. Parts end to end are the first bytes of their segment.
package struct SavedPart: Hashable, Sendable {
    package var rendition: RenditionID
    package var number: MediaSequenceNumber
    /// The index of the part, counted from 0 in each slot.
    package var index: Int
    package var duration: SegmentDuration
    /// True if it has a sync sample.
    package var isIndependent: Bool
    /// A hash of the bytes: `ContentHash` in quotes; nil in a gap.
    package var entityTag: String?
    /// The size in bytes; 0 in a gap.
    package var byteCount: Int
    /// The beginning of its slot; nil for all parts but the first, if it is unknown, and once the slot is over.
    package var opening: Opening?
    /// True if it is known that no part of its slot follows.
    package var isLast: Bool

    /// The values that a playlist has above the first part of a slot.
    package struct Opening: Hashable, Sendable {
        /// The time of the first sample, in UTC.
        package var programDateTime: MediaTime
        package var startsDiscontinuity: Bool
        package var keys: [EncryptionKey]
        package var map: MediaInitialization?
        /// The entity tag of the initialization section that `map` names.
        package var mapEntityTag: String?
    }

    package var isGap: Bool { entityTag == nil }

    var position: PlaylistPosition { PlaylistPosition(number, part: index) }

    /// The path of its bytes, below the channel's name.
    package var path: String { place.description }

    /// The path of the segment that it belongs to; only segments of fMP4 have parts.
    package var segmentPath: String { place.segment }

    private var place: PartPath { PartPath(rendition, number, index) }

    /// The paths of the bytes that it names, with their entity tags.
    var namedBytes: [(path: String, entityTag: String)] {
        let section = opening?.map.flatMap { map in opening?.mapEntityTag.map { (path: map.uri, entityTag: $0) } }
        return [entityTag.map { (path: path, entityTag: $0) }, section].compactMap(\.self)
    }

    package init(_ part: PublishedPart, of rendition: RenditionID) {
        let entityTag = part.media.map { ContentHash(of: $0).entityTag }
        self.init(ListedPart(part, entityTag: entityTag), at: part.position, of: rendition, opening: part.opening)
    }

    /// - Parameters:
    ///   - part: The listed part.
    ///   - position: Its slot and its index.
    ///   - rendition: Its rendition.
    ///   - opening: The beginning of its slot, if it is the first part.
    init(
        _ part: ListedPart,
        at position: PlaylistPosition,
        of rendition: RenditionID,
        opening: PublishedPart.Opening?
    ) {
        self.rendition = rendition
        (number, index) = (position.number, position.part ?? 0)
        (duration, isIndependent, isLast) = (part.duration, part.isIndependent, part.isLast)
        (entityTag, byteCount) = (part.entityTag, part.byteCount)
        self.opening = opening.map { Opening($0, of: rendition) }
    }
}

extension SavedPart.Opening {
    fileprivate init(_ opening: PublishedPart.Opening, of rendition: RenditionID) {
        let section = opening.initialization
        programDateTime = opening.programDateTime
        startsDiscontinuity = opening.startsDiscontinuity
        keys = opening.keys
        map = section.map { MediaInitialization(uri: "\(rendition)/\($0.name)", keys: $0.keys) }
        mapEntityTag = section.map { ContentHash(of: $0.bytes).entityTag }
    }
}

/// The field names are the journal's format.
extension SavedPart: Codable {
    private enum CodingKeys: String, CodingKey {
        case rendition, number, index, duration, timescale, opening
        case isIndependent = "independent"
        case entityTag = "tag"
        case byteCount = "bytes"
        case isLast = "last"
    }

    /// - Throws: `DecodingError`, also if numbers are beyond reason, or a path leaves its directory.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        rendition = try container.decode(RenditionID.self, forKey: .rendition)
        number = try container.decodeNumber(forKey: .number)
        index = try container.decode(Int.self, in: 0...SavedParts.mostParts, forKey: .index)
        let timescale = try container.decode(Int64.self, in: 1...1 << 24, forKey: .timescale)
        // At most an hour, like a segment.
        let value = try container.decode(Int64.self, in: 0...timescale * 3600, forKey: .duration)
        duration = SegmentDuration(value: value, timescale: timescale)
        isIndependent = try container.decodeIfPresent(Bool.self, forKey: .isIndependent) ?? false
        entityTag = try container.decodeIfPresent(String.self, forKey: .entityTag)
        byteCount = try container.decodeIfPresent(Int.self, forKey: .byteCount) ?? 0
        try container.check((0...1 << 36).contains(byteCount) && (entityTag != nil || byteCount == 0), .byteCount)
        isLast = try container.decodeIfPresent(Bool.self, forKey: .isLast) ?? false
        opening = try container.decodeIfPresent(Opening.self, forKey: .opening)
        try container.check(opening == nil || index == 0, .opening)
        try container.check(opening?.map?.uri.isPath(below: rendition) ?? true, .opening)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(rendition, forKey: .rendition)
        try container.encode(number.value, forKey: .number)
        try container.encode(index, forKey: .index)
        try container.encode(duration.value, forKey: .duration)
        try container.encode(duration.timescale, forKey: .timescale)
        try container.encodeIfPresent(isIndependent ? true : nil, forKey: .isIndependent)
        try container.encodeIfPresent(entityTag, forKey: .entityTag)
        try container.encodeIfPresent(entityTag.map { _ in byteCount }, forKey: .byteCount)
        try container.encodeIfPresent(isLast ? true : nil, forKey: .isLast)
        try container.encodeIfPresent(opening, forKey: .opening)
    }
}

extension SavedPart.Opening: Codable {
    private enum CodingKeys: String, CodingKey {
        case start, map, mapTag
        case startsDiscontinuity = "discontinuity"
        case keys = "key"
        case mapKeys = "mapKey"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        programDateTime = try container.decodeTime(forKey: .start)
        startsDiscontinuity = try container.decodeIfPresent(Bool.self, forKey: .startsDiscontinuity) ?? false
        keys = try container.decodeIfPresent(SavedKeys.self, forKey: .keys)?.keys ?? []
        if let uri = try container.decodeIfPresent(String.self, forKey: .map) {
            let keys = try container.decodeIfPresent(SavedKeys.self, forKey: .mapKeys)?.keys ?? []
            map = MediaInitialization(uri: uri, keys: keys)
            mapEntityTag = try container.decode(String.self, forKey: .mapTag)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(programDateTime.ticks, forKey: .start)
        try container.encodeIfPresent(startsDiscontinuity ? true : nil, forKey: .startsDiscontinuity)
        try container.encodeIfPresent(SavedKeys(keys), forKey: .keys)
        try container.encodeIfPresent(map?.uri, forKey: .map)
        try container.encodeIfPresent(mapEntityTag, forKey: .mapTag)
        try container.encodeIfPresent(map.flatMap { SavedKeys($0.keys) }, forKey: .mapKeys)
    }
}
