import ContentProtection
import KeyServing
import Logging
import MediaCore
import NIOCore
import Origin
import Playlists
import Presentation
import Synchronization

/// A channel `live` with ten slots of four seconds, of which it lists seven; the second from the end is a gap.
enum Fixture {
    static let first: Int64 = 450_000_000
    static let now = MediaTime(seconds: (first + 10) * 4)
    static let keyID = KeyID(Bytes16(high: 1, low: 2))
    static let segment = ByteBuffer(string: "0123456789")

    /// `media` is the last segment of the video; playlists are made by the request for them, unless told otherwise.
    static func presentation(
        name: String = "live",
        media: ByteBuffer = segment,
        partTarget: MediaTime? = nil,
        texts: TextExecutor = .inline
    ) throws -> Presentation {
        var configuration = configuration(name: name)
        configuration.partTarget = partTarget
        let presentation = Presentation(configuration: configuration, texts: texts)
        try publish(in: presentation, media: media)
        return presentation
    }

    /// Publishes ten slots, or fewer.
    static func publish(
        in presentation: Presentation,
        _ range: Range<Int64> = 0..<10,
        media: ByteBuffer = segment
    ) throws {
        presentation.declare(renditions: [
            RenditionDescription(id: "video-1080p", kind: .video, codecs: ["avc1.640028"]),
            RenditionDescription(id: "audio-en", kind: .audio, codecs: ["mp4a.40.2"], audioGroup: "audio"),
        ])
        for number in range.lowerBound + first..<range.upperBound + first {
            let audio = PublishedSegment(
                programDateTime: MediaTime(seconds: number * 4),
                duration: SegmentDuration(MediaTime(seconds: 4)),
                content: number == first + 8 ? .gap : .media(segment),
                initialization: .init(name: "init.mp4", bytes: ByteBuffer(string: "init"))
            )
            var video = audio
            if number == first + 9 { video.content = .media(media) }
            try presentation.publish(
                PublishedSlot(
                    number: MediaSequenceNumber(number),
                    segments: ["video-1080p": video, "audio-en": audio]
                ),
                now: MediaTime(seconds: (number + 1) * 4)
            )
        }
    }

    static func configuration(name: String) -> Presentation.Configuration {
        Presentation.Configuration(
            name: name,
            targetDuration: 6,
            segmentDuration: MediaTime(seconds: 4),
            windowDuration: MediaTime(seconds: 28),
            maximumBytes: 100_000_000
        )
    }

    /// `live` with keys, and `soon` that has published nothing.
    static func channels(
        media: ByteBuffer = segment,
        soon: Presentation = Presentation(configuration: configuration(name: "soon"), texts: .inline)
    ) throws -> [OriginChannel] {
        [
            OriginChannel(name: "live", presentation: try presentation(media: media), keys: Keys()),
            OriginChannel(name: "soon", presentation: soon),
        ]
    }

    static func server(
        configuration: OriginConfiguration = OriginConfiguration(port: 0),
        media: ByteBuffer = segment,
        soon: Presentation = Presentation(configuration: configuration(name: "soon"), texts: .inline),
        log: LogLines = LogLines(),
        counters: OriginCounters = OriginCounters(),
        onRunning: @escaping @Sendable (Int) async -> Void = { _ in }
    ) throws -> OriginServer {
        OriginServer(
            configuration: configuration,
            channels: try channels(media: media, soon: soon),
            counters: counters,
            now: { now },
            logger: Logger(label: "origin") { _ in log },
            onRunning: onRunning
        )
    }

    /// Gives out one key, and a licence for anything in braces.
    private struct Keys: KeyService {
        var outputProtection: OutputProtection { .automatic }
        let isCBCS = true

        func availability(of keyID: KeyID, for systems: Set<KeySystem>?) throws -> KeyAvailability {
            guard let contentKey = try contentKey(keyID) else { return .unknown }
            return .available(
                PeriodKey(
                    period: CryptoPeriod(0),
                    keyClass: .video,
                    keyID: keyID,
                    contentKey: contentKey,
                    constantIV: Bytes16(high: 0, low: 0)
                )
            )
        }

        func contentKey(_ keyID: KeyID) throws -> ContentKey? {
            keyID == Fixture.keyID ? ContentKey(Bytes16(high: 0x5345_4352_4554_5345, low: 0x4352_4554_5345_4352)) : nil
        }

        func schedule() throws -> ByteBuffer { ByteBuffer(string: "[]\n") }

        func license(for request: ByteBuffer) throws -> ByteBuffer {
            struct NoEntropy: Error {}
            switch request.readableBytesView.first {
            case UInt8(ascii: "{"): return ByteBuffer(string: "{\"keys\":[]}")
            case UInt8(ascii: "!"): throw NoEntropy()
            default: throw ClearKeyLicense.RequestError.malformed
            }
        }
    }
}

/// Keeps what is logged, as `level message key=value …` with sorted keys.
final class LogLines: LogHandler, Sendable {
    private let lines = Mutex<[String]>([])
    private let level: Logger.Level

    init(level: Logger.Level = .trace) {
        self.level = level
    }

    var all: [String] { lines.withLock { $0 } }

    func log(event: LogEvent) {
        let metadata = (event.metadata ?? [:]).map { "\($0.key)=\($0.value)" }.sorted().joined(separator: " ")
        lines.withLock { $0.append("\(event.level) \(event.message) \(metadata)") }
    }

    var logLevel: Logger.Level {
        get { level }
        set {}
    }
    var metadata: Logger.Metadata {
        get { [:] }
        set {}
    }

    subscript(metadataKey _: String) -> Logger.Metadata.Value? {
        get { nil }
        set {}
    }
}

/// A few that stay.
extension [OriginChannel]: OriginChannels {
    var names: [String] { map(\.name) }
    subscript(name: Substring) -> OriginChannel? { first { $0.name == name } }
}
