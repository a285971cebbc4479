import MediaCore

/// Packagers that continue from what they, or their peers, have published.
extension Scenario {
    static let restarts = journals + pairs

    private static func restart(
        _ name: String,
        _ settings: Settings = Settings(),
        after: Int64,
        isKilled: Bool = true,
        from before: FeedName = .live,
        to feed: FeedName = .live
    ) -> Scenario {
        var journalled = settings
        journalled.hasJournal = true
        return Scenario("restart-\(name)", journalled) { stage in
            let timestamps: Int64? = settings.clock == .arrival ? 777_000 : nil
            await stage.start(.input(0), await before.read(), timestamps: timestamps)
            try await stage.run(to: 17_100)
            await stage.shutDown(isKilled: isKilled)
            try await stage.run(to: 17_100 + after)
            await stage.start(.input(0), await feed.read(), since: 0, timestamps: timestamps)
            try await stage.boot()
            try await stage.run(to: 26_000 + after)
        }
    }

    private static let journals =
        StreamFormat.allCases.flatMap { format in
            Settings.Encryption.allCases.filter { format == .fmp4 || $0 == .none || $0 == .sampleAES }.map {
                encryption in
                restart(
                    "\(format)-\(encryption.rawValue)",
                    Settings(format: format, encryption: encryption),
                    after: 100,
                    from: .languages,
                    to: .languages
                )
            }
        }
        + OnLoss.allCases.map { onLoss in
            restart("after-slots-\(onLoss)", Settings(onLoss: onLoss), after: 7_000)
        } + [
            restart("when-ended", after: 100, isKilled: false),
            restart("by-arrival", Settings(clock: .arrival), after: 100),
            restart("after-the-window", after: 60_000),
            restart("with-another-size", after: 100, to: .high),
            restart("with-fewer-tracks", after: 100, from: .languages),
            restart("with-output", Settings(hasOutput: true), after: 3_000),
            Scenario("restart-without-a-feed", Settings(hasJournal: true)) { stage in
                await stage.start(.input(0), await FeedName.live.read())
                try await stage.run(to: 17_100)
                await stage.shutDown(isKilled: true)
                stage.unplug(.input(0))
                try await stage.run(to: 17_700)
                try await stage.boot()
                try await stage.run(to: 26_000)
                await stage.start(.input(0), await FeedName.live.read(), since: 0)
                try await stage.run(to: 34_000)
            },
            Scenario("restart-on-the-backup", Settings(backups: 1, hasJournal: true)) { stage in
                await stage.start(.input(0), await FeedName.live.read())
                await stage.start(.backup(0), await FeedName.live.read())
                try await stage.run(to: 9_100)
                await stage.lose(.input(0))
                try await stage.run(to: 17_100)
                await stage.start(.input(0), await FeedName.live.read(), since: 0)
                try await stage.run(to: 18_100)
                await stage.shutDown(isKilled: true)
                try await stage.boot()
                try await stage.run(to: 36_000)
            },
            Scenario("restart-twice-in-a-loss", Settings(onLoss: .hold, hasJournal: true)) { stage in
                await stage.start(.input(0), await FeedName.live.read())
                try await stage.run(to: 11_100)
                await stage.lose(.input(0))
                for time in [17_100, 23_300] as [Int64] {
                    try await stage.run(to: time)
                    await stage.shutDown(isKilled: true)
                    try await stage.boot()
                }
                try await stage.run(to: 29_000)
                await stage.start(.input(0), await FeedName.live.read(), since: 0)
                try await stage.run(to: 40_000)
            },
            Scenario("restart-with-discontinuities", Settings(hasJournal: true)) { stage in
                await stage.start(.input(0), await FeedName.live.read())
                for (time, feed) in [(9_300, .high), (15_100, .live), (21_500, .high)] as [(Int64, FeedName)] {
                    try await stage.run(to: time)
                    await stage.start(.input(0), await feed.read(), since: 0)
                }
                try await stage.run(to: 27_100)
                await stage.shutDown(isKilled: true)
                try await stage.boot()
                try await stage.run(to: 44_000)
            },
        ]

    private static func join(_ name: String, _ settings: Settings = Settings(), at time: Int64) -> Scenario {
        Scenario("joins-\(name)", settings) { stage in
            let timestamps: Int64? = settings.clock == .arrival ? 777_000 : nil
            await stage.shutDown()
            try await stage.bootPeer()
            await stage.start(.input(0), await FeedName.languages.read(), timestamps: timestamps)
            try await stage.run(to: time)
            try await stage.bootBesidePeer()
            try await stage.run(to: time + 24_000)
        }
    }

    private static let pairs = [
        join("at-once", at: 100),
        join("fmp4", Settings(encryption: .sampleAES), at: 15_300),
        join("ts", Settings(format: .ts, encryption: .sampleAES), at: 15_300),
        join("by-arrival", Settings(clock: .arrival), at: 15_300),
        Scenario("joins-and-comes-back", Settings(hasJournal: true)) { stage in
            try await stage.bootPeer()
            await stage.start(.input(0), await FeedName.live.read())
            try await stage.run(to: 13_100)
            await stage.shutDown(isKilled: true)
            try await stage.run(to: 19_700)
            try await stage.bootBesidePeer()
            try await stage.run(to: 36_000)
        },
        Scenario("joins-in-a-loss", Settings(onLoss: .slate)) { stage in
            await stage.shutDown()
            try await stage.bootPeer()
            await stage.start(.input(0), await FeedName.live.read())
            try await stage.run(to: 13_100)
            await stage.lose(.input(0))
            try await stage.run(to: 19_700)
            try await stage.bootBesidePeer()
            try await stage.run(to: 40_000)
            await stage.start(.input(0), await FeedName.live.read(), since: 0)
            try await stage.run(to: 52_000)
        },
        Scenario("joins-a-peer-that-dies") { stage in
            await stage.shutDown()
            try await stage.bootPeer()
            await stage.start(.input(0), await FeedName.live.read())
            try await stage.run(to: 13_100)
            try await stage.bootBesidePeer()
            stage.shutDownPeer()
            try await stage.run(to: 40_000)
        },
    ]
}
