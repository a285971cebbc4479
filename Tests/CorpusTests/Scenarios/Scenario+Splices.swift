import MediaCore

/// Feeds that say when their programme is left and come back to, and what is played meanwhile.
extension Scenario {
    /// Ways out at 13 s, for six seconds, and at 23 s, for four; the first is brought back, the other comes back by itself.
    private static func playBreaks(
        _ stage: Stage,
        _ inputs: [InputName] = [.input(0)],
        from time: Int64 = 0
    ) async throws {
        for (due, event, isOut, splice) in [
            (9_500, 7, true, 13_000), (16_000, 7, false, 19_000), (20_000, 8, true, 23_000),
        ] as [(Int64, UInt32, Bool, Int64)] where due >= time {
            try await stage.run(to: due)
            for input in inputs {
                try await stage.splice(
                    input,
                    event,
                    isOut: isOut,
                    at: splice,
                    lasting: isOut ? 6_000 - Int64(event - 7) * 2_000 : nil,
                    returns: event == 8
                )
            }
        }
        try await stage.run(to: 34_000)
    }

    private static let told = Settings(cueOutTags: .duration, hasSpliceMessages: true)

    static let splices = [
        Scenario("splices-fmp4", told) { stage in
            await stage.start(.input(0), await FeedName.languages.read())
            try await playBreaks(stage)
        },
        Scenario("splices-ts", Settings(format: .ts, encryption: .sampleAES, cueOutTags: .enhanced)) { stage in
            await stage.start(.input(0), await FeedName.languages.read())
            try await playBreaks(stage)
        },
        Scenario("splices-in-a-gap", told) { stage in
            await stage.start(.input(0), await FeedName.live.read())
            try await stage.run(to: 9_600)
            try await stage.splice(.input(0), 7, isOut: true, at: 13_000, lasting: 8_000)
            await stage.lose(.input(0))
            try await stage.run(to: 18_100)
            await stage.start(.input(0), await FeedName.live.read(), since: 0)
            try await stage.run(to: 34_000)
        },
        Scenario("splices-at-a-failover", Settings(backups: 1, cueOutTags: .duration, hasSpliceMessages: true)) {
            stage in
            await stage.start(.input(0), await FeedName.live.read())
            await stage.start(.backup(0), await FeedName.live.read())
            try await stage.run(to: 9_500)
            for input in [InputName.input(0), .backup(0)] {
                try await stage.splice(input, 7, isOut: true, at: 13_000, lasting: 6_000)
            }
            try await stage.run(to: 13_400)
            await stage.lose(.input(0))
            try await playBreaks(stage, [.backup(0)], from: 16_000)
        },
        // Where the key changes, too.
        Scenario("splices-cancelled", Settings(encryption: .sampleAES, rotation: 1)) { stage in
            await stage.start(.input(0), await FeedName.live.read())
            try await stage.run(to: 9_500)
            try await stage.splice(.input(0), 7, isOut: true, at: 13_000)
            try await stage.splice(.input(0), 8, isOut: true, at: 17_000)
            try await stage.run(to: 10_500)
            await stage.send(.splice(Stage.cancellation(of: 7)), from: .input(0))
            try await stage.run(to: 20_000)
            await stage.send(.splice(Stage.cancellation(of: 8)), from: .input(0))
            try await stage.run(to: 34_000)
        },
        Scenario("splices-restart", Settings(cueOutTags: .duration, hasSpliceMessages: true, hasJournal: true)) {
            stage in
            await stage.start(.input(0), await FeedName.live.read())
            try await stage.run(to: 9_500)
            try await stage.splice(.input(0), 7, isOut: true, at: 15_000, lasting: 6_000, returns: true)
            try await stage.run(to: 12_300)
            await stage.shutDown(isKilled: true)
            try await stage.run(to: 12_500)
            try await stage.boot()
            try await stage.run(to: 34_000)
        },
        Scenario("splices-joins", told) { stage in
            await stage.shutDown()
            try await stage.bootPeer()
            await stage.start(.input(0), await FeedName.live.read())
            try await stage.run(to: 9_500)
            try await stage.splice(.input(0), 7, isOut: true, at: 21_000, lasting: 6_000, returns: true)
            try await stage.run(to: 10_300)
            try await stage.bootBesidePeer()
            try await stage.run(to: 36_000)
        },
        Scenario("interstitials", Settings(interstitials: [preloaded])) { stage in
            await stage.start(.input(0), await FeedName.live.read())
            try await playBreaks(stage)
        },
        // Within the break: what ends the interstitial is told by the process after the one that began it.
        Scenario("interstitials-restart", Settings(interstitials: [preloaded], hasJournal: true)) { stage in
            await stage.start(.input(0), await FeedName.live.read())
            try await stage.run(to: 9_500)
            try await stage.splice(.input(0), 7, isOut: true, at: 13_000, lasting: 8_000)
            try await stage.run(to: 14_300)
            await stage.shutDown(isKilled: true)
            try await stage.run(to: 14_500)
            try await stage.boot()
            try await stage.run(to: 16_000)
            try await stage.splice(.input(0), 7, isOut: false, at: 19_000)
            try await stage.run(to: 34_000)
        },
        Scenario("interstitials-joins", Settings(interstitials: [preloaded])) { stage in
            await stage.shutDown()
            try await stage.bootPeer()
            await stage.start(.input(0), await FeedName.live.read())
            try await stage.run(to: 9_500)
            try await stage.splice(.input(0), 7, isOut: true, at: 13_000, lasting: 8_000)
            try await stage.run(to: 14_300)
            try await stage.bootBesidePeer()
            try await stage.run(to: 16_000)
            try await stage.splice(.input(0), 7, isOut: false, at: 19_000)
            try await stage.run(to: 36_000)
        },
    ]

    /// The origin's own list, which players may ask for two seconds before the break.
    private static var preloaded: InterstitialTemplate {
        var template = InterstitialTemplate()
        template.preload = MediaTime(milliseconds: 2_000)
        return template
    }
}
