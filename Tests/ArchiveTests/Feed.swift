import Archive
import MediaCore
import NIOCore
import Playlists
import Presentation
import Synchronization
import TestSupport

/// A channel with slots of 4 s and a window of 24 s, with outages, discontinuities and rotating keys now and then.
struct Feed {
    static let video: RenditionID = "video-1080p"
    static let audio: RenditionID = "audio-en"
    static let firstNumber: Int64 = 1000

    let presentation: Presentation
    private(set) var number: Int64
    /// Bytes that each segment has besides its name.
    private let padding: Int
    private var generator: SeededGenerator

    init(
        _ journal: Journal?,
        isPatient: Bool = true,
        seed: UInt64 = 1,
        restored: RestoredWindow? = nil,
        maximumBytes: Int = 1_000_000_000,
        partTarget: MediaTime? = nil,
        isStoring: Bool = false,
        padding: Int = 0,
        consumers: [any PublicationConsumer] = []
    ) {
        generator = SeededGenerator(seed: seed)
        self.padding = padding
        var keeper: (any PublicationConsumer)? = journal
        if isPatient, let journal { keeper = PatientJournal(journal) }
        presentation = Presentation(
            configuration: Presentation.Configuration(
                name: "live",
                targetDuration: 6,
                segmentDuration: MediaTime(seconds: 4),
                windowDuration: MediaTime(seconds: 24),
                maximumBytes: maximumBytes,
                partTarget: partTarget
            ),
            consumers: [keeper].compactMap(\.self) + consumers,
            store: isStoring ? journal : nil
        )
        number = restored?.window.lastNumber?.next.value ?? Self.firstNumber
        if let restored {
            presentation.restore(restored, now: Self.time(number))
        }
        presentation.declare(
            renditions: [
                RenditionDescription(id: Self.video, kind: .video, codecs: ["avc1.640028"]),
                RenditionDescription(id: Self.audio, kind: .audio, codecs: ["mp4a.40.2"], audioGroup: "audio"),
            ]
        )
    }

    /// Publishes in a presentation that has nothing yet.
    init(_ presentation: Presentation) {
        self.presentation = presentation
        number = Self.firstNumber
        padding = 0
        generator = SeededGenerator(seed: 1)
    }

    var now: MediaTime { Self.time(number) }

    static func time(_ number: Int64) -> MediaTime { MediaTime(seconds: number * 4) }

    /// Publishes the next slot, with a gap, a discontinuity or a new configuration by chance.
    mutating func publish() throws {
        let isAtStart = number == Self.firstNumber
        let gaps = [Self.video, Self.audio].filter { _ in Int.random(in: 0..<6, using: &generator) == 0 && !isAtStart }
        try publish(gaps: gaps, startsDiscontinuity: Int.random(in: 0..<6, using: &generator) == 0)
    }

    mutating func publish(gaps: [RenditionID], startsDiscontinuity: Bool = false) throws {
        let period = number / 3
        var segments: [RenditionID: PublishedSegment] = [:]
        let padding = String(repeating: ".", count: padding)
        let key = EncryptionKey(
            method: .sampleAES,
            uri: "keys/\(period)",
            initializationVector: Bytes16(high: 0, low: UInt64(period))
        )
        for (id, timescale) in [(Self.video, Int64(90_000)), (Self.audio, 48_000)] {
            segments[id] = PublishedSegment(
                programDateTime: Self.time(number),
                duration: SegmentDuration(value: 4 * timescale, timescale: timescale),
                content: gaps.contains(id) ? .gap : .media(ByteBuffer(string: "\(id) \(number)\(padding)")),
                initialization: .init(
                    name: "init-\(period).mp4",
                    bytes: ByteBuffer(string: "\(id) init-\(period).mp4"),
                    keys: [key]
                ),
                fingerprint: "\(id)",
                keys: [key]
            )
        }
        let slot = PublishedSlot(
            number: MediaSequenceNumber(number),
            startsDiscontinuity: startsDiscontinuity,
            segments: segments
        )
        number += 1
        try presentation.publish(slot, now: now)
    }

    mutating func publish(count: Int) throws {
        for _ in 0..<count { try publish() }
    }

    var playlists: [String] { presentation.playlists(now: now) }
}

extension Presentation {
    /// The text of all playlists.
    func playlists(now: MediaTime) -> [String] {
        ["index.m3u8", "video-1080p.m3u8", "audio-en.m3u8"].map { path in
            if case .found(let resource) = resource(path, now: now) {
                String(buffer: resource.body.memory ?? ByteBuffer())
            } else {
                ""
            }
        }
    }
}

/// The events of a journal.
final class Events: Sendable {
    private let events = Mutex<[JournalEvent]>([])

    var all: [JournalEvent] { events.withLock { $0 } }
    var texts: [String] { all.map(\.description) }
    var append: @Sendable (JournalEvent) -> Void { { event in self.events.withLock { $0.append(event) } } }
}
