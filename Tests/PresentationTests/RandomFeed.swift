import MediaCore
import NIOCore
import Playlists
import Presentation
import TestSupport

/// Slots as a troubled encoder makes them: boundaries up to 2 s late, outages of one or all renditions, clock jumps,
/// configuration changes and rotating keys.
struct RandomFeed {
    static let renditions: [RenditionID] = [Channel.video, Channel.audio]
    /// PCM samples of an AAC frame at 48 kHz.
    private static let audioFrame: Int64 = 1024

    let window: MediaTime
    let isEncrypted: Bool
    /// The keys of all media so far.
    private(set) var publishedKeys: Set<EncryptionKey> = []
    private(set) var now: MediaTime

    private var generator: SeededGenerator
    private let slotsPerKey: Int64
    private var number: Int64
    /// The start of the next slot, by rendition, in its timescale.
    private var starts: [RenditionID: Int64]
    /// Slots that the outage of a rendition still lasts.
    private var outages: [RenditionID: Int] = [:]
    private var configuration = 0

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        window = MediaTime(seconds: Int64.random(in: 6...80, using: &generator))
        isEncrypted = Bool.random(using: &generator)
        slotsPerKey = Int64.random(in: 1...9, using: &generator)
        number = Int64.random(in: 0...500_000_000, using: &generator)
        now = MediaTime(seconds: number * 4)
        starts = [Channel.video: number * 4 * 90_000, Channel.audio: number * 4 * 48_000]
    }

    func makePresentation() -> Presentation {
        Channel(window: window).presentation
    }

    mutating func nextSlot() -> PublishedSlot {
        // A boundary is up to half a slot late: no slot is shorter than 2 s or longer than 6 s.
        let boundary = (number + 1) * 4 * 90_000 + Int64.random(in: 0...180_000, using: &generator)
        let audioBoundary = (boundary * 48_000 / 90_000 / Self.audioFrame + 1) * Self.audioFrame
        let startsDiscontinuity = Int.random(in: 0..<8, using: &generator) == 0
        if startsDiscontinuity { configuration += 1 }
        startOutages()
        var slot = PublishedSlot(
            number: MediaSequenceNumber(number),
            startsDiscontinuity: startsDiscontinuity,
            segments: [
                Channel.video: nextSegment(Channel.video, end: boundary, timescale: 90_000),
                Channel.audio: nextSegment(Channel.audio, end: audioBoundary, timescale: 48_000),
            ]
        )
        slot.waitsForAll = true
        number += 1
        now = MediaTime(ticks: boundary)
        return slot
    }

    private mutating func startOutages() {
        guard Int.random(in: 0..<6, using: &generator) == 0 else { return }
        let length = Int.random(in: 1...12, using: &generator)
        for id in Self.renditions where Int.random(in: 0..<3, using: &generator) > 0 { outages[id] = length }
    }

    private mutating func nextSegment(_ id: RenditionID, end: Int64, timescale: Int64) -> PublishedSegment {
        let start = starts[id] ?? 0
        starts[id] = end
        let isGap = outages[id, default: 0] > 0
        outages[id, default: 1] -= 1
        let period = number / slotsPerKey
        let key = isEncrypted ? EncryptionKey.ofPeriod(period) : nil
        if let key, !isGap { publishedKeys.insert(key) }
        let mapKey = Bool.random(using: &generator) ? key : nil
        let name = isEncrypted ? "init-\(configuration)-\(period).mp4" : "init-\(configuration).mp4"
        return PublishedSegment(
            programDateTime: MediaTime(start, timescale: timescale),
            duration: SegmentDuration(value: end - start, timescale: timescale),
            content: isGap ? .gap : .media(.numbered(number, count: Int.random(in: 1...2000, using: &generator))),
            initialization: .init(name: name, bytes: ByteBuffer(string: name), keys: mapKey.map { [$0] } ?? []),
            keys: key.map { [$0] } ?? [],
            isIndependent: isGap || Bool.random(using: &generator)
        )
    }
}
