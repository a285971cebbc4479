import Files
import MediaCore
import NIOCore
import Playlists
import Presentation
import TestSupport
import Testing

@testable import Recording

/// A file that is torn or damaged costs the rest of its block, and nothing else.
@Suite(.timeLimit(.minutes(5))) struct RecordingDamageTests {
    private static let video = RecordedChannel.video

    /// A recording with a few slots of one rendition in one block, without its last slot, and that slot.
    private static func small() throws -> (disk: MemoryFileSystem, slots: [ListedSlot], next: ListedSlot) {
        let disk = MemoryFileSystem()
        var channel = RecordedChannel(try disk.openRecording())
        channel.declare([video])
        for index in 0..<4 { try channel.publish([video], period: Int64(index / 2)) }
        channel.finish()
        let files = disk.files
        try channel.publish([video], period: 2)
        channel.finish()
        let slots = try channel.recording.slots(in: channel.numbers)
        return (MemoryFileSystem(files), Array(slots.dropLast()), slots[4])
    }

    @Test func anIndexThatEndsAnywhereHasTheSlotsBeforeAndGoesOn() throws {
        let (disk, slots, next) = try Self.small()
        let files = disk.files
        let path = try #require(files.keys.first { $0.hasSuffix("/index") })
        let index = try #require(files[path])
        var generator = SeededGenerator(seed: 1)
        var counts: Set<Int> = []
        // Everywhere about the ends of its lines, and some of the rest.
        let ends = [0, index.count] + index.indices.filter { index[$0] == UInt8(ascii: "\n") }
        let edges = ends.flatMap { Array($0 - 2...$0 + 2) }.filter((0...index.count).contains)
        let lengths = Set(Array(0...index.count).oneIn(4) + edges).sorted()
        for (round, length) in lengths.enumerated() {
            var torn = files
            torn[path] = Array(index.prefix(length))
            // What a power cut leaves at the end.
            switch length % 3 {
            case 0: torn[path]?.append(contentsOf: [UInt8](repeating: 0, count: 40))
            case 1: torn[path]?.append(contentsOf: generator.bytes(40))
            default: break
            }
            let disk = MemoryFileSystem(torn)
            let recording = try disk.openRecording()
            let numbers = slots[0].number..<next.number.next
            let found = try recording.slots(in: numbers)
            #expect(found == Array(slots.prefix(found.count)), "at \(length)")
            counts.insert(found.count)
            guard round.isMultiple(of: 5) else { continue }
            recording.record(next) { path in
                path.contains("init")
                    ? ByteBuffer(string: "video-1080p init-1-2.mp4") : RecordedChannel.bytes(Self.video, 448_812_004)
            }
            #expect(recording.health.isHealthy)
            let again = try disk.openRecording()
            #expect(try again.slots(in: numbers).last == next, "at \(length)")
            #expect(
                try again.bytes(next.segments[Self.video]?.line.uri ?? "")
                    == RecordedChannel.bytes(Self.video, 448_812_004)
            )
            for slot in found {
                let bytes = try again.bytes(slot.segments[Self.video]?.line.uri ?? "")
                #expect(bytes == RecordedChannel.bytes(Self.video, slot.number.value), "at \(length)")
            }
        }
        #expect(counts == [0, 1, 2, 3, 4])
    }

    /// Four blocks, of which the two in between are whole.
    private struct Blocks: Sendable {
        var recording: Recording
        var numbers: Range<MediaSequenceNumber>
        var files: [String: [UInt8]]
        var playlist: MediaPlaylist
    }

    private static let recorded: Result<Blocks, any Error> = Result {
        let disk = MemoryFileSystem()
        var channel = RecordedChannel(try disk.openRecording(), window: 24)
        try channel.publish(count: 600)
        channel.finish()
        let playlist = try channel.recording.playlist(video, channel.numbers)
        return Blocks(
            recording: channel.recording,
            numbers: channel.numbers,
            files: disk.files,
            playlist: playlist
        )
    }

    /// The recording as it was, and its files on a disk of their own.
    private static func blocks() throws -> (disk: MemoryFileSystem, whole: Blocks) {
        let whole = try recorded.get()
        return (MemoryFileSystem(whole.files), whole)
    }

    /// The directory of the second block.
    private static let second = "/\(RecordedChannel.first / 256 + 1)"

    @Test(arguments: (UInt64(1)...20).map(\.self).oneIn(4))
    func damagedLinesAreMadeAgain(seed: UInt64) throws {
        let (disk, whole) = try Self.blocks()
        var generator = SeededGenerator(seed: seed)
        disk.change(all: "/lines") { bytes in
            if Bool.random(using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] ^=
                    1 << UInt8.random(in: 0..<8, using: &generator)
            } else {
                bytes.removeLast(Int.random(in: 1...bytes.count, using: &generator))
            }
        }
        let recording = try disk.openRecording()
        for id in [Self.video, RecordedChannel.audio, Self.video.iFrames] {
            let found = try recording.playlist(id, whole.numbers).segments
            let uris = whole.playlist.segments.map { $0.uri.replacing("video-1080p", with: id.media.name) }
            #expect(found.map(\.uri) == uris)
            #expect(found.allSatisfy { !$0.isGap })
        }
        #expect(try recording.bytes("video-1080p/448812100.m4s") == RecordedChannel.bytes(Self.video, 448_812_100))
    }

    @Test func aDamagedIndexCostsTheRestOfItsBlock() throws {
        let (disk, whole) = try Self.blocks()
        disk.change(all: "\(Self.second)/index") { $0[$0.count / 2] ^= 1 }
        // Its lines are whole.
        #expect(try disk.openRecording().playlist(Self.video, whole.numbers).segments == whole.playlist.segments)
        disk.remove(all: "\(Self.second)/lines")
        let events = Events()
        let recording = try disk.openRecording(onEvent: events.append)
        let segments = try recording.playlist(Self.video, whole.numbers).segments
        let gaps = segments.indices.filter { segments[$0].isGap }
        let first = try #require(gaps.first)
        #expect((100..<200).contains(first))
        #expect(gaps == Array(first..<288))
        #expect(Array(segments[..<first]) == Array(whole.playlist.segments[..<first]))
        #expect(Array(segments[288...]) == Array(whole.playlist.segments[288...]))
        let holes = try recording.holes(in: whole.numbers)
        #expect(holes.map { Int($0.number.value - RecordedChannel.first) } == gaps)
        #expect(holes.allSatisfy { $0.renditions == nil })
        _ = try recording.slots(in: whole.numbers)
        #expect(events.all.count == 1)
    }

    @Test func aBlockWithoutAnIndexIsMissing() throws {
        let (disk, whole) = try Self.blocks()
        disk.remove(all: "\(Self.second)/index")
        let recording = try disk.openRecording()
        let segments = try recording.playlist(Self.video, whole.numbers).segments
        #expect(segments.map(\.isGap) == (0..<600).map { (32..<288).contains($0) })
        #expect(Array(segments[..<32]) == Array(whole.playlist.segments[..<32]))
        #expect(try recording.declaration(at: MediaSequenceNumber(RecordedChannel.first + 100)) == nil)
        #expect(try recording.body("video-1080p/448812100.m4s") == nil)
    }

    @Test func slotsWhoseBytesDidNotReachTheDiskAreGaps() throws {
        let (disk, whole) = try Self.blocks()
        // The newest block has 56 slots.
        let newest = "/\(whole.numbers.upperBound.value / 256)"
        disk.change(all: "\(newest)/video-1080p.media") { $0.removeLast(40) }
        disk.change(all: "\(newest)/audio-en.media") { $0[$0.count - 40] ^= 0xFF }
        let events = Events()
        var recording = try disk.openRecording(onEvent: events.append)
        #expect(events.all.count == 1)
        let end = try #require(recording.extent?.upperBound)
        // Three of audio, of which the oldest is damaged; two of video are missing.
        #expect(end.value - RecordedChannel.first == 597)
        let last = try #require(try recording.slots(in: whole.numbers).last)
        for (id, segment) in last.segments {
            #expect(try recording.bytes(segment.line.uri) == RecordedChannel.bytes(id, last.number.value))
        }
        // What follows is written over them.
        let slot = try #require(try whole.recording.slots(in: end..<end.next).first)
        recording.record(slot) { path in
            slot.segments.first { $0.value.line.uri == path }.map { RecordedChannel.bytes($0.key, slot.number.value) }
        }
        recording = try disk.openRecording()
        #expect(recording.extent?.upperBound == end.next)
        #expect(try recording.bytes("audio-en/\(end).m4s") == RecordedChannel.bytes(RecordedChannel.audio, end.value))
        #expect(try recording.slots(in: whole.numbers).last == slot)
    }
}

extension RenditionID {
    /// The rendition whose media its playlist lists.
    fileprivate var media: RenditionID { name.hasSuffix("-iframes") ? RenditionID(String(name.dropLast(8))) : self }
}
