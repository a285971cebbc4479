import Files
import MediaCore
import NIOCore
import Playlists
import Presentation
import Recording
import Synchronization
import TestSupport

/// A channel with slots of 4 s that is recorded: a slot waits until it is.
struct RecordedChannel {
    static let video: RenditionID = "video-1080p"
    static let audio: RenditionID = "audio-en"
    /// The 32nd slot before the end of a block.
    static let first: Int64 = 448_812_000

    let presentation: Presentation
    let recording: Recording
    let recorder: Recorder
    private(set) var number: Int64

    init(
        _ recording: Recording,
        first: Int64 = first,
        window: Int64 = 24_000,
        policy: ConsumerPolicy = .precedes(within: .seconds(600)),
        keyAddresses: KeyAddresses = KeyAddresses()
    ) {
        self.recording = recording
        number = first
        recorder = Recorder(recording, policy: policy)
        presentation = Presentation(
            configuration: Presentation.Configuration(
                name: "live",
                targetDuration: 6,
                segmentDuration: MediaTime(seconds: 4),
                windowDuration: MediaTime(seconds: window),
                maximumBytes: 1_000_000_000,
                keyAddresses: keyAddresses
            ),
            consumers: [recorder]
        )
        declare([Self.video, Self.audio])
    }

    func declare(_ ids: [RenditionID]) {
        presentation.declare(
            renditions: ids.map { id in
                let isVideo = id.name.hasPrefix("video")
                return RenditionDescription(
                    id: id,
                    kind: isVideo ? .video : .audio,
                    codecs: [isVideo ? "avc1.640028" : "mp4a.40.2"],
                    audioGroup: isVideo ? nil : "audio"
                )
            }
        )
    }

    /// Publishes the next slot.
    mutating func publish(
        _ ids: [RenditionID] = [video, audio],
        gaps: Set<RenditionID> = [],
        startsDiscontinuity: Bool = false,
        period: Int64? = nil,
        hasClearMap: Bool = false,
        fingerprint: String = "1",
        dateRanges: DateRangeLines = DateRangeLines(),
        byteCount: Int = 0
    ) throws {
        let keys = period.map { [Self.key($0)] } ?? []
        var segments: [RenditionID: PublishedSegment] = [:]
        for id in ids {
            let name = "init-\(fingerprint)-\(period ?? 0).mp4"
            segments[id] = PublishedSegment(
                programDateTime: MediaTime(seconds: number * 4),
                duration: SegmentDuration(value: 4, timescale: 1),
                content: gaps.contains(id) ? .gap : .media(Self.bytes(id, number, byteCount)),
                initialization: .init(
                    name: name,
                    bytes: ByteBuffer(string: "\(id) \(name)"),
                    keys: hasClearMap ? [] : keys
                ),
                fingerprint: "\(id) \(fingerprint)",
                keys: keys,
                iFrame: id == Self.video && !gaps.contains(id) ? 2..<7 : nil
            )
        }
        var slot = PublishedSlot(
            number: MediaSequenceNumber(number),
            startsDiscontinuity: startsDiscontinuity,
            segments: segments
        )
        slot.dateRanges = dateRanges
        number += 1
        try presentation.publish(slot, now: MediaTime(seconds: number * 4))
    }

    mutating func publish(count: Int) throws {
        for _ in 0..<count { try publish() }
    }

    /// Leaves slots out: the next one begins anew.
    mutating func skip(_ count: Int64) throws {
        number += count
        _ = try presentation.bridge(to: MediaSequenceNumber(number), now: MediaTime(seconds: number * 4))
    }

    /// Waits until all of it is on the disk, with the lines of blocks that are over.
    func finish() {
        presentation.finish()
        recording.finish()
    }

    var numbers: Range<MediaSequenceNumber> { MediaSequenceNumber(Self.first)..<MediaSequenceNumber(number) }

    static func bytes(_ id: RenditionID, _ number: Int64, _ byteCount: Int = 0) -> ByteBuffer {
        ByteBuffer(string: "\(id) \(number)" + String(repeating: ".", count: byteCount))
    }

    static func key(_ period: Int64) -> EncryptionKey {
        EncryptionKey(
            method: .sampleAES,
            uri: "keys/\(period)",
            initializationVector: Bytes16(high: 0, low: UInt64(period))
        )
    }

    /// The live playlist of a rendition.
    func live(_ id: RenditionID) throws -> MediaPlaylist {
        let resource = presentation.listed("\(id).m3u8")
        return try MediaPlaylist(parsing: String(buffer: resource?.body.memory ?? ByteBuffer()))
    }
}

extension MemoryFileSystem {
    /// Opens the recording, as a process does that begins: no other has it.
    func openRecording(
        limits: RecordingLimits = RecordingLimits(),
        identity: [String: String] = ["clock": "pts"],
        keyAddresses: KeyAddresses = KeyAddresses(),
        cache: BlockCache = BlockCache(capacity: 1 << 24),
        onEvent: @escaping @Sendable (RecordingEvent) -> Void = { _ in }
    ) throws -> Recording {
        state.withLock { $0.locks = [] }
        return try Recording.open(
            "live",
            identity: identity,
            segmentDuration: MediaTime(seconds: 4),
            limits: limits,
            keyAddresses: keyAddresses,
            cache: cache,
            fileSystem: self,
            onEvent: onEvent
        )
    }

    /// Removes files whose paths end with a name.
    func remove(all name: String) {
        state.withLock { state in state.files = state.files.filter { !$0.key.hasSuffix(name) } }
    }

    /// Changes the bytes of files whose paths end with a name.
    func change(all name: String, _ body: (inout [UInt8]) -> Void) {
        state.withLock { state in
            for path in state.files.keys where path.hasSuffix(name) { body(&state.files[path, default: []]) }
        }
    }
}

extension Recording {
    /// The playlist that recorded lines make, with the addresses of live ones.
    func playlist(_ id: RenditionID, _ numbers: Range<MediaSequenceNumber>) throws -> MediaPlaylist {
        try MediaPlaylist(recorded: try text(id, numbers))
    }

    /// The text of the playlist that recorded lines make.
    func text(_ id: RenditionID, _ numbers: Range<MediaSequenceNumber>) throws -> String {
        var text = "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:\(numbers.lowerBound)\n"
        if id.name.hasSuffix("-iframes") { text += "#EXT-X-I-FRAMES-ONLY\n" }
        for lines in try lines(of: id, in: numbers) { text += lines.scope + String(buffer: lines.text) }
        return text
    }

    /// The bytes of a path; nil if there are none.
    func bytes(_ path: String) throws -> ByteBuffer? { try body(path)?.read() }
}

extension MediaPlaylist {
    /// Reads the text of a playlist of the past, and gives it the addresses of live ones.
    init(recorded text: String) throws { try self.init(parsing: text.replacing("../../", with: "")) }
}

/// The events of a recording.
final class Events: Sendable {
    private let events = Mutex<[RecordingEvent]>([])

    var all: [RecordingEvent] { events.withLock { $0 } }
    var append: @Sendable (RecordingEvent) -> Void { { event in self.events.withLock { $0.append(event) } } }
}
