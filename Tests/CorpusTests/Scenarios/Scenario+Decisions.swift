import MediaCore

/// Decisions on a slot besides its media: its protection, its discontinuity, and what is listed at all.
extension Scenario {
    private static func clearLead(
        _ name: String,
        _ encryption: Settings.Encryption = .sampleAES,
        format: StreamFormat = .fmp4,
        play: @escaping @Sendable (Stage) async throws -> Void
    ) -> Scenario {
        var settings = Settings(format: format, encryption: encryption)
        (settings.clearLead, settings.hintsKeys, settings.hasJournal) = (3, true, true)
        return Scenario("clear-lead-\(name)", settings, play: play)
    }

    static let clearLeads =
        [
            (StreamFormat.fmp4, Settings.Encryption.sampleAES), (.fmp4, .sampleAESCounterMode), (.fmp4, .aes128),
            (.fmp4, .aes128WithInit), (.ts, .sampleAES), (.ts, .aes128),
        ].map { format, encryption in
            clearLead("\(format)-\(encryption.rawValue)", encryption, format: format) { stage in
                await stage.start(.input(0), await FeedName.languages.read())
                try await stage.run(to: 18_000)
            }
        } + [
            clearLead("restart") { stage in
                await stage.start(.input(0), await FeedName.live.read())
                try await stage.run(to: 5_100)
                await stage.shutDown(isKilled: true)
                try await stage.boot()
                try await stage.run(to: 16_000)
            },
            clearLead("joins") { stage in
                await stage.shutDown()
                try await stage.bootPeer()
                await stage.start(.input(0), await FeedName.live.read())
                try await stage.run(to: 3_300)
                try await stage.bootBesidePeer()
                try await stage.run(to: 20_000)
            },
            clearLead("lost") { stage in
                await stage.start(.input(0), await FeedName.live.read())
                try await stage.run(to: 3_100)
                await stage.lose(.input(0))
                try await stage.run(to: 11_100)
                await stage.start(.input(0), await FeedName.live.read(), since: 0)
                try await stage.run(to: 22_000)
            },
        ]

    private static func writer(
        _ name: String,
        of rendition: String = "audio-en",
        failsIn slots: ClosedRange<Int64>,
        _ settings: Settings = Settings(),
        change: FeedName? = nil
    ) -> Scenario {
        var settings = settings
        settings.failures = [rendition: slots]
        return Scenario("writer-fails-\(name)", settings) { stage in
            await stage.start(.input(0), await FeedName.languages.read())
            if let change {
                try await stage.run(to: 9_300)
                await stage.start(.input(0), await change.read(), since: 0)
            }
            try await stage.run(to: 26_000)
        }
    }

    static let writers = [
        writer("once", failsIn: 4...4),
        writer("at-the-start", failsIn: 0...0),
        writer("for-three-slots-at-the-start", failsIn: 0...2),
        writer("never-written", failsIn: 0...99),
        writer("for-ever", failsIn: 4...99),
        writer("of-pictures", of: "video-72p", failsIn: 4...5),
        writer("at-a-change", of: "video-72p", failsIn: 5...5, change: .high),
        writer("in-ts", of: "video-72p", failsIn: 3...4, Settings(format: .ts, encryption: .sampleAES)),
    ]
}
