import MediaCore

/// Feeds that break off, stand still or are damaged, and what fills their slots.
extension Scenario {
    static let losses = fillers + silences + damages + contentFaults

    private static let fillers =
        OnLoss.allCases.flatMap { onLoss in
            StreamFormat.allCases.flatMap { format in
                [format == .ts ? Settings.Encryption.none : .sampleAES].flatMap { encryption in
                    let settings = Settings(format: format, encryption: encryption, onLoss: onLoss)
                    let name = "\(onLoss)-\(format)-\(encryption.rawValue)"
                    return [
                        Scenario("lost-\(name)", settings) { stage in
                            await stage.start(.input(0), await FeedName.live.read())
                            try await stage.run(to: 11_100)
                            await stage.lose(.input(0))
                            try await stage.run(to: 19_300)
                            await stage.start(.input(0), await FeedName.live.read(), since: 0)
                            try await stage.run(to: 30_000)
                        },
                        Scenario("tracks-lost-\(name)", settings) { stage in
                            let feed = await FeedName.live.read()
                            await stage.start(.input(0), feed)
                            for (time, kind) in [(9_300, MediaKind.audio), (19_700, .video)] as [(Int64, MediaKind)] {
                                try await stage.run(to: time)
                                let lost = Set(feed.tracks.filter { $0.kind == kind }.map(\.index))
                                stage.edit(.input(0)) { packet, _ in
                                    lost.contains(packet.info.trackIndex) ? nil : packet
                                }
                                try await stage.run(to: time + 5_000)
                                stage.edit(.input(0)) { packet, _ in packet }
                            }
                            try await stage.run(to: 32_000)
                        },
                    ]
                }
            }
        }
        + OnLoss.allCases.flatMap { onLoss in
            [
                Scenario("lost-\(onLoss)-hevc", Settings(onLoss: onLoss)) { stage in
                    await stage.start(.input(0), await FeedName.hevc.read())
                    try await stage.run(to: 9_100)
                    await stage.lose(.input(0))
                    try await stage.run(to: 15_000)
                    await stage.start(.input(0), await FeedName.hevc.read())
                    try await stage.run(to: 24_000)
                },
                Scenario("lost-for-longer-than-the-window-\(onLoss)", Settings(onLoss: onLoss)) { stage in
                    await stage.start(.input(0), await FeedName.live.read())
                    try await stage.run(to: 11_100)
                    await stage.lose(.input(0))
                    try await stage.run(to: 60_300)
                    await stage.start(.input(0), await FeedName.live.read(), since: 0)
                    try await stage.run(to: 80_000)
                },
                Scenario("playlists-refused-\(onLoss)", refusing(onLoss)) { stage in
                    await stage.start(.input(0), await FeedName.live.read())
                    try await stage.run(to: 11_100)
                    await stage.lose(.input(0))
                    try await stage.run(to: 21_300)
                    await stage.start(.input(0), await FeedName.live.read(), since: 0)
                    try await stage.run(to: 30_000)
                },
            ]
        }

