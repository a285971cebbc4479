import MediaCore
import NIOCore
package import Playlists
package import Presentation

/// A presentation with a slot that is over and one that is not, both told in parts of two seconds.
package enum ToldPresentation {
    package static func make() throws -> Presentation {
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

    package static let video: RenditionID = "video-360p"

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
