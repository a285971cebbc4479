import Foundation
import MediaCore
import NIOCore
import Playlists
import Presentation
import Testing

@testable import Hosting

/// The state that a channel leaves, from one process to the next.
@Suite struct ChannelHandoverTests {
    private static func handedOver(_ window: RestoredWindow?, _ json: Data) throws -> RestoredWindow? {
        try JSONDecoder().decode(ChannelHandover.self, from: json)
            .predecessor(inputs: [], bodies: window?.bodies ?? [:], feeds: [:]).window
    }

    /// Parts are listed for three target durations, and served for three more (RFC 8216bis § 6.2.2).
    @Test func partsOfTheNewestSlotsGoOver() throws {
        let window = try Self.presentation().restorable
        let predecessor = ChannelPredecessor(window: window, streamIdentity: [:], schedule: [])
        let json = try JSONEncoder().encode(ChannelHandover(predecessor, secret: nil))
        let found = try #require(try Self.handedOver(window, json))
        #expect(found.parts.all.map(\.number.value) == [1000, 1000, 1001])
        #expect(found.parts == window.parts)
    }

    /// The first version with parts handed over those of slots that were not over.
    @Test func partsOfTheFirstVersionAreRead() throws {
        let window = try Self.presentation().restorable
        let predecessor = ChannelPredecessor(window: window, streamIdentity: [:], schedule: [])
        var handover = ChannelHandover(predecessor, secret: nil)
        var open = SavedParts()
        for part in window.parts.all(after: window.window.lastNumber) { open.append(part) }
        handover.parts = open
        let json = try JSONEncoder().encode(handover)
        #expect(String(decoding: json, as: UTF8.self).contains(#""open":["#))
        #expect(try Self.handedOver(window, json)?.parts.all.map(\.number.value) == [1001])
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
