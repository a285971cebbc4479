import MediaCore

/// Every codec in each format, with each encryption.
extension Scenario {
    static let codecs =
        FeedName.coded.flatMap { feed in
            StreamFormat.allCases.flatMap { format in
                format.encryptions.map { coded(feed, format, $0) }
            }
        } + [coded(.aac, .fmp4, .aes128WithInit)]

    /// A feed that comes to its end, in slots of a second.
    private static func coded(
        _ feed: FeedName,
        _ format: StreamFormat,
        _ encryption: Settings.Encryption
    ) -> Scenario {
        var settings = Settings(format: format, encryption: encryption)
        (settings.segmentDuration, settings.rotation) = (1_000, 2)
        return Scenario("codecs/\(feed)-\(format)-\(encryption.rawValue)", settings) { stage in
            await stage.start(.input(0), await feed.read(), loops: false)
            try await stage.run(to: 6_000)
        }
    }
}

extension FeedName {
    /// One of each codec, and of each way to carry it here.
    fileprivate static let coded: [FeedName] = [
        .aac, .aacFile, .ac3, .eac3, .mp2, .mp3, .opus, .flac, .alac, .hevc, .hevcFile, .av1, .openGOP, .interlaced,
        .ntsc,
    ]
}

extension StreamFormat {
    /// The encryptions of the format besides ``Settings/Encryption/aes128WithInit``.
    fileprivate var encryptions: [Settings.Encryption] {
        switch self {
        case .fmp4: [.none, .aes128, .sampleAES, .sampleAESCounterMode]
        case .ts: [.none, .aes128, .sampleAES]
        }
    }
}
