import MediaCore
import TestSupport

/// Feeds without a fault: windows, formats, tracks and their attributes.
extension Scenario {
    static let live = windows + tracks + contents + stored

    private static let windows =
        StreamFormat.allCases.flatMap { format in
            [Settings.Encryption.none, .aes128, .sampleAES].map { encryption in
                Scenario("live-\(format)-\(encryption.rawValue)", Settings(format: format, encryption: encryption)) {
                    stage in
                    await stage.start(.input(0), await FeedName.languages.read())
                    try await stage.run(to: 40_000)
                }
            }
        } + [
            Scenario("slots-of-4-s", Settings(segmentDuration: 4_000, window: 24_000)) { stage in
                await stage.start(.input(0), await FeedName.live.read())
                try await stage.run(to: 60_000)
            },
            // Key frames come every second: some segments begin without one.
            Scenario("slots-of-half-a-second", Settings(segmentDuration: 500, window: 3_000)) { stage in
                await stage.start(.input(0), await FeedName.aac.read())
                try await stage.run(to: 8_000)
            },
            steady("keys-that-never-change", Settings(encryption: .sampleAES, rotation: nil)),
            steady("pinned-bandwidth", Settings(bandwidths: ["video-72p": 90_000, "audio-de": 70_000])),
            steady("memory-is-scarce", Settings(window: 30_000, maximumBytes: 150_000)),
            steady("output", Settings(format: .ts, hasOutput: true)),
        ]

    private static let tracks =
        StreamFormat.allCases.flatMap { format in
            [
                Scenario("one-language-\(format)", Settings(format: format, encryption: .sampleAES)) { stage in
                    await stage.start(.input(0), await FeedName.live.read())
                    try await stage.run(to: 12_000)
                },
                Scenario("audio-only-\(format)", Settings(format: format, encryption: .sampleAES)) { stage in
                    await stage.start(.input(0), await FeedName.languages.read().without(.video))
                    try await stage.run(to: 12_000)
                },
                Scenario("video-only-\(format)", Settings(format: format, encryption: .sampleAES)) { stage in
                    await stage.start(.input(0), await FeedName.live.read().without(.audio))
                    try await stage.run(to: 12_000)
                },
                Scenario("ladder-\(format)", Settings(format: format, encryption: .sampleAES, inputs: 3)) { stage in
                    await stage.start(.input(0), await FeedName.live.read())
                    await stage.start(.input(1), await FeedName.high.read().without(.audio))
                    await stage.start(.input(2), await FeedName.sample.read().without(.audio))
                    try await stage.run(to: 12_000)
                },
            ]
        } + [
            Scenario(
                "audio-attributes",
                Settings(audio: [
                    AudioAttributes(language: "en-GB", name: "Commentary", isDefault: false),
                    AudioAttributes(
                        language: "de",
                        characteristics: ["public.accessibility.describes-video"],
                        isDefault: true,
                        isAutoselect: false
                    ),
                ])
            ) { stage in
                await stage.start(.input(0), await FeedName.languages.read())
                try await stage.run(to: 12_000)
            },
            Scenario("equal-tracks-of-two-inputs", Settings(inputs: 2)) { stage in
                await stage.start(.input(0), await FeedName.languages.read())
                await stage.start(.input(1), await FeedName.languages.read())
                try await stage.run(to: 12_000)
            },
            // AAC frames of every other packet, each twice as long.
            Scenario("he-aac") { stage in
                var feed = await FeedName.aacFile.read()
                let audio = feed.tracks.first { $0.kind == .audio }?.index
                for place in feed.tracks.indices where feed.tracks[place].index == audio {
                    // SBR over mono of 24 kHz (ISO/IEC 14496-3 § 1.6.2.1).
                    feed.tracks[place].header = [0x2B, 0x09, 0x88, 0x00]
                }
                var count = 0
                feed.packets = feed.packets.filter { packet in
                    guard packet.info.trackIndex == audio else { return true }
                    count += 1
                    return count % 2 == 1
                }
                await stage.start(.input(0), feed)
                try await stage.run(to: 12_000)
            },
        ]