    private static let silences = [
        Scenario("stalls-for-a-moment") { stage in
            await stage.start(.input(0), await FeedName.live.read())
            try await stage.run(to: 11_100)
            stage.stall(.input(0), until: 12_700)
            try await stage.run(to: 24_000)
        },
        Scenario("stalls-for-slots") { stage in
            await stage.start(.input(0), await FeedName.live.read())
            try await stage.run(to: 11_100)
            stage.stall(.input(0), until: 18_700)
            try await stage.run(to: 30_000)
        },
        Scenario("falls-silent") { stage in
            await stage.start(.input(0), await FeedName.live.read())
            try await stage.run(to: 11_100)
            stage.unplug(.input(0))
            try await stage.run(to: 24_000)
        },
        Scenario("comes-late") { stage in
            for time in stride(from: 1_000, to: 6_000, by: 1_000) as StrideTo<Int64> {
                try await stage.run(to: time)
                await stage.send(.lost("connection refused"), from: .input(0))
            }
            await stage.start(.input(0), await FeedName.live.read())
            try await stage.run(to: 20_000)
        },
        Scenario("comes-with-other-timestamps", Settings(clock: .arrival)) { stage in
            await stage.start(.input(0), await FeedName.live.read(), timestamps: 777_000)
            try await stage.run(to: 11_100)
            await stage.lose(.input(0))
            try await stage.run(to: 12_300)
            await stage.start(.input(0), await FeedName.live.read(), timestamps: 1_234_567_890)
            try await stage.run(to: 24_000)
        },
        Scenario("one-of-a-ladder-is-lost", Settings(inputs: 3)) { stage in
            await stage.start(.input(0), await FeedName.live.read())
            await stage.start(.input(1), await FeedName.high.read().without(.audio))
            await stage.start(.input(2), await FeedName.live.read().without(.audio))
            try await stage.run(to: 11_100)
            await stage.lose(.input(1))
            try await stage.run(to: 17_300)
            await stage.start(.input(1), await FeedName.high.read().without(.audio), since: 0)
            try await stage.run(to: 24_000)
        },
        Scenario("one-of-a-ladder-is-late", Settings(inputs: 2)) { stage in
            await stage.start(.input(0), await FeedName.live.read())
            try await stage.run(to: 14_300)
            await stage.start(.input(1), await FeedName.high.read(), since: 0)
            try await stage.run(to: 24_000)
        },
        Scenario("one-of-a-ladder-has-other-key-frames", Settings(inputs: 2)) { stage in
            await stage.start(.input(0), await FeedName.live.read())
            try await stage.run(to: 280)
            await stage.start(.input(1), await FeedName.high.read().without(.audio))
            try await stage.run(to: 24_000)
        },
        Scenario("ends", Settings(inputs: 2)) { stage in
            await stage.start(.input(0), await FeedName.live.read(), loops: false)
            await stage.start(.input(1), await FeedName.high.read().without(.audio), loops: false)
            try await stage.run(to: 16_000)
        },
    ]

    private static let damages = StreamFormat.allCases.flatMap { format in
        [
            damaged("damaged-pictures-\(format)", format) { number, packet in
                if number % 37 == 0 { packet.info.isCorrupt = true }
                return packet
            },
            damaged("lost-packets-\(format)", format) { number, packet in number % 29 == 0 ? nil : packet },
            damaged("unreadable-packets-\(format)", format) { number, packet in
                if number % 31 == 0 { packet.bytes = packet.bytes.map { $0 & 0x3F | 1 } }
                return packet
            },
            damaged("untimed-packets-\(format)", format) { number, packet in
                if number % 23 == 0 {
                    (packet.info.presentationTimestamp, packet.info.decodeTimestamp) = (nil, nil)
                }
                return packet
            },
            damaged("packets-without-decode-times-\(format)", format) { _, packet in
                packet.info.decodeTimestamp = nil
                return packet
            },
        ]
    }

    private static let contentFaults = [
        Scenario("frozen-and-silent", Settings(backups: 1, patienceWithContent: 3_000)) { stage in
            await stage.start(.input(0), await FeedName.live.read())
            await stage.start(.backup(0), await FeedName.live.read())
            for time in stride(from: 500, to: 30_000, by: 500) as StrideTo<Int64> {
                try await stage.run(to: time)
                let isFaulty = 8_000..<18_000 ~= time
                await stage.find(.input(0), .video, .picture(isFaulty ? .same : .moved))
                await stage.find(.input(0), .audio, .audio(level: isFaulty ? -.infinity : -20))
                await stage.find(.backup(0), .video, .picture(.moved))
                await stage.find(.backup(0), .audio, .audio(level: -20))
            }
        }
    ]

    private static func refusing(_ onLoss: OnLoss) -> Settings {
        var settings = Settings(onLoss: onLoss)
        (settings.failOn, settings.staleAfter) = (FailureCondition.allCases, 6_000)
        return settings
    }

    /// A feed of which for nine seconds other packets come.
    ///
    /// - Parameters:
    ///   - name: Of the scenario.
    ///   - format: Of its segments.
    ///   - edit: Gets the packets, each with its number in the feed.
    /// - Returns: The scenario.
    private static func damaged(
        _ name: String,
        _ format: StreamFormat,
        _ edit: @escaping @Sendable (Int, inout Packet) -> Packet?
    ) -> Scenario {
        Scenario(name, Settings(format: format)) { stage in
            let feed = await FeedName.live.read()
            var damaged = feed
            damaged.packets = feed.packets.enumerated().compactMap { number, packet in
                var packet = packet
                return edit(number, &packet)
            }
            await stage.start(.input(0), feed)
            try await stage.run(to: 8_000)
            await stage.start(.input(0), damaged, since: 0)
            try await stage.run(to: 17_000)
            await stage.start(.input(0), feed, since: 0)
            try await stage.run(to: 24_000)
        }
    }
}
