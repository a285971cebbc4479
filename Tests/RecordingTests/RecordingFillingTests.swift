import Dispatch
import MediaCore
import NIOCore
import Playlists
import Presentation
import TestSupport
import Testing

@testable import Recording

/// A hole is filled with what another recording of the stream has.
@Suite(.timeLimit(.minutes(5))) struct RecordingFillingTests {
    private static let video = RecordedChannel.video
    private static let audio = RecordedChannel.audio
    private static let count = 700

    /// A recording that has all, and the files of one that was away twice, once for more than a block, and lacks the
    /// audio of some slots.
    private struct Pair: Sendable {
        var whole: Recording
        var files: [String: [UInt8]]
        var numbers: Range<MediaSequenceNumber>
    }

    private static let recorded: Result<Pair, any Error> = Result {
        var first = RecordedChannel(try MemoryFileSystem().openRecording(), window: 24)
        for index in 0..<count { try first.publish(startsDiscontinuity: index % 90 == 80, period: Int64(index / 60)) }
        first.finish()
        let disk = MemoryFileSystem()
        var second = RecordedChannel(try disk.openRecording(), window: 24)
        var index = 0
        while index < count {
            if index == 20 || index == 280 {
                let length = index == 20 ? 8 : 280
                try second.skip(Int64(length))
                index += length
            }
            try second.publish(
                gaps: (620..<623).contains(index) ? [audio] : [],
                startsDiscontinuity: index % 90 == 80,
                period: Int64(index / 60)
            )
            index += 1
        }
        second.finish()
        return Pair(whole: first.recording, files: disk.files, numbers: first.numbers)
    }

    /// The two recordings, the second of which is on a disk of its own.
    private static func pair() throws -> (
        whole: Recording, holed: Recording, numbers: Range<MediaSequenceNumber>, disk: MemoryFileSystem
    ) {
        let pair = try recorded.get()
        let disk = MemoryFileSystem(pair.files)
        return (pair.whole, try disk.openRecording(), pair.numbers, disk)
    }

    /// Fills a slot as a peer's answer would.
    private static func fill(_ number: MediaSequenceNumber, of recording: Recording, from whole: Recording) throws {
        let slot = try #require(try whole.slots(in: number..<number.next).first)
        var bodies: [String: ByteBuffer] = [:]
        for segment in slot.segments.values {
            bodies[segment.line.uri] = try whole.bytes(segment.line.uri)
            if let map = segment.line.map { bodies[map.uri] = try whole.bytes(map.uri) }
        }
        try recording.insert(slot, bodies: bodies, declaration: try whole.declaration(at: number))
    }

    /// A recording that began in the midst of a block has an older block, too, once the clock was set back.
    @Test func whatComesBeforeTheFirstLineOfABlockIsRefused() throws {
        let first = RecordedChannel.first
        var whole = RecordedChannel(try MemoryFileSystem().openRecording())
        try whole.publish(count: 60)
        whole.finish()
        let disk = MemoryFileSystem()
        // The block begins at the 32nd slot.
        var ahead = RecordedChannel(try disk.openRecording(), first: first + 42)
        try ahead.publish(count: 5)
        ahead.finish()
        let recording = try disk.openRecording()
        var channel = RecordedChannel(recording, window: 24)
        try channel.publish(count: 3)
        channel.finish()
        let number = MediaSequenceNumber(first + 36)
        #expect(recording.extent?.contains(number) == true)
        #expect(throws: RecordingError.outside(number)) {
            try Self.fill(number, of: recording, from: whole.recording)
        }
        // A line that cannot be read would hide all behind it from a later process.
        let again = try disk.openRecording { Issue.record("\($0)") }
        #expect(again.extent == recording.extent)
    }

    @Test func filledHolesLeaveNoTrace() throws {
        let (whole, holed, numbers, disk) = try Self.pair()
        let holes = try holed.holes(in: numbers)
        let offsets = holes.map { $0.number.value - RecordedChannel.first }
        #expect(offsets == Array(20..<28) + Array(280..<560) + Array(620..<623))
        #expect(holes.suffix(3).allSatisfy { $0.renditions == [Self.audio] })
        #expect(try whole.holes(in: numbers).isEmpty)
        // Some come late.
        for hole in holes where hole.number.value % 5 != 0 { try Self.fill(hole.number, of: holed, from: whole) }
        for hole in holes where hole.number.value % 5 == 0 { try Self.fill(hole.number, of: holed, from: whole) }
        #expect(try holed.holes(in: numbers).isEmpty)
        #expect(holed.statistics.filled == holes.count)
        holed.finish()
        let again = try disk.openRecording()
        disk.remove(all: "/lines")
        for recording in [holed, again, try disk.openRecording()] {
            for id in [Self.video, Self.audio, Self.video.iFrames] {
                #expect(try recording.playlist(id, numbers).segments == whole.playlist(id, numbers).segments, "\(id)")
            }
            // A playlist that begins anywhere counts the discontinuities before it as that of the other member does.
            for number in numbers {
                let counts = try [recording, whole].map { recording in
                    try recording.lines(of: Self.video, in: number..<number.next).first?.discontinuitiesBefore
                }
                #expect(counts[0] == counts[1], "slot \(number.value - RecordedChannel.first)")
            }
            for number in numbers {
                let bytes = RecordedChannel.bytes(Self.audio, number.value)
                #expect(try recording.bytes("audio-en/\(number).m4s") == bytes)
            }
            for number in [numbers.lowerBound, numbers.lowerBound.advanced(by: 400)] {
                #expect(try recording.declaration(at: number)?.renditions.map(\.id) == [Self.video, Self.audio])
            }
        }
    }

    @Test func aBlockThatIsFilledIsRenderedForItsReaders() throws {
        let (whole, holed, numbers, _) = try Self.pair()
        let number = numbers.lowerBound.advanced(by: 400)
        let block = BlockNumber(of: number)
        func renderedCount() -> Int? {
            guard case .live(let live) = holed.place(of: block) else { return nil }
            return live.renderedCount
        }
        for number in number..<number.advanced(by: 10) {
            try Self.fill(number, of: holed, from: whole)
            #expect(renderedCount() == 0)
        }
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            _ = try? holed.playlist(Self.video, block.numbers)
        }
        #expect(renderedCount() == 256)
        try Self.fill(number.advanced(by: 10), of: holed, from: whole)
        #expect(renderedCount() == 0)
        let segments = try holed.playlist(Self.video, number.previous..<number.advanced(by: 12)).segments
        #expect(segments.map(\.isGap) == (-1..<12).map { !(0...10).contains($0) })
    }

    @Test func whatIsThereAndWhatIsWrongIsRefused() throws {
        let (whole, holed, numbers, _) = try Self.pair()
        let number = numbers.lowerBound.advanced(by: 20)
        let slot = try #require(try whole.slots(in: number..<number.next).first)
        let uri = "video-1080p/\(number).m4s"
        let audio = ["audio-en/\(number).m4s": RecordedChannel.bytes(Self.audio, number.value)]
        // Other bytes.
        var bodies = audio
        bodies[uri] = ByteBuffer(string: "others")
        #expect(throws: RecordingError.mismatch(path: uri)) { try holed.insert(slot, bodies: bodies) }
        // Outside of what is recorded.
        for number in [numbers.lowerBound.previous, numbers.upperBound] {
            var slot = slot
            slot.number = number
            #expect(throws: RecordingError.outside(number)) { try holed.insert(slot, bodies: [:]) }
        }
        // A path that leaves the recording, or is another slot's.
        for path in ["../video-1080p/\(number).m4s", "audio-en/\(number).m4s", "video-1080p/\(number.next).m4s"] {
            var slot = slot
            slot.segments[Self.video]?.line.uri = path
            #expect(throws: RecordingError.mismatch(path: path)) { try holed.insert(slot, bodies: audio) }
        }
        // Other bytes than those that viewers have.
        let known = numbers.lowerBound
        var other = try #require(try whole.slots(in: known..<known.next).first)
        other.segments[Self.video]?.entityTag = "\"0000000000000000\""
        #expect(throws: RecordingError.mismatch(path: "video-1080p/\(known).m4s")) {
            try holed.insert(other, bodies: [:])
        }
        #expect(try holed.playlist(Self.video, known..<known.next).segments.map(\.isGap) == [false])
        #expect(holed.statistics.filled == 0)
    }

    @Test func bytesThatAreLeftOutLeaveAGap() throws {
        let (whole, holed, numbers, _) = try Self.pair()
        let number = numbers.lowerBound.advanced(by: 400)
        let slot = try #require(try whole.slots(in: number..<number.next).first)
        var bodies = ["audio-en/\(number).m4s": RecordedChannel.bytes(Self.audio, number.value)]
        if let map = slot.segments[Self.audio]?.line.map { bodies[map.uri] = try whole.bytes(map.uri) }
        try holed.insert(slot, bodies: bodies)
        let holes = try holed.holes(in: number..<number.next)
        #expect(holes == [RecordedHole(number: number, renditions: [Self.video])])
        // The rest comes later.
        try Self.fill(number, of: holed, from: whole)
        #expect(try holed.holes(in: number..<number.next).isEmpty)
        #expect(try holed.bytes("video-1080p/\(number).m4s") == RecordedChannel.bytes(Self.video, number.value))
        #expect(try holed.bytes("audio-en/\(number).m4s") == RecordedChannel.bytes(Self.audio, number.value))
    }

    /// All slots of a time share an initialization section.
    @Test(arguments: [true, false]) func anInitializationSectionThatIsThereStaysAsItIs(isGiven: Bool) throws {
        let (whole, holed, numbers, _) = try Self.pair()
        let number = numbers.lowerBound.advanced(by: 20)
        var slot = try #require(try whole.slots(in: number..<number.next).first)
        let map = try #require(slot.segments[Self.video]?.line.map?.uri)
        let (before, other) = (try #require(try holed.bytes(map)), ByteBuffer(string: "other"))
        slot.segments[Self.video]?.mapEntityTag = ContentHash(of: other).entityTag
        var bodies: [String: ByteBuffer] = isGiven ? [map: other] : [:]
        for segment in slot.segments.values { bodies[segment.line.uri] = try whole.bytes(segment.line.uri) }
        #expect(throws: RecordingError.mismatch(path: map)) { try holed.insert(slot, bodies: bodies) }
        #expect(try holed.bytes(map) == before)
        #expect(try holed.holes(in: number..<number.next).map(\.renditions) == [nil])
    }

    @Test func aGapThatIsNotFilledStaysListed() throws {
        var first = RecordedChannel(try MemoryFileSystem().openRecording())
        try first.publish(count: 10)
        first.finish()
        var second = RecordedChannel(try MemoryFileSystem().openRecording())
        try second.publish(count: 5)
        try second.publish(gaps: [Self.video, Self.audio])
        try second.publish(count: 4)
        second.finish()
        let number = first.numbers.lowerBound.advanced(by: 5)
        var slot = try #require(try first.recording.slots(in: number..<number.next).first)
        slot.segments[Self.video] = nil
        let path = "audio-en/\(number).m4s"
        let before = try second.recording.playlist(Self.video, second.numbers).segments
        try second.recording.insert(slot, bodies: [path: RecordedChannel.bytes(Self.audio, number.value)])
        let hole = RecordedHole(number: number, renditions: [Self.video])
        #expect(try second.recording.holes(in: second.numbers) == [hole])
        #expect(try second.recording.playlist(Self.video, second.numbers).segments == before)
    }
}
