import MediaCore

/// Backups that take over, and tracks that change.
extension Scenario {
    static let failovers = takeovers + operators + trackChanges

    private static func takesOver(
        _ name: String,
        _ settings: Settings,
        input: FeedName = .live,
        backup: FeedName = .live
    ) -> Scenario {
        Scenario(name, settings) { stage in
            // By arrival each encoder counts from where it likes.
            let timestamps: [Int64?] = settings.clock == .arrival ? [777_000, 555_000_000] : [nil, nil]
            await stage.start(.input(0), await input.read(), timestamps: timestamps[0])
            await stage.start(.backup(0), await backup.read(), timestamps: timestamps[1])
            try await stage.run(to: 13_100)
            await stage.lose(.input(0))
            try await stage.run(to: 22_700)
            await stage.start(.input(0), await input.read(), since: 0, timestamps: timestamps[0])
            try await stage.run(to: 40_000)
        }
    }

    private static let takeovers = [
        takesOver("backup-takes-over", Settings(backups: 1)),
        takesOver(
            "backup-takes-over-ts",
            Settings(format: .ts, encryption: .sampleAES, backups: 1),
            input: .languages,
            backup: .languages
        ),
        takesOver("backup-takes-over-by-arrival", Settings(clock: .arrival, backups: 1)),
        takesOver("backup-of-another-size-takes-over", Settings(encryption: .sampleAES, backups: 1), backup: .high),
        takesOver("backup-of-another-size-takes-over-ts", Settings(format: .ts, backups: 1), backup: .high),
        takesOver("backup-with-fewer-tracks-takes-over", Settings(backups: 1), input: .languages),
        takesOver("backup-of-another-codec-takes-over", Settings(backups: 1), backup: .hevc),
        Scenario("backup-lies-behind", Settings(clock: .arrival, backups: 1)) { stage in
            await stage.start(.input(0), await FeedName.live.read(), timestamps: 777_000)
            try await stage.run(to: 700)
            await stage.start(.backup(0), await FeedName.live.read(), timestamps: 777_000)
            try await stage.run(to: 25_100)
            await stage.lose(.input(0))
            try await stage.run(to: 35_000)
            await stage.start(.input(0), await FeedName.live.read(), since: 0, timestamps: 777_000)
            try await stage.run(to: 60_000)
        },
        Scenario("input-stalls-beside-its-backup", Settings(backups: 1)) { stage in
            await stage.start(.input(0), await FeedName.live.read())
            await stage.start(.backup(0), await FeedName.live.read())
            try await stage.run(to: 13_100)
            stage.stall(.input(0), until: 19_000)
            try await stage.run(to: 34_000)
        },
        Scenario("input-comes-after-its-backup", Settings(backups: 1)) { stage in
            await stage.start(.backup(0), await FeedName.live.read())
            try await stage.run(to: 9_300)
            await stage.start(.input(0), await FeedName.live.read(), since: 0)
            try await stage.run(to: 24_000)
        },
        Scenario("all-are-lost-one-after-the-other", Settings(backups: 2, onLoss: .hold)) { stage in
            await stage.start(.input(0), await FeedName.live.read())
            await stage.start(.backup(0), await FeedName.live.read())
            await stage.start(.backup(1), await FeedName.live.read())
            for (time, input) in [(9_100, .input(0)), (13_500, .backup(0)), (17_900, .backup(1))]
                as [(Int64, InputName)]
            {
                try await stage.run(to: time)
                await stage.lose(input)
            }
            try await stage.run(to: 24_300)
            await stage.start(.backup(1), await FeedName.live.read(), since: 0)
            try await stage.run(to: 30_300)
            await stage.start(.input(0), await FeedName.live.read(), since: 0)
            try await stage.run(to: 44_000)
        },
        Scenario("ladder-with-backups", Settings(inputs: 2, backups: 2)) { stage in
            await stage.start(.input(0), await FeedName.live.read())
            await stage.start(.input(1), await FeedName.high.read().without(.audio))
            await stage.start(.backup(0), await FeedName.live.read())
            await stage.start(.backup(1), await FeedName.high.read().without(.audio))
            try await stage.run(to: 11_100)
            await stage.lose(.input(1))
            try await stage.run(to: 15_700)
            await stage.lose(.input(0))
            try await stage.run(to: 24_000)
        },
        Scenario("damaged-beside-a-backup", Settings(backups: 1)) { stage in
            await stage.start(.input(0), await FeedName.live.read())
            await stage.start(.backup(0), await FeedName.live.read())
            try await stage.run(to: 9_100)
            stage.edit(.input(0)) { packet, _ in
                var packet = packet
                packet.info.isCorrupt = packet.time.ticks / 3_600 % 50 == 7
                return packet
            }
            try await stage.run(to: 20_000)
            stage.edit(.input(0)) { packet, _ in packet }
            try await stage.run(to: 36_000)
        },
    ]

