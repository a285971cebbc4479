import MediaCore
import Playlists

extension RenditionDescription: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, kind, codec, width, height, frameRate, audioGroup, language, name, channels
        case isDefault = "default"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let kind = TrackKind(rawValue: try container.decode(String.self, forKey: .kind))
        self.init(
            id: try container.decode(RenditionID.self, forKey: .id),
            kind: try container.require(kind, .kind),
            codec: try container.decode(String.self, forKey: .codec),
            audioGroup: try container.decodeIfPresent(String.self, forKey: .audioGroup),
            language: try container.decodeIfPresent(String.self, forKey: .language),
            name: try container.decodeIfPresent(String.self, forKey: .name),
            channels: try container.decodeIfPresent(Int.self, forKey: .channels),
            isDefault: try container.decodeIfPresent(Bool.self, forKey: .isDefault) ?? false
        )
        if let width = try container.decodeIfPresent(Int.self, forKey: .width) {
            resolution = Resolution(width: width, height: try container.decode(Int.self, forKey: .height))
        }
        if let rate = try container.decodeIfPresent([Int].self, forKey: .frameRate) {
            try container.check(rate.count == 2 && rate.allSatisfy { (1...1 << 31).contains($0) }, .frameRate)
            frameRate = Ratio(rate[0], rate[1])
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(id, forKey: .id)
        try container.encode(kind.rawValue, forKey: .kind)
        try container.encode(codec, forKey: .codec)
        try container.encodeIfPresent(resolution?.width, forKey: .width)
        try container.encodeIfPresent(resolution?.height, forKey: .height)
        try container.encodeIfPresent(frameRate.map { [$0.numerator, $0.denominator] }, forKey: .frameRate)
        try container.encodeIfPresent(audioGroup, forKey: .audioGroup)
        try container.encodeIfPresent(language, forKey: .language)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encodeIfPresent(channels, forKey: .channels)
        try container.encodeIfPresent(isDefault ? true : nil, forKey: .isDefault)
    }
}
