import MediaCore
import Testing

@testable import Segmenting

/// An engine that continues at the end of an earlier run, and its inputs.
@Suite struct EngineRestartTests {
    /// The input has lost its pictures, and its backup has them: it fills the rendition now as it did before.
    @Test func aBackupFillsWhatItsInputHasLostBefore() throws {
        let latency = MediaTime(milliseconds: 200)
        let start = EngineRun.start
        var before = EncodedChannel(
            [InputID.input(0), .backup(0, inputCount: 1)].map { EngineEncoder($0, latency: latency, from: start) }
        )
        before.go(on: 60)
        before.change(0) { $0.hasVideo = false }
        before.go(on: 60)
        #expect(before.gaps.count >= 12 && before.gaps.suffix(4).allSatisfy { !$0 }, "\(before.gaps)")
        let window = try #require(before.newest)
        var encoders = before.encoders
        for index in encoders.indices { encoders[index].hasVideo = index == 1 }
        var after = EncodedChannel(encoders, after: .resumed(window), at: before.now)
        after.go(on: 60)
        #expect(after.slots.count >= 6)
        #expect(after.slots.allSatisfy { $0.segments.count == 2 })
        #expect(after.gaps.suffix(4).allSatisfy { !$0 }, "\(after.gaps)")
    }

    /// What viewers have of a slot is final: the rest of it are gaps, and it begins as it was told.
    @Test func aSlotUnderWayContinuesAfterItsParts() throws {
        let horizon = CommitHorizon.part(duration: MediaTime(seconds: 1))
        let latency = MediaTime(milliseconds: 200)
        var before = EncodedChannel(
            [EngineEncoder(.input(0), latency: latency, from: EngineRun.start)],
            horizon: horizon
        )
        before.go(on: 62)
        var window = try #require(before.newest)
        let number = try #require(window.newest).next
        #expect(window.open.count == 2 && window.open.values.allSatisfy { $0.map(\.number) == [number] })
        for id in window.open.keys { window.open[id]?[0].startsDiscontinuity = true }
        let encoder = EngineEncoder(.input(0), latency: latency, from: before.now)
        var after = EncodedChannel([encoder], after: .resumed(window), at: before.now, horizon: horizon)
        after.go(on: 30)
        for (id, told) in window.open {
            let parts = after.parts.filter { $0.id == id && $0.cut.number == number }
            #expect(parts.map(\.index) == Array(told[0].durations.count..<told[0].durations.count + parts.count))
            #expect(!parts.isEmpty && parts.allSatisfy { $0.cut.isGap }, "\(id)")
        }
        let slot = try #require(after.slots.first)
        #expect(slot.number == number && slot.segments.allSatisfy { $0.contents.isGap })
        #expect(slot.startsDiscontinuity, "as its first parts said")
        #expect(after.gaps.count > 3 && after.gaps.dropFirst().allSatisfy { !$0 }, "\(after.gaps)")
    }

    /// Nothing measures the shift of a backup on air anew while its input is dead; the input follows it later.
    @Test func theShiftOfABackupOutlastsAnUpgrade() {
        let near = { (shift: MediaTime, milliseconds: Int64) in
            abs((shift - MediaTime(milliseconds: milliseconds)).ticks) < MediaTime(milliseconds: 50).ticks
        }
        let inputs: [(InputID, Int64)] = [(.input(0), 200), (.backup(0, inputCount: 1), 2_200)]
        let encoders = inputs.map { input, latency in
            EngineEncoder(input, latency: MediaTime(milliseconds: latency), from: EngineRun.start)
        }
        var channel = EncodedChannel(encoders, clock: .arrival)
        channel.go(on: 60)
        channel.lose(0)
        channel.go(on: 40)
        #expect(near(channel.shift(of: 1), -2_000), "\(channel.shift(of: 1))")
        channel.upgrade()
        channel.go(on: 30)
        #expect(near(channel.shift(of: 1), -2_000), "\(channel.shift(of: 1))")
        #expect(channel.gaps.suffix(2).allSatisfy { !$0 }, "\(channel.gaps)")
        channel.reconnect(0, latency: MediaTime(milliseconds: 1_400))
        channel.go(on: 22)
        // Its pictures are 0.8 s ahead of the backup's.
        #expect(near(channel.shift(of: 0), -1_200), "\(channel.shift(of: 0))")
        #expect(near(channel.shift(of: 1), -2_000), "\(channel.shift(of: 1))")
    }

    /// The input dies while another process takes over, whose first slot its backup fills.
    @Test(arguments: [true, false]) func anotherInputThanBeforeIsASwitch(dies: Bool) {
        let latency = MediaTime(milliseconds: 200)
        let inputs = [InputID.input(0), .backup(0, inputCount: 1)]
        var channel = EncodedChannel(inputs.map { EngineEncoder($0, latency: latency, from: EngineRun.start) })
        channel.go(on: 60)
        if dies { channel.lose(0) }
        channel.upgrade()
        channel.go(on: 30)
        #expect(Set(channel.switches) == (dies ? ["backup-1"] : []), "\(channel.switches)")
    }
}
