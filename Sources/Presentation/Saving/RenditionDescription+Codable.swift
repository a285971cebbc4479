import MediaCore
import Playlists

extension RenditionDescription: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, kind, input, format, codecs, supplementalCodecs, width, height, frameRate, videoRange, captions
        case audioGroup, subtitlesGroup, language, name, channels, characteristics
        case isForced = "forced"
        case isDefault = "default"
        case isAutoselect = "autoselect"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let kind = MediaKind(rawValue: try container.decode(String.self, forKey: .kind))
        self.init(
            id: try container.decode(RenditionID.self, forKey: .id),
            kind: try container.require(kind, .kind),
            format: try container.require(
                SegmentFormat(rawValue: try container.decode(String.self, forKey: .format)),
                .format
            ),
            codecs: try container.decode([String].self, forKey: .codecs),
            supplementalCodecs: try container.decodeIfPresent([String].self, forKey: .supplementalCodecs) ?? [],
            captions: try container.decodeIfPresent([SavedCaptions].self, forKey: .captions)?.map(\.captions) ?? [],
            audioGroup: try container.decodeIfPresent(String.self, forKey: .audioGroup),
            language: try container.decodeIfPresent(String.self, forKey: .language),
            name: try container.decodeIfPresent(String.self, forKey: .name),
            channels: try container.decodeIfPresent(String.self, forKey: .channels),
            characteristics: try container.decodeIfPresent([String].self, forKey: .characteristics) ?? [],
            isDefault: try container.decodeIfPresent(Bool.self, forKey: .isDefault) ?? false,
            isAutoselect: try container.decodeIfPresent(Bool.self, forKey: .isAutoselect) ?? true
        )
        subtitlesGroup = try container.decodeIfPresent(String.self, forKey: .subtitlesGroup)
        isForced = try container.decodeIfPresent(Bool.self, forKey: .isForced) ?? false
        if container.contains(.input) { input = try container.decode(Int.self, in: 0...1 << 20, forKey: .input) }
        if let range = try container.decodeIfPresent(String.self, forKey: .videoRange) {
            videoRange = try container.require(VideoRange(rawValue: range), .videoRange)
        }
        if container.contains(.width) {
            resolution = Resolution(
                width: try container.decode(Int.self, in: 0...1 << 33, forKey: .width),
                height: try container.decode(Int.self, in: 0...1 << 20, forKey: .height)
            )
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
        try container.encodeIfPresent(input == 0 ? nil : input, forKey: .input)
        try container.encode(format.rawValue, forKey: .format)
        try container.encode(codecs, forKey: .codecs)
        try container.encodeIfPresent(supplementalCodecs.nonEmpty, forKey: .supplementalCodecs)
        try container.encodeIfPresent(resolution?.width, forKey: .width)
        try container.encodeIfPresent(resolution?.height, forKey: .height)
        try container.encodeIfPresent(frameRate.map { [$0.numerator, $0.denominator] }, forKey: .frameRate)
        try container.encodeIfPresent(videoRange == .standard ? nil : videoRange.rawValue, forKey: .videoRange)
        try container.encodeIfPresent(captions.map(SavedCaptions.init).nonEmpty, forKey: .captions)
        try container.encodeIfPresent(audioGroup, forKey: .audioGroup)
        try container.encodeIfPresent(subtitlesGroup, forKey: .subtitlesGroup)
        try container.encodeIfPresent(isForced ? true : nil, forKey: .isForced)
        try container.encodeIfPresent(language, forKey: .language)
        try container.encodeIfPresent(name, forKey: .name)
        try container.encodeIfPresent(channels, forKey: .channels)
        try container.encodeIfPresent(characteristics.nonEmpty, forKey: .characteristics)
        try container.encodeIfPresent(isDefault ? true : nil, forKey: .isDefault)
        try container.encodeIfPresent(isAutoselect ? nil : false, forKey: .isAutoselect)
    }
}

extension Array {
    fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
