import ISOBMFF
import NIOCore
import TestSupport
import Testing

@testable import Packaging
@testable import Segmenting

/// Movie fragments whose pictures are decoded before they are shown.
@Suite struct DecodeClockTests {
    /// Pictures of 40 ms in order of decoding, by the frame that each is shown as.
    private func samples(_ order: [Int64], duration: UInt32 = 3600) -> [FragmentSample] {
        order.enumerated().map { index, shown in
            FragmentSample(
                duration: duration,
                compositionOffset: Int32(shown - Int64(index)) * Int32(duration),
                isSync: index == 0,
                payload: ByteBuffer()
            )
        }
    }

    /// Decode and presentation times.
    private func times(_ samples: [FragmentSample]) -> [(decode: Int64, presentation: Int64)] {
        var time: Int64 = 0
        return samples.map { sample in
            defer { time += Int64(sample.duration) }
            return (time, time + Int64(sample.compositionOffset))
        }
    }

    private func end(_ samples: [FragmentSample]) -> Int64 { samples.reduce(0) { $0 + Int64($1.duration) } }

    @Test(
        arguments: [
            // No reordering, two B pictures, three in a pyramid.
            ([0, 1, 2, 3], [0, 3600, 7200, 10_800]),
            ([0, 3, 1, 2, 6, 4, 5], [0, 1800, 3600, 7200, 10_800, 14_400, 18_000]),
            ([0, 4, 2, 1, 3, 8, 6, 5, 7], [0, 1200, 2400, 3600, 7200, 10_800, 14_400, 18_000, 21_600]),
        ] as [([Int64], [Int64])]
    )
    func theClockIsTheEncodersOnceTheFirstPictureIsShown(order: [Int64], expected: [Int64]) {
        let before = samples(order)
        let after = before.decodedBeforePresentation
        #expect(times(after).map(\.decode) == expected)
        #expect(times(after).map(\.presentation) == times(before).map(\.presentation))
        #expect(end(after) == end(before))
        #expect(after.allSatisfy { $0.compositionOffset >= 0 })
    }

    @Test func leadingPicturesStayBeforeTheirSegment() {
        let order: [Int64] = [0, -2, -1, 3, 1, 2]
        #expect(times(samples(order).decodedBeforePresentation).map(\.decode) == times(samples(order)).map(\.decode))
    }

    /// Groups of any order, and pictures of any length: presentation stays, and decoding rises.
    @Test func nothingIsPresentedAnotherTimeOrBeforeItIsDecoded() {
        var random = SeededGenerator(seed: 20_261_122)
        for _ in 0..<500 {
            var shown: [Int64] = [0]
            var time: Int64 = 0
            for _ in 0..<Int.random(in: 1...30, using: &random) {
                time += Int64.random(in: 900...9000, using: &random)
                shown.append(time)
            }
            let (last, step) = (time + 3600, Int.random(in: 1...6, using: &random))
            // The last of each few is decoded first.
            var order = [0]
            for start in stride(from: 1, to: shown.count, by: step) {
                let group = Array(start..<min(start + step, shown.count))
                order += group.suffix(1) + group.dropLast().shuffled(using: &random)
            }
            // The cut's clock: at the times of presentation, in order.
            let before = order.enumerated().map { index, picture in
                FragmentSample(
                    duration: UInt32((index + 1 < shown.count ? shown[index + 1] : last) - shown[index]),
                    compositionOffset: Int32(shown[picture] - shown[index]),
                    isSync: index == 0,
                    payload: ByteBuffer()
                )
            }
            let after = before.decodedBeforePresentation
            #expect(times(after).map(\.presentation) == times(before).map(\.presentation))
            #expect(end(after) == end(before))
            #expect(after.allSatisfy { $0.duration > 0 && $0.compositionOffset >= 0 })
        }
    }
}
