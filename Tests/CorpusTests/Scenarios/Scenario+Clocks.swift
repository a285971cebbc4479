import MediaCore
import TestSupport

/// Sources of UTC, and timestamps that do not run on.
extension Scenario {
    static let clocks = arrivals + signals + jumps

    private static let arrival = Settings(clock: .arrival)

    private static let arrivals = [
        Scenario("arrival", arrival) { stage in
            await stage.start(.input(0), await FeedName.live.read(), timestamps: 777_000)
            try await stage.run(to: 30_000)
        },
        Scenario("arrival-off-the-grid", arrival) { stage in
            try await stage.run(to: 1_370)
            await stage.start(.input(0), await FeedName.live.read(), timestamps: 777_000)
            try await stage.run(to: 20_000)
        },
        Scenario("arrival-of-a-backlog", arrival) { stage in
            await stage.start(.input(0), await FeedName.live.read(), timestamps: 777_000)
            stage.stall(.input(0), until: 3_000)
            try await stage.run(to: 20_000)
        },
        Scenario("arrival-of-inputs-that-share-a-clock", Settings(clock: .arrival, inputs: 2)) { stage in
            await stage.start(.input(0), await FeedName.live.read(), timestamps: 777_000)
            try await stage.run(to: 370)
            await stage.start(.input(1), await FeedName.high.read().without(.audio), since: 0, timestamps: 777_000)
            stage.stall(.input(1), until: 620)
            try await stage.run(to: 20_000)
        },
        Scenario("arrival-of-inputs-that-share-nothing", Settings(clock: .arrival, inputs: 2)) { stage in
            await stage.start(.input(0), await FeedName.live.read(), timestamps: 777_000)
            try await stage.run(to: 370)
            await stage.start(.input(1), await FeedName.high.read().without(.audio), timestamps: 5_000_000_000)
            try await stage.run(to: 20_000)
        },
        Scenario("arrival-of-an-encoder-that-runs-fast", Settings(clock: .arrival, window: 10_000)) { stage in
            await stage.start(.input(0), await FeedName.live.read(), timestamps: 777_000)
            stage.drift(.input(0), by: 30_000)
            try await stage.run(to: 80_000)
        },
        Scenario("arrival-of-tracks-that-are-apart", arrival) { stage in
            let feed = await FeedName.live.read().editing(.audio) { _, packet in
                packet.info.presentationTimestamp? += 9_000_000
                packet.info.decodeTimestamp? += 9_000_000
            }
            await stage.start(.input(0), feed, timestamps: 777_000)
            try await stage.run(to: 20_000)
        },
        Scenario("machine-clock-is-set", arrival) { stage in
            await stage.start(.input(0), await FeedName.live.read(), timestamps: 777_000)
            try await stage.run(to: 10_300)
            stage.setClock(by: 45_000)
            try await stage.run(to: 20_000)
            stage.setClock(by: -45_000)
            try await stage.run(to: 30_000)
        },
    ]

    private static let signals = [
        Scenario("producer-reference-time", Settings(clock: .timecode)) { stage in
            await stage.start(.input(0), await FeedName.aacFile.read(), timestamps: 0)
            stage.edit(.input(0)) { packet, utc in
                var packet = packet
                packet.info.producerReferenceTime = utc
                return packet
            }
            try await stage.run(to: 16_000)
        },
        timecode("timecode") { _ in true },
        timecode("timecode-that-pauses") { utc in !(4_000..<9_000 ~= utc.milliseconds % 60_000) },
        timecode("timecode-that-never-comes") { _ in false },
        Scenario("pts-that-is-no-utc", Settings(clock: .pts)) { stage in
            await stage.start(.input(0), await FeedName.live.read(), timestamps: 777_000)
            try await stage.run(to: 20_000)
        },
        Scenario("pts-wraps", Settings(epoch: 1_795_009_986)) { stage in
            await stage.start(.input(0), await FeedName.live.read())
            try await stage.run(to: 30_000)
        },
        Scenario("arrival-wraps", arrival) { stage in
            await stage.start(.input(0), await FeedName.live.read(), timestamps: (1 << 33) - 1_107_000)
            try await stage.run(to: 30_000)
        },
    ]

    private static let jumps = ClockSource.allCases.filter { $0 != .timecode }.flatMap { clock in
        ([1_500, -1_500, 100_000, -100_000, 40_000_000] as [Int64]).map { jump in
            let name = "\(clock)-jumps-\(jump < 0 ? "back" : "forwards")-by-\(abs(jump))-ms"
            return Scenario(name, Settings(clock: clock)) { stage in
                let timestamps: Int64? = clock == .pts ? nil : 50_000_000
                await stage.start(.input(0), await FeedName.live.read(), timestamps: timestamps)
                try await stage.run(to: 11_300)
                stage.jump(.input(0), by: jump)
                try await stage.run(to: 21_700)
                stage.jump(.input(0), by: -jump)
                try await stage.run(to: 32_000)
            }
        }
    }

    private static func timecode(_ name: String, isLabelled: @escaping @Sendable (MediaTime) -> Bool) -> Scenario {
        Scenario(name, Settings(clock: .timecode)) { stage in
            let feed = await FeedName.pictureStructure.read()
            let video = feed.tracks.first { $0.kind == .video }?.index
            await stage.start(.input(0), feed, timestamps: 777_000)
            stage.edit(.input(0)) { packet, utc in
                guard packet.info.trackIndex == video, isLabelled(utc) else { return packet }
                var packet = packet
                // 25 labels a second.
                let frame = Int(MediaTime.rescale(utc.ticks, from: 3_600, to: 1)) % (86_400 * 25)
                let label = TimecodeInserter.Timestamp(
                    hours: frame / 90_000,
                    minutes: frame / 1_500 % 60,
                    seconds: frame / 25 % 60,
                    frames: frame % 25
                )
                packet.bytes = TimecodeInserter().insert(into: packet.bytes) { _ in label }
                return packet
            }
            try await stage.run(to: 20_000)
        }
    }
}
