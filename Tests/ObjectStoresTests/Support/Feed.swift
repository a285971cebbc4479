import MediaCore
import NIOCore
import Playlists
import Presentation
import Synchronization

/// A channel with slots of 4 s and a window of 24 s, with video and audio.
struct Feed {
    static let video: RenditionID = "video-1080p"
    static let audio: RenditionID = "audio-en"
    static let firstNumber: Int64 = 10_000_000

    let presentation: Presentation
    private(set) var number = Self.firstNumber

    /// Begins a channel.
    ///
    /// - Parameters:
    ///   - consumers: Those that see what is published.
    ///   - renditions: The renditions, of which ``audio`` has audio and the others video.
    ///   - initializations: The number of initialization sections, which take turns.
    init(
        consumers: [any PublicationConsumer],
        renditions: [RenditionID] = [Self.video, Self.audio],
        initializations: Int64 = .max
    ) {
        (self.renditions, self.initializations) = (renditions, initializations)
        presentation = Presentation(
            configuration: Presentation.Configuration(
                name: "live",
                targetDuration: 6,
                segmentDuration: MediaTime(seconds: 4),
                windowDuration: MediaTime(seconds: 24),
                maximumBytes: 1_000_000_000
            ),
            consumers: consumers
        )
        presentation.declare(
            renditions: renditions.map { id in
                id == Self.audio
                    ? RenditionDescription(id: id, kind: .audio, codecs: ["mp4a.40.2"], audioGroup: "audio")
                    : RenditionDescription(id: id, kind: .video, codecs: ["avc1.640028"])
            }
        )
    }

    private let renditions: [RenditionID]
    private let initializations: Int64

    /// Lets the time of slots pass without any.
    mutating func skip(_ count: Int) { number += Int64(count) }

    /// Returns the channel as a later process continues it from the listed window.
    func continued(consumers: [any PublicationConsumer]) -> Self {
        var later = Self(consumers: consumers, renditions: renditions, initializations: initializations)
        later.number = number
        later.presentation.restore(presentation.restorable, now: now)
        return later
    }

    var now: MediaTime { MediaTime(seconds: number * 4) }

    /// Publishes the next slots; every third has another initialization section.
    mutating func publish(count: Int = 1) throws {
        for _ in 0..<count {
            let period = number / 3 % initializations
            var segments: [RenditionID: PublishedSegment] = [:]
            for id in renditions {
                segments[id] = PublishedSegment(
                    programDateTime: now,
                    duration: SegmentDuration(value: 4 * 90_000, timescale: 90_000),
                    content: .media(ByteBuffer(string: "\(id) \(number)")),
                    initialization: .init(
                        name: "init-\(period).mp4",
                        bytes: ByteBuffer(string: "\(id) init-\(period).mp4"),
                        keys: []
                    ),
                    fingerprint: "\(id)",
                    keys: []
                )
            }
            let slot = PublishedSlot(
                number: MediaSequenceNumber(number),
                startsDiscontinuity: false,
                segments: segments
            )
            number += 1
            try presentation.publish(slot, now: now)
        }
    }

    /// The files that the origin serves now, and their texts.
    func served(_ paths: some Sequence<String>) -> [String: String] {
        var texts: [String: String] = [:]
        for path in paths {
            guard case .found(let resource) = presentation.resource(path, now: now) else { continue }
            texts[path] = (try? resource.body.read()).map { String(buffer: $0) }
        }
        return texts
    }
}

/// Has what is published, until a test takes it.
final class Publications: PublicationConsumer {
    let name = "publications"
    let policy = ConsumerPolicy.observes
    let interest: Publication.Kinds = [.window, .slots, .playlists, .expired]
    private let waiting = Mutex<[Publication]>([])

    func take(_ batch: [Publication]) -> ConsumerResult {
        waiting.withLock { $0 += batch }
        return .done
    }

    func take() -> [Publication] {
        waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
    }
}

/// The files that playlists name and that are not there.
func missingFiles(in files: [String: String]) -> Set<String> {
    var named: Set<String> = []
    for (path, text) in files where path.hasSuffix(".m3u8") {
        if path.hasPrefix("index") {
            named.formUnion((try? MultivariantPlaylist(parsing: text).uris) ?? [])
        } else if let playlist = try? MediaPlaylist(parsing: text) {
            let segments = playlist.segments.filter { !$0.isGap }
            named.formUnion(segments.map(\.uri) + segments.compactMap(\.map?.uri))
        }
    }
    return named.subtracting(files.keys)
}
