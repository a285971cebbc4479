import MediaCore
import NIOCore
import Playlists
import Synchronization

@testable import Assets
@testable import Presentation

/// A recording of ``MadeMedia``, of which tests say what is in it.
final class MadeRecording: RecordedChannel {
    let slots: [ListedSlot]
    private let media: MadeMedia
    private let playlist: MultivariantPlaylist
    private let declare: @Sendable (Int, inout MultivariantPlaylist) -> Void
    private let end: Mutex<Int64>
    private let isDamaged = Mutex(false)
    /// The number of the first slot after a reload, by which the video has another name; nil for none.
    private let renamed: Int64?

    /// - Parameters:
    ///   - media: The media.
    ///   - slots: The numbers of the slots that are there.
    ///   - renamed: The slot from which on the rendition `video` is `video-b`; nil for none.
    ///   - change: Changes a slot.
    ///   - declare: Changes the multivariant playlist that is in force at a slot.
    init(
        _ media: MadeMedia,
        _ slots: [Int],
        renamed: Int64? = nil,
        change: (inout ListedSlot) -> Void = { _ in },
        declare: @escaping @Sendable (Int, inout MultivariantPlaylist) -> Void = { _, _ in }
    ) {
        self.media = media
        self.declare = declare
        self.renamed = renamed.map { $0 + Self.first }
        let video = Dictionary(uniqueKeysWithValues: media.video.segments.map { ($0.number.value, $0.line) })
        let audio = Dictionary(uniqueKeysWithValues: media.audio.segments.map { ($0.number.value, $0.line) })
        self.slots = slots.map { number in
            var slot = ListedSlot(number: MediaSequenceNumber(Self.first + Int64(number)), startsDiscontinuity: false)
            for (id, kind, line) in [("video", MediaKind.video, video), ("audio", .audio, audio)] {
                guard let line = line[Int64(number)] else { continue }
                slot.segments[RenditionID(id)] = ListedSegment(
                    kind: kind,
                    line: line,
                    byteCount: 1,
                    mediaNumber: slot.number,
                    iFrame: kind == .video ? 0..<100 : nil
                )
            }
            if let renamed, number >= renamed {
                slot.segments["video-b"] = slot.segments.removeValue(forKey: "video")
            }
            change(&slot)
            return slot
        }
        end = Mutex(Self.first + Int64((slots.last ?? -1) + 1))
        playlist = MultivariantPlaylist(
            variants: [
                .init(
                    uri: "video.m3u8",
                    bandwidth: 1_000_000,
                    codecs: ["avc1.64001e", "mp4a.40.2"],
                    resolution: Resolution(width: 640, height: 360),
                    audioGroup: "audio"
                )
            ],
            iFrameVariants: [.init(uri: "video-iframes.m3u8", bandwidth: 100_000, codecs: ["avc1.64001e"])],
            renditions: [.init(groupID: "audio", name: "audio", isDefault: true, uri: "audio.m3u8")]
        )
    }

    /// The number of slot 0.
    static let first = MadeMedia.epoch.ticks / MadeMedia.slot.ticks

    /// Hides slots from a number on, which have yet to come.
    func end(at number: Int) { end.withLock { $0 = Self.first + Int64(number) } }

    /// Lets slots be read or not.
    func isDamaged(_ isDamaged: Bool) { self.isDamaged.withLock { $0 = isDamaged } }

    var extent: Range<MediaSequenceNumber>? {
        let end = MediaSequenceNumber(end.withLock(\.self))
        guard let first = slots.first?.number, first < end else { return nil }
        return first..<end
    }

    func recordedSlots(in numbers: Range<MediaSequenceNumber>) throws -> [ListedSlot] {
        if isDamaged.withLock(\.self) { throw AssetError.nothingRecorded }
        return slots.filter { numbers.contains($0.number) && extent?.contains($0.number) == true }
    }

    func openRanges(at number: MediaSequenceNumber) throws -> [DateRange] { [] }

    func multivariants(in numbers: Range<MediaSequenceNumber>) throws -> [[MultivariantName: String]] {
        numbers.map { multivariants(at: $0) }.filter { !$0.isEmpty }
    }

    /// As a recording on a disk has them: for blocks of slots, of which at least one was recorded.
    func multivariants(at number: MediaSequenceNumber) -> [MultivariantName: String] {
        guard slots.contains(where: { $0.number.value / 256 == number.value / 256 }) else { return [:] }
        var playlist = playlist
        declare(Int(number.value - Self.first), &playlist)
        let text = playlist.render()
        let isRenamed = renamed.map { number.value >= $0 } ?? false
        return [.everyPlayer: isRenamed ? text.replacing("video", with: "video-b") : text]
    }

    func bytes(at path: String) throws -> ByteBuffer? { try media.bytes(at: path) }

    func byteCount(at path: String) throws -> Int? { try media.bytes(at: path)?.readableBytes }

    func bytes(at path: String, _ range: Range<Int>) throws -> ByteBuffer? {
        try media.bytes(at: path).flatMap { $0.getSlice(at: $0.readerIndex + range.lowerBound, length: range.count) }
    }
}

extension MadeRecording {
    /// Date ranges of SCTE-35 are messages; this is splice_insert out of the programme.
    static func adBreak(_ id: String, from start: Double, to end: Double) -> DateRange {
        var range = DateRange(
            id: id,
            start: MadeMedia.time(start),
            duration: MediaTime(ticks: MadeMedia.ticks(end - start))
        )
        range.spliceOut = [0xFC, 0x30, 0x00]
        return range
    }
}
