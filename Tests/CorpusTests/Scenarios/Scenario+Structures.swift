import MediaCore
import TestSupport

/// Feeds that are hard to cut, and tracks of which not everything is carried.
extension Scenario {
    static let structures =
        StreamFormat.allCases.flatMap { format in
            [
                lateJoin("open-gop-\(format)", Settings(format: format), .openGOP),
                lateJoin("open-gop-hevc-\(format)", Settings(format: format), .hevcFile),
                lateJoin("open-gop-av1-\(format)", Settings(format: format), .av1),
                fields("fields-\(format)", Settings(format: format), isPaired: false),
                fields("pairs-of-fields-\(format)", Settings(format: format, encryption: .sampleAES), isPaired: true),
                transcoded("transcoded-\(format)", Settings(format: format)),
                leftOut("left-out-\(format)", Settings(format: format)),
            ]
                + OnLoss.allCases.map { onLoss in
                    oddSlots("slots-of-2.3-s-\(format)-\(onLoss)", Settings(format: format, onLoss: onLoss))
                }
        } + [described]

    /// It begins between two IDR pictures, and comes back between two others.
    private static func lateJoin(_ name: String, _ settings: Settings, _ feed: FeedName) -> Scenario {
        var held = settings
        held.onLoss = .hold
        return Scenario(name, held) { stage in
            await stage.start(.input(0), await feed.read(), since: -1_500)
            try await stage.run(to: 8_100)
            await stage.lose(.input(0))
            try await stage.run(to: 13_700)
            await stage.start(.input(0), await feed.read(), since: -1_500)
            try await stage.run(to: 20_000)
        }
    }

    private static func fields(_ name: String, _ settings: Settings, isPaired: Bool) -> Scenario {
        Scenario(name, settings) { stage in
            await stage.start(.input(0), Feed.fields(isPaired: isPaired), since: -500)
            try await stage.run(to: 5_000)
            await stage.lose(.input(0))
            try await stage.run(to: 7_000)
            await stage.start(.input(0), Feed.fields(isPaired: isPaired), since: -500)
            try await stage.run(to: 10_000)
        }
    }

    /// Boundaries are where no picture and no frame ends.
    private static func oddSlots(_ name: String, _ settings: Settings) -> Scenario {
        var odd = settings
        odd.segmentDuration = 2_300
        return Scenario(name, odd) { stage in
            await stage.start(.input(0), await FeedName.ntsc.read())
            try await stage.run(to: 10_500)
            await stage.lose(.input(0))
            try await stage.run(to: 17_700)
            await stage.start(.input(0), await FeedName.ntsc.read())
            try await stage.run(to: 25_000)
        }
    }

    /// Opus, and AAC that was made of it.
    private static func transcoded(_ name: String, _ settings: Settings) -> Scenario {
        Scenario(name, settings) { stage in
            let opus = await FeedName.opus.read()
            var aac = await FeedName.aac.read().without(.video)
            for place in aac.tracks.indices {
                aac.tracks[place].transcodedFrom = opus.tracks.first { $0.kind == .audio }?.index
            }
            await stage.start(.input(0), opus.beside(aac))
            await stage.send(.noticed(.undecodableFrame(track: 101)), from: .input(0))
            try await stage.run(to: 10_000)
        }
    }

    /// A codec that nobody knows, and a track that is encrypted.
    private static func leftOut(_ name: String, _ settings: Settings) -> Scenario {
        Scenario(name, settings) { stage in
            var unknown = await FeedName.aac.read().without(.audio)
            for place in unknown.tracks.indices { unknown.tracks[place].codec = .unsupported("vp8") }
            var encrypted = await FeedName.ac3.read().without(.video)
            for place in encrypted.tracks.indices { encrypted.tracks[place].isEncrypted = true }
            await stage.start(.input(0), await FeedName.live.read().beside(unknown.beside(encrypted)))
            try await stage.run(to: 10_000)
        }
    }

    /// Pictures that are turned, and audio that describes them.
    private static let described = Scenario("described") { stage in
        var feed = await FeedName.languages.read()
        for place in feed.tracks.indices {
            if feed.tracks[place].kind == .video { feed.tracks[place].rotation = .quarter }
            feed.tracks[place].isAudioDescription = feed.tracks[place].language == "de"
        }
        await stage.start(.input(0), feed)
        try await stage.run(to: 10_000)
    }
}
