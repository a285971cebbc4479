import MediaCore
import Playlists

/// The saved form of a key: its description in a playlist, never the key itself.
struct SavedKey: Codable {
    let key: EncryptionKey

    private enum CodingKeys: String, CodingKey {
        case method, uri, format, versions
        /// 32 hexadecimal digits.
        case iv
    }

    init(_ key: EncryptionKey) {
        self.key = key
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let method = EncryptionKey.Method(rawValue: try container.decode(String.self, forKey: .method))
        let digits = try container.decodeIfPresent(String.self, forKey: .iv)
        let initializationVector = digits.flatMap { Bytes16(hex: $0) }
        try container.check((initializationVector == nil) == (digits == nil), .iv)
        key = EncryptionKey(
            method: try container.require(method, .method),
            uri: try container.decode(String.self, forKey: .uri),
            initializationVector: initializationVector,
            keyFormat: try container.decodeIfPresent(String.self, forKey: .format),
            keyFormatVersions: try container.decodeIfPresent(String.self, forKey: .versions)
        )
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(key.method.rawValue, forKey: .method)
        try container.encode(key.uri, forKey: .uri)
        try container.encodeIfPresent(key.initializationVector?.hex, forKey: .iv)
        try container.encodeIfPresent(key.keyFormat, forKey: .format)
        try container.encodeIfPresent(key.keyFormatVersions, forKey: .versions)
    }
}
