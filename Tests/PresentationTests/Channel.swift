import MediaCore
import NIOCore
import Playlists
import Presentation
import Testing

/// A channel with slots of 4 s, as tests feed and look at it: one video and one audio rendition unless told otherwise.
struct Channel {
    static let firstNumber: Int64 = 448_812_000
    static let video: RenditionID = "video-1080p"
    static let audio: RenditionID = "audio-en"

    let presentation: Presentation
    private(set) var now: MediaTime
    private(set) var nextNumber: Int64

    init(
        first: Int64 = firstNumber,
        window: MediaTime = MediaTime(seconds: 24),
        targetDuration: Int = 6,
        maximumBytes: Int = 1_000_000_000,
        partTarget: MediaTime? = nil,
        pinnedBandwidth: [RenditionID: Bandwidth] = [:],
        keyAddresses: KeyAddresses = KeyAddresses(),
        store: MemoryStore? = nil,
        consumers: [any PublicationConsumer] = [],
        isOnDemand: Bool = false,
        keepsMediaInMemory: Bool = true,
        texts: TextExecutor = .shared,
        renditions: [RenditionDescription] = [.video, .audio]
    ) {
        now = MediaTime(seconds: first * 4)
        nextNumber = first
        var configuration = Presentation.Configuration(
            name: "live",
            targetDuration: targetDuration,
            segmentDuration: MediaTime(seconds: 4),
            windowDuration: window,
            maximumBytes: maximumBytes,
            partTarget: partTarget,
            pinnedBandwidth: pinnedBandwidth,
            keyAddresses: keyAddresses
        )
        configuration.isOnDemand = isOnDemand
        configuration.keepsMediaInMemory = keepsMediaInMemory
        presentation = Presentation(
            configuration: configuration,
            consumers: [store].compactMap(\.self) + consumers,
            store: store,
            texts: texts
        )
        presentation.declare(renditions: renditions)
    }

    /// Publishes in a presentation that has nothing yet, or everything up to a slot.
    init(_ presentation: Presentation, next number: Int64 = firstNumber) {
        self.presentation = presentation
        now = MediaTime(seconds: number * 4)
        nextNumber = number
    }

    /// Publishes the next slot when it is over; media has 1000 bytes unless told otherwise.
    mutating func publish(
        _ renditions: [RenditionID] = [video, audio],
        gaps: Set<RenditionID> = [],
        byteCounts: [RenditionID: Int] = [:],
        startsDiscontinuity: Bool = false,
        keyPeriod: Int64? = nil,
        picture: Range<Int>? = nil,
        isIndependent: Bool = true,
        dateRanges: DateRangeLines = DateRangeLines(),
        waitsForAll: Bool? = nil
    ) throws {
        let number = nextNumber
        nextNumber += 1
        now = MediaTime(seconds: nextNumber * 4)
        var segments: [RenditionID: PublishedSegment] = [:]
        for id in renditions {
            let initialization = keyPeriod.map { "init-\($0).mp4" } ?? "init.mp4"
            segments[id] = PublishedSegment(
                programDateTime: MediaTime(seconds: number * 4),
                duration: SegmentDuration(value: 4, timescale: 1),
                content: gaps.contains(id) ? .gap : .media(.numbered(number, count: byteCounts[id] ?? 1000)),
                initialization: .init(
                    name: initialization,
                    bytes: ByteBuffer(string: "\(id) \(initialization)"),
                    keys: keyPeriod.map { [.ofPeriod($0)] } ?? []
                ),
                keys: keyPeriod.map { [.ofPeriod($0)] } ?? [],
                iFrame: id == Self.video && !gaps.contains(id) ? picture : nil,
                isIndependent: isIndependent
            )
        }
        var slot = PublishedSlot(
            number: MediaSequenceNumber(number),
            startsDiscontinuity: startsDiscontinuity,
            segments: segments
        )
        slot.dateRanges = dateRanges
        slot.waitsForAll = waitsForAll ?? (presentation.firstNumber == nil)
        try presentation.publish(slot, now: now)
    }

    mutating func publish(count: Int, picture: Range<Int>? = nil) throws {
        for _ in 0..<count { try publish(picture: picture) }
    }

    /// Continues with a later slot; so far away the window begins anew.
    mutating func leap(to number: Int64) throws {
        nextNumber = number
        now = MediaTime(seconds: number * 4)
        let count = try presentation.bridge(to: MediaSequenceNumber(number), now: now)
        #expect(count == nil)
    }

    func resource(_ path: String) -> Lookup { presentation.resource(path, now: now) }

    /// The text of a playlist; empty if there is none.
    func text(_ path: String) -> String { resource(path).resource?.body.memory.map { String(buffer: $0) } ?? "" }

    func playlist(_ id: RenditionID = video) throws -> MediaPlaylist { try MediaPlaylist(parsing: text("\(id).m3u8")) }

    func multivariant() throws -> MultivariantPlaylist { try MultivariantPlaylist(parsing: text("index.m3u8")) }
}

extension RenditionDescription {
    static let video = RenditionDescription(
        id: Channel.video,
        kind: .video,
        codecs: ["avc1.640028"],
        resolution: Resolution(width: 1920, height: 1080),
        frameRate: Ratio(25, 1)
    )
    static let audio = RenditionDescription(
        id: Channel.audio,
        kind: .audio,
        codecs: ["mp4a.40.2"],
        audioGroup: "audio",
        language: "en",
        name: "English",
        channels: "2",
        isDefault: true
    )
}

extension EncryptionKey {
    static func ofPeriod(_ period: Int64) -> EncryptionKey {
        EncryptionKey(
            method: .sampleAES,
            uri: "keys/\(period)",
            initializationVector: Bytes16(high: 0, low: UInt64(period))
        )
    }
}

extension ByteBuffer {
    /// Bytes that are different in every slot.
    static func numbered(_ number: Int64, count: Int) -> ByteBuffer {
        // Through an array: NIO, which is not optimised in tests, would write byte by byte.
        ByteBuffer(bytes: [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: count))
    }
}

extension Lookup {
    var resource: Resource? {
        if case .found(let resource) = self { resource } else { nil }
    }
}