    private static let operators = [
        Scenario("operator-selects", Settings(backups: 1)) { stage in
            await stage.start(.input(0), await FeedName.live.read())
            await stage.start(.backup(0), await FeedName.live.read())
            try await stage.run(to: 9_100)
            await stage.select(.backup(0), holds: false)
            try await stage.run(to: 24_000)
        },
        Scenario("operator-holds", Settings(backups: 1)) { stage in
            await stage.start(.input(0), await FeedName.live.read())
            await stage.start(.backup(0), await FeedName.live.read())
            try await stage.run(to: 9_100)
            await stage.select(.backup(0), holds: true)
            try await stage.run(to: 15_100)
            await stage.lose(.backup(0))
            try await stage.run(to: 21_100)
            await stage.selectAutomatically()
            try await stage.run(to: 32_000)
        },
        Scenario("operator-holds-what-is-not-there", Settings(backups: 1)) { stage in
            await stage.select(.backup(0), holds: true)
            await stage.start(.input(0), await FeedName.live.read())
            try await stage.run(to: 13_000)
            await stage.start(.backup(0), await FeedName.live.read(), since: 0)
            try await stage.run(to: 24_000)
        },
    ]

    private static let trackChanges = StreamFormat.allCases.flatMap { format in
        [
            Scenario("track-comes-and-goes-\(format)", Settings(format: format)) { stage in
                let feed = await FeedName.languages.read()
                let english = feed.keeping { $0.language != "deu" }
                await stage.start(.input(0), english)
                try await stage.run(to: 9_300)
                await stage.start(.input(0), feed, since: 0)
                try await stage.run(to: 19_700)
                await stage.start(.input(0), english, since: 0)
                try await stage.run(to: 44_000)
                await stage.start(.input(0), feed, since: 0)
                try await stage.run(to: 52_000)
            },
            Scenario("video-comes-and-goes-\(format)", Settings(format: format)) { stage in
                let feed = await FeedName.live.read()
                await stage.start(.input(0), feed.without(.video))
                try await stage.run(to: 9_300)
                await stage.start(.input(0), feed, since: 0)
                try await stage.run(to: 19_700)
                await stage.start(.input(0), feed.without(.video), since: 0)
                try await stage.run(to: 44_000)
            },
            codecChange("size-changes-\(format)", Settings(format: format), to: .high),
            codecChange(
                "size-changes-\(format)-sample-aes",
                Settings(format: format, encryption: .sampleAES),
                to: .high
            ),
            codecChange("tracks-change-\(format)", Settings(format: format), to: .languages),
            codecChange("audio-codec-changes-\(format)", Settings(format: format), to: .ac3),
            codecChange("video-codec-changes-\(format)", Settings(format: format), to: .hevc),
        ]
    }

    /// Without a loss, and back.
    private static func codecChange(_ name: String, _ settings: Settings, to other: FeedName) -> Scenario {
        Scenario(name, settings) { stage in
            await stage.start(.input(0), await FeedName.live.read())
            try await stage.run(to: 11_300)
            await stage.start(.input(0), await other.read(), since: 0)
            try await stage.run(to: 21_700)
            await stage.start(.input(0), await FeedName.live.read(), since: 0)
            try await stage.run(to: 40_000)
        }
    }
}
