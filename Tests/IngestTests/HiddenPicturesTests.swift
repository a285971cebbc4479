import MediaCore
import TestSupport
import Testing

@testable import Ingest

/// Pictures before the beginning of an edit list.
@Suite struct HiddenPicturesTests {
    /// Frames of 40 ms in order of decoding, by the frame that each is shown as; those before `visible` are hidden.
    private func retimed(_ order: [Int64], reordering: Int64, visible: Int64) -> [PacketInfo] {
        var hidden = HiddenPictures()
        var result: [PacketInfo] = []
        for (index, shown) in order.enumerated() {
            let info = PacketInfo(
                trackIndex: 0,
                presentationTimestamp: shown * 3600,
                decodeTimestamp: (Int64(index) - reordering) * 3600,
                isHidden: shown < visible
            )
            let bytes = [UInt8(index)]
            let released = hidden.packetRead(info, payload: bytes.span.bytes)
            #expect(released?.allSatisfy { $0.bytes.count == 1 } != false)
            result += released.map { $0.map(\.info) } ?? [info]
        }
        return result + hidden.finish().map(\.info)
    }

    @Test func withoutHiddenPicturesNothingWaits() {
        var hidden = HiddenPictures()
        let info = PacketInfo(trackIndex: 0, presentationTimestamp: 0, decodeTimestamp: 0)
        #expect(hidden.packetRead(info, payload: [UInt8(1)].span.bytes) == nil)
        #expect(hidden.finish().isEmpty)
    }

    @Test(
        arguments: [
            // No reordering; two B pictures, the first visible one decoded late; three in a pyramid.
            ([0, 1, 2, 3, 4, 5, 6, 7], 0, 4),
            ([0, 3, 1, 2, 6, 4, 5, 9, 7, 8, 12, 10, 11], 1, 5),
            ([0, 4, 2, 1, 3, 8, 6, 5, 7, 12, 10, 9, 11], 2, 6),
            ([0, 4, 2, 1, 3, 8, 6, 5, 7, 12, 10, 9, 11], 2, 1),
        ] as [([Int64], Int64, Int64)]
    )
    func hiddenPicturesComeRightBeforeTheFirstVisibleOne(order: [Int64], reordering: Int64, visible: Int64) throws {
        let pictures = retimed(order, reordering: reordering, visible: visible)
        #expect(pictures.count == order.count)
        let presented = pictures.compactMap(\.presentationTimestamp)
        let decoded = pictures.compactMap(\.decodeTimestamp)
        for (index, shown) in order.enumerated() where shown >= visible {
            #expect(presented[index] == shown * 3600, "what is visible keeps its time")
        }
        // As they were, in order; and next to no time.
        let ranks = order.indices.sorted { order[$0] < order[$1] }
        #expect(ranks == order.indices.sorted { presented[$0] < presented[$1] })
        #expect(Set(presented).count == presented.count)
        #expect(try #require(presented.min()) >= visible * 3600 - 2 * visible)
        #expect(zip(decoded, decoded.dropFirst()).allSatisfy { $0 < $1 })
        #expect(zip(decoded, presented).allSatisfy { $0 <= $1 })
        // The decoder's delay is that of the pictures that follow.
        #expect(presented[0] - decoded[0] == reordering * 3600)
    }

    @Test func whatNoVisiblePictureIsPredictedFromIsLeftOut() {
        #expect(retimed([0, 1, 2], reordering: 0, visible: 9).isEmpty)
    }
}
