import MediaCore
import NIOCore
import Playlists
import Presentation
import Segmenting
import Testing

@testable import Channels

/// Parts of an earlier run, as the engine gets them.
@Suite struct RestoredPartsTests {
    /// What is over is decided: the engine goes on after it.
    @Test func theEngineGetsThePartsOfSlotsThatAreNotOver() throws {
        let presentation = try Self.presentation()
        let restored = presentation.restorable
        #expect(restored.parts.all.map(\.number.value) == [1000, 1000, 1001])
        for window in [PublishedWindow(restored, presentation.configuration).open, restored.told] {
            #expect(window.keys.map(\.name) == [Self.video.name])
            #expect(window[Self.video]?.map(\.number.value) == [1001])
            #expect(window[Self.video]?.map(\.durations.count) == [1])
        }
    }

    /// A presentation with a slot that is over and one that is not, both told in parts of two seconds.
    private static func presentation() throws -> Presentation {
        let presentation = Presentation(
            configuration: Presentation.Configuration(
                name: "live",
                targetDuration: 6,
                segmentDuration: MediaTime(seconds: 4),
                windowDuration: MediaTime(seconds: 24),
                maximumBytes: 1_000_000,
                partTarget: MediaTime(seconds: 2)
            )
        )
        presentation.declare(renditions: [RenditionDescription(id: video, kind: .video, codecs: ["avc1.640028"])])
        for index in 0..<2 { try presentation.publish(part(1000, index), of: video) }
        let slot = PublishedSlot(
            number: MediaSequenceNumber(1000),
            startsDiscontinuity: false,
            segments: [
                video: PublishedSegment(
                    programDateTime: MediaTime(seconds: 4000),
                    duration: SegmentDuration(value: 4, timescale: 1),
                    content: .media(ByteBuffer(string: "1000.0 1000.1 ")),
                    initialization: section,
                    keys: []
                )
            ]
        )
        try presentation.publish(slot, now: MediaTime(seconds: 4004))
        try presentation.publish(part(1001, 0), of: video)
        return presentation
    }

    private static let video: RenditionID = "video-360p"

    private static let section = PublishedSegment.InitializationSection(
        name: "init.mp4",
        bytes: ByteBuffer(string: "init"),
        keys: []
    )

    private static func part(_ number: Int64, _ index: Int) -> PublishedPart {
        let opening = PublishedPart.Opening(
            programDateTime: MediaTime(seconds: number * 4),
            startsDiscontinuity: false,
            initialization: section,
            keys: []
        )
        return PublishedPart(
            number: MediaSequenceNumber(number),
            index: index,
            duration: SegmentDuration(value: 2, timescale: 1),
            isIndependent: index == 0,
            content: .media(ByteBuffer(string: "\(number).\(index) ")),
            opening: index == 0 ? opening : nil
        )
    }
}
