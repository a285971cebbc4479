import ContentProtection
import MediaCore
import NIOCore
import TestSupport
import Testing

@Suite struct CounterModeVectorsTests {
    private static let key = ContentKey(Bytes16(high: 1, low: 2))

    /// Counters of all blocks of a segment.
    private func counters(
        slot: Int64,
        part: Int? = nil,
        rendition: String,
        _ samples: [[UInt8]],
        key: ContentKey = key
    ) throws -> [Bytes16] {
        let vectors = try CounterModeVectors(
            slot: MediaSequenceNumber(slot),
            part: part,
            rendition: rendition,
            samples: samples.map { ByteBuffer(bytes: $0) },
            key: key
        )
        let found = try #require(vectors.vectors(protectedByteCounts: samples.map(\.count)))
        return zip(found, samples).flatMap { vector, sample in
            (0..<UInt64((sample.count + 15) / 16)).map { (block: UInt64) -> Bytes16 in
                Bytes16(high: vector.high, low: vector.low + block)
            }
        }
    }

    /// Slots a year apart and side by side, across the limits of 26 and 32 bits, with samples of all sizes.
    @Test func noTwoBlocksOfAKeyHaveOneCounter() throws {
        var random = SeededGenerator(seed: 20_261_122)
        var all: [Bytes16] = []
        let first: Int64 = 1_795_000_000
        let slots: [Int64] = [
            first, first + 1, first + 1 << 26, first + 1 << 27, first + 31_557_600, 1 << 32, 1 << 36 - 1,
        ]
        for slot in slots {
            for rendition in ["video-1080p", "video-720p", "video-1080p-2", "audio-en", "audio-de"] {
                // What two packagers have for one slot: one lacks the end, or has another encoder's.
                for _ in 0..<3 {
                    let sizes = [0, 1, 15, 16, 17, 160, 5000].shuffled(using: &random)
                    all += try counters(slot: slot, rendition: rendition, sizes.map { random.bytes($0) })
                }
            }
        }
        #expect(all.count > 30_000)
        #expect(Set(all).count == all.count)
    }

    @Test func equalSegmentsHaveEqualVectors() throws {
        let samples: [[UInt8]] = [[1, 2, 3], [4]]
        let one = try counters(slot: 7, rendition: "video-720p", samples)
        #expect(try counters(slot: 7, rendition: "video-720p", samples) == one)
        #expect(one.count == 2 && one[1].low == one[0].low + 1 && one[1].high == one[0].high)
    }

    /// The boundaries of samples are told apart, too, and everything is under another key.
    @Test func whateverDiffersChangesTheVectors() throws {
        let one = try counters(slot: 7, rendition: "video-720p", [[1, 2, 3], [4]])[0]
        let others = [
            try counters(slot: 8, rendition: "video-720p", [[1, 2, 3], [4]])[0],
            try counters(slot: 7, part: 0, rendition: "video-720p", [[1, 2, 3], [4]])[0],
            try counters(slot: 7, part: 1, rendition: "video-720p", [[1, 2, 3], [4]])[0],
            try counters(slot: 7, rendition: "video-1080p", [[1, 2, 3], [4]])[0],
            try counters(slot: 7, rendition: "video-720p", [[1, 2], [3, 4]])[0],
            try counters(slot: 7, rendition: "video-720p", [[1, 2, 3], [5]])[0],
            try counters(slot: 7, rendition: "video-720p", [[1, 2, 3]])[0],
            try counters(
                slot: 7,
                rendition: "video-720p",
                [[1, 2, 3], [4]],
                key: ContentKey(Bytes16(high: 1, low: 3))
            )[0],
        ]
        #expect(Set(others + [one]).count == 9)
    }

    /// Whatever they have: a digest may have the same value for two contents.
    @Test func partsOfASlotDifferByConstruction() throws {
        let bits = try (0..<32).map { part in
            try counters(slot: 7, part: part, rendition: "video-720p", [[1, 2, 3]])[0].low & 0xFFFF_FFFF
        }
        #expect(bits == (0..<32).map { UInt64($0) << 27 })
        let vectors = try CounterModeVectors(
            slot: MediaSequenceNumber(1),
            part: 31,
            rendition: "video",
            samples: [],
            key: Self.key
        )
        let most = 1 << 31
        let found = try #require(vectors.vectors(protectedByteCounts: [most - 16, 16]))
        #expect(found[1].low & 0xFFFF_FFFF == 0xFFFF_FFFF)
        #expect(vectors.vectors(protectedByteCounts: [most, 1]) == nil)
        #expect(vectors.vectors(protectedByteCounts: [most + 1]) == nil)
    }

    @Test func whatTheCounterHasNoRoomForIsRefused() throws {
        let vectors = try CounterModeVectors(
            slot: MediaSequenceNumber(1),
            rendition: "video",
            samples: [],
            key: Self.key
        )
        let most = 1 << 36
        let found = try #require(vectors.vectors(protectedByteCounts: [most - 16, 16]))
        #expect(found[0].low & 0xFFFF_FFFF == 0 && found[1].low & 0xFFFF_FFFF == 0xFFFF_FFFF)
        #expect(found[0].high == found[1].high)
        #expect(vectors.vectors(protectedByteCounts: [most, 1]) == nil)
        #expect(vectors.vectors(protectedByteCounts: [most + 1]) == nil)
    }
}
