import MediaCore
import NIOCore
import Playlists

@testable import Presentation

/// A channel with parts of a second, four to a slot, whose renditions are told side by side.
extension Channel {
    static let partCount = 4

    static func lowLatency(
        window: Int64 = 24,
        renditions: [RenditionDescription] = [.video, .audio],
        store: MemoryStore? = nil,
        keepsMediaInMemory: Bool = true,
        consumers: [any PublicationConsumer] = []
    ) -> Channel {
        Channel(
            window: MediaTime(seconds: window),
            partTarget: MediaTime(seconds: 1),
            store: store,
            consumers: consumers,
            keepsMediaInMemory: keepsMediaInMemory,
            renditions: renditions
        )
    }

    /// A part of a slot, a quarter of the bytes that its segment will have.
    static func part(
        _ number: Int64,
        _ index: Int,
        isGap: Bool = false,
        startsDiscontinuity: Bool = false,
        keyPeriod: Int64? = nil,
        of id: RenditionID = video
    ) -> PublishedPart {
        let name = keyPeriod.map { "init-\($0).mp4" } ?? "init.mp4"
        let keys = keyPeriod.map { [EncryptionKey.ofPeriod($0)] } ?? []
        let section = PublishedSegment.InitializationSection(
            name: name,
            bytes: ByteBuffer(string: "\(id) \(name)"),
            keys: keys
        )
        return PublishedPart(
            number: MediaSequenceNumber(number),
            index: index,
            duration: SegmentDuration(value: 1, timescale: 1),
            isIndependent: index == 0,
            content: isGap ? .gap : .media(.numbered(number, count: 1000 / partCount)),
            opening: index > 0
                ? nil
                : PublishedPart.Opening(
                    programDateTime: MediaTime(seconds: number * 4),
                    startsDiscontinuity: startsDiscontinuity,
                    initialization: isGap ? nil : section,
                    keys: isGap ? [] : keys
                )
        )
    }

    /// Publishes the parts of the next slot in these renditions.
    func tell(
        _ renditions: [RenditionID] = [video, audio],
        parts indices: Range<Int> = 0..<partCount,
        ahead: Int64 = 0,
        startsDiscontinuity: Bool = false,
        keyPeriod: Int64? = nil
    ) throws {
        for index in indices {
            for id in renditions {
                let part = Self.part(
                    nextNumber + ahead,
                    index,
                    startsDiscontinuity: startsDiscontinuity,
                    keyPeriod: keyPeriod,
                    of: id
                )
                try presentation.publish(part, of: id)
            }
        }
    }

    /// Publishes slots, each after its parts.
    mutating func tellAndPublish(count: Int = 1) throws {
        for _ in 0..<count {
            try tell()
            try publish()
        }
    }

    func delta(_ skip: SkipDirective = .yes, of id: RenditionID = video) -> String? {
        presentation.deltaPlaylist(of: id, skip).map { String(buffer: $0.plain.body) }
    }
}

extension String {
    /// The text without the lines that are different in each playlist: the hint and the reports.
    var withoutHints: String {
        split(separator: "\n").filter { line in
            !line.hasPrefix("#EXT-X-PRELOAD-HINT") && !line.hasPrefix("#EXT-X-RENDITION-REPORT")
        }.joined(separator: "\n")
    }

    func lines(_ prefix: String) -> [Substring] { split(separator: "\n").filter { $0.hasPrefix(prefix) } }
}
