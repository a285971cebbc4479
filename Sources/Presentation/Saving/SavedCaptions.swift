import Playlists

/// Captions as they are saved with the video that carries them.
struct SavedCaptions: Codable {
    let captions: MultivariantPlaylist.ClosedCaptions

    private enum CodingKeys: String, CodingKey {
        case group, name, language
        case instreamID = "instream"
        case isDefault = "default"
        case isAutoselect = "autoselect"
    }

    init(_ captions: MultivariantPlaylist.ClosedCaptions) {
        self.captions = captions
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        captions = MultivariantPlaylist.ClosedCaptions(
            groupID: try container.decode(String.self, forKey: .group),
            name: try container.decode(String.self, forKey: .name),
            language: try container.decodeIfPresent(String.self, forKey: .language),
            instreamID: try container.decode(String.self, forKey: .instreamID),
            isDefault: try container.decode(Bool.self, forKey: .isDefault),
            isAutoselect: try container.decode(Bool.self, forKey: .isAutoselect)
        )
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(captions.groupID, forKey: .group)
        try container.encode(captions.name, forKey: .name)
        try container.encodeIfPresent(captions.language, forKey: .language)
        try container.encode(captions.instreamID, forKey: .instreamID)
        try container.encode(captions.isDefault, forKey: .isDefault)
        try container.encode(captions.isAutoselect, forKey: .isAutoselect)
    }
}
