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
}