    private static let contents = [
        captions("captions-seen", Settings()),
        captions("captions-seen-ts", Settings(format: .ts)),
        captions("captions-declared", Settings(captions: ["CC1", "SERVICE2"])),
        timedMetadata("timed-metadata-ts", Settings(format: .ts)),
        timedMetadata("timed-metadata-ts-sample-aes", Settings(format: .ts, encryption: .sampleAES)),
        timedMetadata("timed-metadata-fmp4", Settings()),
        Scenario("programs") { stage in
            await stage.start(.input(0), await FeedName.live.read())
            await stage.send(.noticed(.programs(carried: [1, 2], read: [1])), from: .input(0))
            await stage.send(.noticed(.notTranscoded(track: 1, reason: "no decoder")), from: .input(0))
            try await stage.run(to: 10_000)
        },
    ]

    private static let stored =
        StreamFormat.allCases.flatMap { format in
            [FeedName.languages, .av1, .hevcFile, .openGOP].map { feed in
                Scenario("stored-\(format)-\(feed)", Settings(format: format, isStored: true)) { stage in
                    await stage.start(.input(0), await feed.read(), timestamps: 126_000, loops: false)
                    await stage.readToTheEnd()
                }
            }
        } + [
            Scenario("stored-with-output", Settings(encryption: .sampleAES, isStored: true, hasOutput: true)) { stage in
                await stage.start(.input(0), await FeedName.live.read(), timestamps: 126_000, loops: false)
                await stage.readToTheEnd()
            },
            Scenario("stored-without-media", Settings(isStored: true)) { stage in
                await stage.start(.input(0), await FeedName.live.read(), timestamps: 126_000, loops: false)
                stage.edit(.input(0)) { _, _ in nil }
                await stage.readToTheEnd()
            },
        ]

    private static func steady(_ name: String, _ settings: Settings) -> Scenario {
        Scenario(name, settings) { stage in
            await stage.start(.input(0), await FeedName.languages.read())
            try await stage.run(to: 24_000)
        }
    }

    private static func captions(_ name: String, _ settings: Settings) -> Scenario {
        Scenario(name, settings) { stage in
            let feed = await FeedName.live.read().editing(.video) { picture, packet in
                // Behind the delimiter, and from the fourth second on.
                guard picture >= 100 else { return }
                packet.bytes = packet.bytes.inserting(CaptionMessage(picture: picture).nalUnit)
            }
            await stage.start(.input(0), feed, loops: false)
            try await stage.run(to: 10_000)
        }
    }

    private static func timedMetadata(_ name: String, _ settings: Settings) -> Scenario {
        Scenario(name, settings) { stage in
            await stage.start(.input(0), await FeedName.live.read())
            await stage.send(.noticed(.metadata(program: 1)), from: .input(0))
            for (index, time) in ([4_300, 7_900, 8_000, 8_100, 15_000] as [Int64]).enumerated() {
                try await stage.run(to: time)
                // A text frame: TIT2 (ID3v2.4 § 4.2).
                let text = [3] + Array("tag \(index)".utf8)
                let frame = Array("TIT2".utf8) + [0, 0, 0, UInt8(text.count), 0, 0] + text
                await stage.tag(.input(0), Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame)
            }
            try await stage.run(to: 22_000)
        }
    }
}

extension [UInt8] {
    /// An access unit of H.264 with another NAL unit before its first slice.
    func inserting(_ nalUnit: [UInt8]) -> [UInt8] {
        var nalUnits = ByteStream.nalUnits(of: self)
        let place = nalUnits.firstIndex { [1, 5].contains(($0.first ?? 0) & 0x1F) } ?? nalUnits.endIndex
        nalUnits.insert(nalUnit, at: place)
        return nalUnits.flatMap { [0, 0, 0, 1] + $0 }
    }
}
