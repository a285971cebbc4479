import Playlists

/// The keys of a segment as they are saved: a list, or the one key that earlier versions knew of.
///
/// Those versions fail to read a list and begin anew; they do not take the segment for unencrypted.
struct SavedKeys: Codable {
    let keys: [EncryptionKey]

    /// Takes the keys to save; nil if there are none.
    init?(_ keys: [EncryptionKey]) {
        if keys.isEmpty { return nil }
        self.keys = keys
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            keys = try container.decode([SavedKey].self).map(\.key)
        } catch DecodingError.typeMismatch {
            keys = [try container.decode(SavedKey.self).key]
        }
        guard Set(keys.map(\.effectiveKeyFormat)).count == keys.count else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "two keys of one format")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(keys.map(SavedKey.init))
    }
}
