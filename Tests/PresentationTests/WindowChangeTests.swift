import Foundation
import MediaCore
import NIOCore
import Playlists
import Presentation
import TestSupport
import Testing

/// The change by one publication, as a journal keeps it.
@Suite struct WindowChangeTests {
    private struct Record: Decodable {
        var sameKeys: Set<String>?
    }

    /// The keys of each slot, by rendition, in the text of a window.
    private struct Said: Decodable {
        struct Slot: Decodable {
            var segments: [String: Keys]
        }

        struct Keys: Decodable, Equatable {
            var key: [[String: String]]?
            var mapKey: [[String: String]]?
            var mapClear: Bool?

            var isEmpty: Bool { key == nil && mapKey == nil }
        }

        var slots: [Slot]
    }

    /// None, one, and one for each of two systems.
    private static let keys: [[EncryptionKey]] = [
        [], [.ofPeriod(1)], [.ofPeriod(2)],
        [.ofPeriod(2), EncryptionKey(method: .sampleAES, uri: "system://2", keyFormat: "com.example.system")],
    ]

    /// Keys of media and of maps come, stay and go, and renditions do; the window that is made of the records is the
    /// same.
    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func recordsMakeTheSameWindow(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let presentation = Channel(renditions: [.video]).presentation
        var copy: SavedWindow?
        var drawn: [RenditionID: [[EncryptionKey]]] = [:]
        var (kept, changed) = (0, 0)
        for number in Channel.firstNumber..<Channel.firstNumber + 80 {
            var ids = [Channel.video]
            if copy != nil, Int.random(in: 0..<4, using: &generator) > 0 { ids.append(Channel.audio) }
            presentation.declare(renditions: ids.map { $0 == Channel.video ? .video : .audio })
            var segments: [RenditionID: PublishedSegment] = [:]
            for id in ids {
                // More often than not the keys stay.
                if drawn[id] == nil || Int.random(in: 0..<3, using: &generator) == 0 {
                    let media = Self.keys.randomElement(using: &generator) ?? []
                    drawn[id] = [media, Bool.random(using: &generator) ? media : []]
                }
                let keys = drawn[id] ?? []
                let isGap = copy != nil && Int.random(in: 0..<4, using: &generator) == 0
                segments[id] = PublishedSegment(
                    programDateTime: MediaTime(seconds: number * 4),
                    duration: SegmentDuration(value: 4, timescale: 1),
                    content: isGap ? .gap : .media(.numbered(number, count: 10)),
                    initialization: .init(name: "init-\(number).mp4", bytes: ByteBuffer(string: "init"), keys: keys[1]),
                    keys: keys[0]
                )
            }
            let slot = PublishedSlot(
                number: MediaSequenceNumber(number),
                startsDiscontinuity: false,
                segments: segments
            )
            try presentation.publish(slot, now: MediaTime(seconds: number * 4 + 4))
            let window = presentation.saved
            if var journal = copy {
                let text = try JSONEncoder().encode(try #require(window.change(since: journal)))
                try journal.apply(try JSONDecoder().decode(SavedWindow.Change.self, from: text))
                #expect(journal == window, "at \(number)")
                let slots = try JSONDecoder().decode(Said.self, from: JSONEncoder().encode(window)).slots.suffix(2)
                let (before, now) = (try #require(slots.first).segments, try #require(slots.last).segments)
                let same = now.filter { id, keys in slots.count == 2 && !keys.isEmpty && before[id] == keys }
                let record = try JSONDecoder().decode(Record.self, from: text)
                // Of a window that begins anew the slot before is no longer in the text.
                if slots.count == 2 { #expect(record.sameKeys ?? [] == Set(same.keys), "at \(number)") }
                kept += same.count
                changed += now.count - same.count
                copy = journal
            } else {
                copy = window
            }
        }
        #expect(kept > 20 && changed > 20)
    }
}
