import Archive
import NIOCore
import Presentation
import TestSupport
import Testing

@Suite struct JournalContentsTests {
    @Test func everyPrefixOfAFileIsAnEarlierState() throws {
        let (text, states) = try Self.file()
        let bytes = Array(text.readableBytesView)
        let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
        #expect(ends.count == states.count)
        for count in 0...bytes.count {
            let lines = ends.count { $0 <= count }
            // What was reserved and not written is zeros.
            let text = ByteBuffer(bytes: bytes[..<count] + Array(repeating: 0, count: count % 3))
            if lines == 0 {
                #expect(throws: JournalContents.Defect.self) { try JournalContents(reading: text) }
            } else {
                let contents = try JournalContents(reading: text)
                #expect(contents.window == states[lines - 1] && contents.byteCount == ends[lines - 1])
            }
        }
    }

    @Test func randomCorruptionGivesAnEarlierStateOrNone() throws {
        let (text, states) = try Self.file()
        let bytes = Array(text.readableBytesView)
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<400 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<damaged.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: damaged[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: damaged[index] ^= 1 << UInt8.random(in: 0...7, using: &generator)
                case 2: damaged.remove(at: index)
                default: damaged.removeSubrange(index..<min(damaged.count, index + 500))
                }
            }
            guard let contents = try? JournalContents(reading: ByteBuffer(bytes: damaged)) else { continue }
            #expect(states.contains(contents.window))
        }
    }

    @Test func linesOfAnEarlierGenerationAreNotTakenForNewOnes() throws {
        let (old, _) = try Self.file(generation: 1)
        let (new, states) = try Self.file(generation: 3)
        let newHeader = try #require(Array(new.readableBytesView).firstIndex(of: UInt8(ascii: "\n")))
        let bytes = Array(new.readableBytesView)[...newHeader] + Array(old.readableBytesView)[(newHeader + 1)...]
        #expect(try JournalContents(reading: ByteBuffer(bytes: bytes)).window == states[0])
    }

    @Test(
        arguments: [
            ("", .empty), ("\0\0\0\n", .empty), ("nonsense", .damaged), ("\n\n", .damaged),
            ("00000000 {}\n", .damaged), ("a3830348 {}\n", .damaged),
        ] as [(String, JournalContents.Defect)]
    )
    func textThatIsNoJournal(text: String, defect: JournalContents.Defect) {
        #expect(throws: defect) { try JournalContents(reading: ByteBuffer(string: text)) }
    }

    @Test func anotherVersionIsNamed() throws {
        var header = JournalHeader(generation: 4, configuration: [:], window: Feed(nil).presentation.saved)
        header.version = 3
        var text = JournalText()
        let line = try text.line(header)
        #expect(throws: JournalContents.Defect.version(3, generation: 4)) { try JournalContents(reading: line) }
    }

    /// A journal's file of five slots, and the state after each of its lines.
    static func file(generation: Int = 1) throws -> (text: ByteBuffer, states: [SavedWindow]) {
        var feed = Feed(nil, seed: 3)
        try feed.publish()
        var states = [feed.presentation.saved]
        var text = JournalText()
        let header = JournalHeader(generation: generation, configuration: ["key": "value"], window: states[0])
        var file = try text.line(header)
        for _ in 0..<4 {
            try feed.publish()
            let window = feed.presentation.saved
            let change = try #require(window.change(since: states[states.count - 1]))
            file.writeImmutableBuffer(try text.line(change))
            states.append(window)
        }
        return (file, states)
    }
}
