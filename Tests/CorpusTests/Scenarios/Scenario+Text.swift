import MediaCore

/// Subtitles that come beside the feeds.
extension Scenario {
    /// One within a slot, one across an edge, one that spans three slots, and one that comes too late.
    private static func playCues(_ stage: Stage, from time: Int64 = 0, to end: Int64 = 30_000) async throws {
        for (due, from, to) in [
            (5_000, 6_500, 7_500), (8_000, 9_500, 10_500), (11_000, 12_500, 17_500), (20_000, 11_000, 12_000),
            (20_500, 22_000, 23_000),
        ] as [(Int64, Int64, Int64)] where due >= time {
            try await stage.run(to: due)
            await stage.show([(from, to, "From \(from) to \(to), <at \(due)> & so on")])
        }
        try await stage.run(to: end)
    }

    private static let english = SubtitleAttributes(language: "en", name: "English")

    static let texts = [
        Scenario("text-fmp4", Settings(subtitles: [english], subtitleFormats: [.webVTT, .imsc1])) { stage in
            await stage.start(.input(0), await FeedName.live.read())
            try await playCues(stage)
        },
        Scenario("text-ts", Settings(format: .ts, encryption: .sampleAES, subtitles: [english])) { stage in
            await stage.start(.input(0), await FeedName.live.read(), timestamps: 777_000)
            try await playCues(stage)
        },
        // The feed is lost, and what is said is not.
        Scenario("text-in-a-gap", Settings(subtitles: [english])) { stage in
            await stage.start(.input(0), await FeedName.live.read())
            try await stage.run(to: 9_600)
            await stage.lose(.input(0))
            try await playCues(stage, from: 11_000, to: 22_100)
            await stage.start(.input(0), await FeedName.live.read(), since: 0)
            try await stage.run(to: 34_000)
        },
        Scenario("text-restart", Settings(subtitles: [english], hasJournal: true)) { stage in
            await stage.start(.input(0), await FeedName.live.read())
            try await playCues(stage, to: 23_300)
            await stage.shutDown(isKilled: true)
            try await stage.boot()
            await stage.show([(26_500, 27_500, "Again")])
            try await stage.run(to: 34_000)
        },
    ]
}
