import MediaCore
import NIOCore
import TestSupport
import Testing
import TimedText

@testable import Channels
@testable import Codecs

/// Captions are read in the order in which pictures are shown, and pictures come in that in which they are decoded.
@Suite struct CaptionTracksTests {
    private struct Driver {
        private var tracks = CaptionTracks([.line21(1)], modulus: 1 << 33)
        private(set) var texts: [String] = []

        /// Pictures with two bytes of CC1 each.
        ///
        /// - Parameters:
        ///   - pictures: By when they are shown, which is three pictures after the first is decoded.
        ///   - order: That in which they are decoded.
        ///   - start: When the first is shown, in 90 kHz ticks.
        ///   - hasDecodeTimes: Whether packets say when they are decoded.
        mutating func send(_ pictures: [[UInt8]], order: [Int], from start: Int64, hasDecodeTimes: Bool = true) {
            for (place, picture) in order.enumerated() {
                let bytes = pictures[picture].map { $0.nonzeroBitCount % 2 == 0 ? $0 ^ 0x80 : $0 }
                let triplet = CaptionTriplet(.field1, bytes[0], bytes[1])
                let unit = TrackReader.Unit(
                    payload: ByteBuffer(),
                    isSync: place == 0,
                    configuration: .text(.webVTT),
                    captions: [triplet]
                )
                let info = PacketInfo(
                    trackIndex: 0,
                    presentationTimestamp: start + Int64(picture) * 3_600,
                    decodeTimestamp: hasDecodeTimes ? start + Int64(place - 3) * 3_600 : nil
                )
                texts += tracks.received([unit], info).filter { $0.1.duration == nil }.map(\.1.content.text)
            }
        }
    }

    /// Pop-on: each two bytes belong to the picture after those before.
    private static let codes: [[UInt8]] =
        [[0x14, 0x20], [0x14, 0x2E], [0x14, 0x70]] + ["RE", "OR", "DE", "RE", "D!"].map { Array($0.utf8) }
        + [[0x14, 0x2F]] + Array(repeating: [0, 0], count: 35)

    /// Groups of four pictures, the last of which is decoded first, and the second of the others before its neighbours.
    private static let pyramid = stride(from: 0, to: 44, by: 4).flatMap { [$0 + 3, $0 + 1, $0, $0 + 2] }

    @Test(arguments: [true, false])
    func reorderedPicturesAreReadAsTheyAreShown(hasDecodeTimes: Bool) {
        var driver = Driver()
        driver.send(Self.codes, order: Self.pyramid, from: (1 << 33) - 20_000, hasDecodeTimes: hasDecodeTimes)
        #expect(driver.texts == ["REORDERED!"])
    }

    /// Pictures that are shown last before a jump are read before those behind it.
    @Test func aJumpOfTheClockLosesNothing() {
        var driver = Driver()
        let codes = Array(repeating: [0, 0], count: 3) + Self.codes.prefix(9)
        driver.send(codes, order: Array(Self.pyramid.prefix(12)), from: 900_000)
        #expect(driver.texts.isEmpty)
        driver.send([[0, 0]], order: [0], from: 90_000_000)
        #expect(driver.texts == ["REORDERED!"])
    }
}
