import MediaCore
import Playlists
import Presentation

/// The form in which recorded slots are listed.
struct LineStyle: Hashable, Sendable {
    /// The length of a slot.
    let segmentDuration: MediaTime
    /// The addresses of keys that the packager gives out.
    let keyAddresses: KeyAddresses

    /// The relative path from a playlist of the past, `/NAME/past/START-END/RENDITION.m3u8`, to those of live media.
    static let prefix = "../../"

    /// A text that identifies the style: lines of another style are rendered again.
    var mark: String {
        let key = keyAddresses.playlistKey(EncryptionKey(method: .aes128, uri: "key"))
        return "2 \(segmentDuration.ticks) \(key.uri)"
    }

    /// Returns the segment of a slot as its playlist lists it; a gap if the slot does not have it.
    func segment(of section: LineSection, in slot: StoredSlot?, _ number: MediaSequenceNumber) -> MediaPlaylist.Segment
    {
        guard let listed = slot?.slot.segments[section.media] else {
            return MediaPlaylist.Segment(
                uri: "\(Self.prefix)\(section.media)/\(number).\(section.format.rawValue)",
                duration: SegmentDuration(segmentDuration),
                programDateTime: segmentDuration * number.value,
                isGap: true,
                startsDiscontinuity: slot?.slot.startsDiscontinuity ?? false
            )
        }
        var line = listed.line.naming(keys: keyAddresses)
        line.uri = Self.prefix + line.uri
        line.keys = line.keys.map(Self.moved)
        if let map = line.map {
            line.map = MediaInitialization(uri: Self.prefix + map.uri, keys: map.keys.map(Self.moved))
        }
        if section.isIFramesOnly {
            line.byteRange = listed.iFrame
            line.isGap = listed.iFrame == nil
        }
        return line
    }

    /// Returns a key with its address as seen from the playlist.
    private static func moved(_ key: EncryptionKey) -> EncryptionKey {
        var key = key
        if key.uri.isRelativeURI { key.uri = prefix + key.uri }
        return key
    }
}

/// A playlist with lines in a block: a rendition's, or the I-frame playlist of it.
struct LineSection: Hashable, Sendable {
    /// The name of the playlist.
    var id: RenditionID
    /// The rendition whose media it lists.
    var media: RenditionID
    var kind: MediaKind
    var format: SegmentFormat

    var isIFramesOnly: Bool { id != media }
}

extension StoredSlot {
    /// The playlists that list a segment of the slot.
    var sections: [LineSection] {
        slot.segments.flatMap { id, segment in
            let format = SegmentFormat(path: segment.line.uri)
            let own = LineSection(id: id, media: id, kind: segment.kind, format: format)
            guard segment.iFrame != nil else { return [own] }
            return [own, LineSection(id: id.iFrames, media: id, kind: segment.kind, format: format)]
        }
    }
}
