import MediaCore
import Testing

@testable import Ingest

@Suite struct SampleGridTests {
    @Test func framesBeginAtMultiplesOfTheirLength() {
        for timestamp in [0, 1, 1920, 126_000, (1 << 33) - 1] as [Int64] {
            var grid = SampleGrid(sampleRate: 48_000, modulus: 1 << 33)
            let beginning = grid.begin(at: timestamp)
            #expect(beginning.position % 1024 == 0 && 0..<1024 ~= beginning.padding && beginning.omission == 0)
            let start = beginning.position + Int64(beginning.padding)
            #expect(Timestamps.distance(from: grid.ticks(start), to: timestamp, modulus: 1 << 33).magnitude <= 1)
        }
    }

    @Test func samplesAreCountedForHours() {
        var grid = SampleGrid(sampleRate: 44_100, modulus: 1 << 33)
        let start = (Int64(1) << 33) - 90_000_000
        _ = grid.begin(at: start)
        // Two hours of frames of 1152 samples, each stamped with its time rounded down, over the wrap.
        var jumps = 0
        for frame in 0..<275_625 as Range<Int64> {
            let timestamp = (start + frame * 1152 * 90_000 / 44_100) % (1 << 33)
            if grid.isJump(to: timestamp) { jumps += 1 }
            grid.advance(by: 1152)
        }
        #expect(jumps == 0)
    }

    @Test(arguments: [(1079, false), (-1079, false), (1080, true), (-1080, true), (900_000, true)])
    func halfAFrameIsAJump(deviation: Int64, isJump: Bool) {
        var grid = SampleGrid(sampleRate: 48_000, modulus: nil)
        _ = grid.begin(at: 90_000)
        grid.advance(by: 1152)
        #expect(grid.isJump(to: 92_160 + deviation) == isJump)
    }

    @Test func whatIsLateNeverOverlapsWhatWasMade() {
        var grid = SampleGrid(sampleRate: 48_000, modulus: nil)
        _ = grid.begin(at: 0)
        grid.stop(at: 10 * 1024)
        // 100 samples before the end: as many are left out.
        #expect(grid.begin(at: 10_140 * 15 / 8) == .init(position: 10_240, padding: 0, omission: 100))
        grid.stop(at: 10 * 1024)
        // In the last frame that was made lies the end of what came before.
        #expect(grid.begin(at: 10_300 * 15 / 8) == .init(position: 10_240, padding: 60, omission: 0))
        grid.stop(at: 100 * 1024)
        // More than a second back is another time.
        #expect(grid.begin(at: 0) == .init(position: 0, padding: 0, omission: 0))
    }
}
