import Foundation
import MediaCore
import NIOCore
import Playlists
import Presentation
import Recording
import TestSupport
import Testing

/// The answer of a member of a pair about its recording: all of it, and nothing beyond reason.
@Suite struct RecordedSlotsTests {
    /// The fixture's slot 0 is the 32nd before the end of a block.
    private static func number(_ index: Int64) -> MediaSequenceNumber {
        MediaSequenceNumber(RecordedChannel.first + index)
    }

    private static func recording(_ count: Int) throws -> Recording {
        var channel = RecordedChannel(try MemoryFileSystem().openRecording(), window: 24)
        for index in 0..<count { try channel.publish(period: Int64(index / 8)) }
        channel.finish()
        return channel.recording
    }

    @Test func anAnswerHasTheSlotsAndWhatIsRecordedAtAll() throws {
        let recording = try Self.recording(100)
        let answer = try recording.recordedSlots(in: Self.number(5)..<Self.number(30))
        #expect(answer.segmentDuration == MediaTime(seconds: 4))
        #expect(answer.extent == Self.number(0)..<Self.number(100))
        #expect(answer.numbers == Self.number(5)..<Self.number(30))
        #expect(answer.slots == (try recording.slots(in: answer.numbers)) && answer.slots.count == 25)
        #expect(answer.declaration?.renditions.map(\.id) == [RecordedChannel.video, RecordedChannel.audio])
        // Keys are said once for those that follow, and nothing of it is lost.
        let json = try answer.json()
        let read = try RecordedSlots(json: json)
        #expect(read.slots.map(\.number) == answer.slots.map(\.number))
        for (slot, other) in zip(read.slots, answer.slots) {
            for (id, segment) in other.segments {
                #expect(slot.segments[id]?.line == segment.line && slot.segments[id]?.entityTag == segment.entityTag)
            }
        }
        #expect(read.numbers == answer.numbers && read.extent == answer.extent)
        #expect(read.declaration == answer.declaration)
    }

    @Test func anAnswerIsOfOneBlockAndOfWhatIsThere() throws {
        let recording = try Self.recording(100)
        let across = try recording.recordedSlots(in: Self.number(20)..<Self.number(60))
        #expect(across.numbers == Self.number(20)..<Self.number(32) && across.slots.count == 12)
        let beyond = try recording.recordedSlots(in: Self.number(90)..<Self.number(140))
        #expect(beyond.numbers == Self.number(90)..<Self.number(100) && beyond.slots.count == 10)
        let none = try recording.recordedSlots(in: Self.number(50)..<Self.number(50))
        #expect(none.numbers.isEmpty && none.slots.isEmpty && none.extent == across.extent)
        let before = try recording.recordedSlots(in: MediaSequenceNumber(0)..<MediaSequenceNumber(9))
        #expect(before.numbers.isEmpty && before.slots.isEmpty && before.declaration == nil)
        let empty = try MemoryFileSystem().openRecording().recordedSlots(in: Self.number(0)..<Self.number(9))
        #expect(empty.extent.isEmpty && empty.numbers.isEmpty)
    }

    private static func changed(_ json: ByteBuffer, _ key: String, _ value: Any) throws -> ByteBuffer {
        var object = try #require(
            try JSONSerialization.jsonObject(with: Data(json.readableBytesView)) as? [String: Any]
        )
        object[key] = value
        return ByteBuffer(bytes: try JSONSerialization.data(withJSONObject: object))
    }

    @Test func whatIsBeyondReasonIsNoAnswer() throws {
        let first = RecordedChannel.first
        let values: [(String, Any)] = [
            ("segmentDuration", 0), ("segmentDuration", -1), ("segmentDuration", Int64.max),
            ("extent", [first]), ("extent", [first + 1, first]), ("extent", [-1, first]), ("extent", [0, Int64.max]),
            ("extent", [1, 2, 3]), ("numbers", [first + 5, first + 9]), ("numbers", [Int64.min, Int64.max]),
            ("slots", "none"), ("slots", [["slot": 1]]), ("declaration", [1]),
        ]
        let whole = try Self.recording(20).recordedSlots(in: Self.number(0)..<Self.number(10)).json()
        for (key, value) in values {
            let json = try Self.changed(whole, key, value)
            #expect(throws: (any Error).self, "\(key): \(value)") { try RecordedSlots(json: json) }
        }
        for text in ["", "{", "null", "[]", "{}", String(repeating: "[", count: 100_000)] {
            #expect(throws: (any Error).self) { try RecordedSlots(json: ByteBuffer(string: text)) }
        }
    }

    @Test func slotsThatAreManyOrOutOfOrderAreNoAnswer() throws {
        let recording = try Self.recording(100)
        let numbers = Self.number(32)..<Self.number(100)
        var answer = try recording.recordedSlots(in: numbers)
        #expect(answer.slots.count == 68, "a question has no more than 64, as the origin sees to")
        let many = try answer.json()
        #expect(throws: (any Error).self) { try RecordedSlots(json: many) }
        answer.slots = Array(answer.slots.prefix(10).reversed())
        let disordered = try answer.json()
        #expect(throws: (any Error).self) { try RecordedSlots(json: disordered) }
        answer.slots = [answer.slots[0], answer.slots[0]]
        let twice = try answer.json()
        #expect(throws: (any Error).self) { try RecordedSlots(json: twice) }
        // More renditions than a channel has.
        var slot = answer.slots[0]
        for index in 0...RecordedSlots.mostRenditions {
            var segment = slot.segments[RecordedChannel.video]
            segment?.line.uri = "v\(index)/\(slot.number).m4s"
            segment?.line.map = nil
            segment?.mapEntityTag = nil
            slot.segments[RenditionID("v\(index)")] = segment
        }
        slot.segments[RecordedChannel.video] = nil
        slot.segments[RecordedChannel.audio] = nil
        answer.slots = [slot]
        let wide = try answer.json()
        #expect(throws: (any Error).self) { try RecordedSlots(json: wide) }
    }

    /// Each rendition of a block has a file and lines of its own, and a declaration is a line of its index.
    @Test func renditionsAndDeclarationsAreBounded() throws {
        let recording = try Self.recording(40)
        let numbers = Self.number(0)..<Self.number(30)
        var answer = try recording.recordedSlots(in: numbers)
        for index in answer.slots.indices {
            var slot = answer.slots[index]
            var segment = try #require(slot.segments[RecordedChannel.video])
            (segment.line.map, segment.mapEntityTag) = (nil, nil)
            slot.segments = [:]
            for rendition in 0..<10 {
                segment.line.uri = "v\(index)-\(rendition)/\(slot.number).m4s"
                slot.segments[RenditionID("v\(index)-\(rendition)")] = segment
            }
            answer.slots[index] = slot
        }
        let wide = try answer.json()
        #expect(throws: (any Error).self) { try RecordedSlots(json: wide) }
        answer.slots.removeLast(10)
        #expect(try RecordedSlots(json: try answer.json()).slots.count == 20)
        let text = String(repeating: "a", count: RecordedSlots.longestDeclaration)
        answer.declaration = Declaration(renditions: [], multivariants: [.everyPlayer: text])
        let long = try answer.json()
        #expect(throws: (any Error).self) { try RecordedSlots(json: long) }
    }
}
